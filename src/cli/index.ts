/** The commands: one table. */

import { isProblem, Problem } from "../app/problem.ts";
import { setBundle, VERSION } from "../app/project.ts";
import { didYouMean } from "../lib/did-you-mean.ts";
import { accept } from "./accept.ts";
import { allow } from "./allow.ts";
import { audit } from "./audit.ts";
import { cancel } from "./cancel.ts";
import { certificate } from "./certificate.ts";
import { type Command, commandHelp, runCommand } from "./command.ts";
import { config } from "./config.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { evidence } from "./evidence.ts";
import { explain } from "./explain.ts";
import { exportFile } from "./export.ts";
import { guard } from "./guard.ts";
import { handover } from "./handover.ts";
import { importFile } from "./import.ts";
import { agents } from "./inbox/agents.ts";
import { inbox } from "./inbox/inbox.ts";
import { task } from "./inbox/task.ts";
import { judge } from "./judge.ts";
import { load } from "./load.ts";
import { mode } from "./mode.ts";
import { pause } from "./pause.ts";
import { pipeline } from "./pipeline/pipeline.ts";
import { playbook } from "./playbook/playbook.ts";
import { policies } from "./policies.ts";
import { pad, paint, sayJson, table, terminalColumns, wrap } from "./print.ts";
import { report } from "./report.ts";
import { resume } from "./resume.ts";
import { revoke } from "./revoke.ts";
import { rules } from "./rules.ts";
import { save } from "./save.ts";
import { init } from "./setup/init.ts";
import { uninstall } from "./setup/uninstall.ts";
import { down, serve, up } from "./setup/up.ts";
import { upgrade } from "./setup/upgrade.ts";
import { stance } from "./stance.ts";
import { state } from "./state.ts";
import { status } from "./status.ts";
import { statusline } from "./statusline.ts";
import { trust } from "./trust.ts";
import { tryIt } from "./try.ts";
import { undo } from "./undo.ts";
import { verify } from "./verify.ts";

/** Grouped by purpose. */
const GROUPS = {
  Begin: [tryIt, demo, init, doctor],
  See: [status, trust, explain, audit, judge, policies, handover, statusline],
  Plan: [playbook, pipeline, state, guard],
  "Work with other agents": [inbox, task, agents],
  Prove: [verify, evidence, certificate, rules],
  "Steer (people only, where it changes something)": [
    stance,
    mode,
    cancel,
    config,
    allow,
    accept,
    revoke,
    pause,
    resume,
  ],
  "Bring back, take along": [undo, save, load, importFile, exportFile, report],
  "The program": [up, down, serve, upgrade, uninstall],
} as const;

/** Exported for the test that every command which grants something has a door. */
export const COMMANDS = Object.values(GROUPS).flat() as unknown as readonly Command[];

export async function main(args: readonly string[], bundle: string): Promise<void> {
  setBundle(bundle);
  // A reader that closes the pipe early (`| head`) is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  try {
    process.exitCode = await dispatch(args);
  } catch (error) {
    process.exitCode = 1;
    const known = isProblem(error);
    if (known && commandNamed(args[0])?.errorsAsJson && args.includes("--json")) sayJson({ error: error.message });
    const words = `${paint.red("sekisho:")} ${known ? error.message : `unexpected error: ${String(error)}`}`;
    process.stderr.write(`${process.stderr.isTTY ? wrap(words, terminalColumns()) : words}\n`);
    if (!known && error instanceof Error) process.stderr.write(`${paint.dim(error.stack ?? "")}\n`);
  }
}

async function dispatch([name = "help", ...rest]: readonly string[]): Promise<number> {
  if (name === "--version" || name === "-v" || name === "version") {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (name === "help" || name === "--help" || name === "-h") {
    const about = commandNamed(rest[0]);
    if (!about && rest[0] !== undefined) throw new Problem(unknown(rest[0]));
    process.stdout.write(`${about ? commandHelp(about) : help()}\n`);
    return 0;
  }
  const command = commandNamed(name);
  if (command) return runCommand(command, rest);
  // Without a name that is meant, the list helps. The error message comes last, so that it stays visible.
  if (meant(name) === "") process.stderr.write(`${help()}\n\n`);
  throw new Problem(unknown(name));
}

function commandNamed(name: string | undefined): Command | undefined {
  return COMMANDS.find((command) => command.name === name || (name !== undefined && command.formerly === name));
}

function unknown(name: string): string {
  return `there is no command "${name}"${meant(name)}. See \`sekisho help\`.`;
}

function meant(name: string): string {
  return didYouMean(
    name,
    COMMANDS.map((command) => command.name),
  );
}

function help(): string {
  const size = Math.max(...COMMANDS.map((command) => heading(command).length));
  const groups = Object.entries(GROUPS).flatMap(([title, commands]) => [
    "",
    paint.bold(title),
    table((commands as unknown as readonly Command[]).map((one) => [pad(heading(one), size), one.summary])),
  ]);
  return [
    `${paint.bold("sekisho")} ${VERSION} — a checkpoint for coding agents: it sees every action before it happens.`,
    ...groups,
    "",
    "`sekisho <command> --help` tells more. `sekisho hook <event>` is what the agent's client calls.",
  ].join("\n");
}

/** Long arguments are shown only on the command's own help page. */
function heading({ name, words = "" }: Command): string {
  return `  ${name}${words === "" || words.length > 20 ? "" : ` ${words}`}`;
}
