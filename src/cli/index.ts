/** The commands: one table. */
import { accept } from "./accept.ts";
import { allow } from "./allow.ts";
import { audit } from "./audit.ts";
import { type Command, commandHelp, runCommand } from "./command.ts";
import { config } from "./config.ts";
import { demo } from "./demo.ts";
import { denyAgain } from "./deny.ts";
import { doctor } from "./doctor/index.ts";
import { explain } from "./explain.ts";
import { exportFile } from "./export.ts";
import { setBundle, VERSION } from "./here.ts";
import { importFile } from "./import.ts";
import { init } from "./init.ts";
import { judge } from "./judge.ts";
import { load } from "./load.ts";
import { pause } from "./pause.ts";
import { policies } from "./policies.ts";
import { CommandError, isTold, paint, table } from "./print.ts";
import { report } from "./report.ts";
import { resume } from "./resume.ts";
import { save } from "./save.ts";
import { stance } from "./stance.ts";
import { status } from "./status.ts";
import { statusline } from "./statusline.ts";
import { trust } from "./trust.ts";
import { tryIt } from "./try.ts";
import { undo } from "./undo.ts";
import { uninstall } from "./uninstall.ts";
import { down, serve, up } from "./up.ts";
import { upgrade } from "./upgrade.ts";

const COMMANDS: readonly Command[] = [
  tryIt,
  demo,
  init,
  uninstall,
  status,
  trust,
  explain,
  audit,
  judge,
  policies,
  stance,
  config,
  up,
  down,
  serve,
  allow,
  accept,
  denyAgain,
  pause,
  resume,
  undo,
  save,
  load,
  importFile,
  exportFile,
  report,
  doctor,
  upgrade,
  statusline,
] as readonly Command[];

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
    if (!about && rest[0] !== undefined)
      throw new CommandError(`there is no command "${rest[0]}". See \`sekisho help\`.`);
    process.stdout.write(`${about ? commandHelp(about) : help()}\n`);
    return 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command) return runCommand(command, rest);
  process.stderr.write(`${paint.red("sekisho:")} there is no command "${name}".\n\n${help()}\n`);
  return 1;
}

function help(): string {
  const rows = COMMANDS.map(({ name, words, summary }) => [`  ${name}${words ? ` ${words}` : ""}`, summary]);
  return [
    `${paint.bold("sekisho")} ${VERSION} — a checkpoint for coding agents: it sees every action before it happens.`,
    "",
    paint.bold("Commands"),
    table(rows),
    "",
    "`sekisho <command> --help` tells more. `sekisho hook <event>` is what the agent's client calls.",
  ].join("\n");
}
