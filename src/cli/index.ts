/** The commands: one table. */

import { didYouMean } from "../state/setting-names.ts";
import { accept } from "./accept.ts";
import { allow } from "./allow.ts";
import { audit } from "./audit.ts";
import { cancel } from "./cancel.ts";
import { certificate } from "./certificate.ts";
import { type Command, commandHelp, runCommand } from "./command.ts";
import { config } from "./config.ts";
import { demo } from "./demo.ts";
import { denyAgain } from "./deny.ts";
import { doctor } from "./doctor/index.ts";
import { evidence } from "./evidence.ts";
import { explain } from "./explain.ts";
import { exportFile } from "./export.ts";
import { gate } from "./gate.ts";
import { setBundle, VERSION } from "./here.ts";
import { importFile } from "./import.ts";
import { init } from "./init.ts";
import { judge } from "./judge.ts";
import { load } from "./load.ts";
import { mode } from "./mode.ts";
import { pause } from "./pause.ts";
import { policies } from "./policies.ts";
import { CommandError, isTold, pad, paint, table } from "./print.ts";
import { report } from "./report.ts";
import { resume } from "./resume.ts";
import { save } from "./save.ts";
import { snapshot } from "./snapshot.ts";
import { stance } from "./stance.ts";
import { status } from "./status.ts";
import { statusline } from "./statusline.ts";
import { trust } from "./trust.ts";
import { tryIt } from "./try.ts";
import { undo } from "./undo.ts";
import { uninstall } from "./uninstall.ts";
import { down, serve, up } from "./up.ts";
import { upgrade } from "./upgrade.ts";
import { verify } from "./verify.ts";

/** By what people come for. */
const GROUPS = {
  Begin: [tryIt, demo, init, doctor],
  See: [status, trust, explain, audit, judge, policies, snapshot, statusline],
  Prove: [verify, evidence, certificate, gate],
  "Steer (people only, where it changes something)": [
    stance,
    mode,
    cancel,
    config,
    allow,
    accept,
    denyAgain,
    pause,
    resume,
  ],
  "Bring back, take along": [undo, save, load, importFile, exportFile, report],
  "The program": [up, down, serve, upgrade, uninstall],
} as const;

const COMMANDS = Object.values(GROUPS).flat() as unknown as readonly Command[];

export async function main(args: readonly string[], bundle: string): Promise<void> {
  setBundle(bundle);
  // A reader that has seen enough (`| head`) is not an error of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  try {
    process.exitCode = await dispatch(args);
  } catch (error) {
    process.exitCode = 1;
    const known = isTold(error);
    process.stderr.write(`${paint.red("sekisho:")} ${known ? error.message : `unexpected error: ${String(error)}`}\n`);
    if (!known && error instanceof Error) process.stderr.write(`${paint.dim(error.stack ?? "")}\n`);
  }
}

async function dispatch([name = "help", ...rest]: readonly string[]): Promise<number> {
  if (name === "--version" || name === "-v" || name === "version") {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (name === "help" || name === "--help" || name === "-h") {
    const about = COMMANDS.find((command) => command.name === rest[0]);
    if (!about && rest[0] !== undefined) throw new CommandError(unknown(rest[0]));
    process.stdout.write(`${about ? commandHelp(about) : help()}\n`);
    return 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command) return runCommand(command, rest);
  // Last, so that it is still on the screen.
  process.stderr.write(`${help()}\n\n`);
  throw new CommandError(unknown(name));
}

function unknown(name: string): string {
  const hint = didYouMean(
    name,
    COMMANDS.map((command) => command.name),
  );
  return `there is no command "${name}"${hint}. See \`sekisho help\`.`;
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

/** What takes many words tells them on its own page. */
function heading({ name, words = "" }: Command): string {
  return `  ${name}${words === "" || words.length > 20 ? "" : ` ${words}`}`;
}
