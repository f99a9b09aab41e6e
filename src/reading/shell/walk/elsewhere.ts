/** Commands that run a command on another machine or inside a container. */

import { join } from "../parse/fields.ts";
import { operandStart } from "../parse/options.ts";
import { literalWord, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside } from "./call.ts";

/** The remote shell gets the words joined by blanks. */
export const ssh: Handler = (call) => {
  const args = argsOf(call);
  const start = operandStart(args, { short: "BbcDEeFIiJLlmOopPQRSWw" });
  const command = args.slice(start + 1);
  const noted = emit(call);
  if (command.length > 0) call.runner.child(inside(call, [], REMOTE), joined(command));
  else if (call.stdin?.text !== undefined && start < args.length)
    call.runner.child(inside(call, [], { ...REMOTE, stdin: undefined }), literalWord(call.stdin.text));
  return { text: undefined, from: noted.from };
};

export const REMOTE = { cwd: undefined, remote: true, redirects: [] } as const;
const CONTAINED = { cwd: undefined, contained: true, redirects: [] } as const;

const ENGINE_VALUES = {
  short: "uewvplhmca",
  long: [
    "--user",
    "--env",
    "--workdir",
    "--volume",
    "--publish",
    "--name",
    "--network",
    "--entrypoint",
    "--mount",
    "--label",
    "--hostname",
    "--memory",
    "--cpus",
    "--platform",
    "--env-file",
    "--add-host",
    "--user",
    "--index",
    "--gpus",
    "--shm-size",
    "--cap-add",
    "--security-opt",
    "--restart",
    "--pull",
    "--ipc",
    "--pid",
    "--ulimit",
    "--tmpfs",
    "--dns",
  ],
} as const;

export const containerEngine: Handler = (call) => {
  const args = argsOf(call);
  const global = { short: "cHlfp", long: ["--context", "--host", "--file", "--project-name", "--profile"] };
  let start = operandStart(args, global);
  if (args[start]?.text === "compose" || args[start]?.text === "container") {
    start += 1 + operandStart(args.slice(start + 1), global);
  }
  const verb = args[start]?.text;
  const noted = emit(call);
  if (verb !== "exec" && verb !== "run") return noted;
  const rest = args.slice(start + 1);
  const operand = operandStart(rest, ENGINE_VALUES);
  runInside(call, rest.slice(operand + 1), mountsHost(rest.slice(0, operand)));
  return noted;
};

export const cluster: Handler = (call) => {
  const args = argsOf(call);
  const noted = emit(call);
  const dashes = args.findIndex(({ text }) => text === "--");
  if (dashes >= 0 && args.slice(0, dashes).some(({ text }) => text === "exec" || text === "run" || text === "debug")) {
    runInside(call, args.slice(dashes + 1), false);
  }
  return noted;
};

/** `ansible hosts -m shell -a '…'` runs its argument on every host. */
export const ansible: Handler = (call) => {
  const args = argsOf(call);
  const noted = emit(call);
  const at = args.findIndex(({ text }) => text === "-a" || text === "--args");
  const script = args[at + 1];
  if (at >= 0 && script) call.runner.child(inside(call, [], REMOTE), script);
  return noted;
};

/** `watch` passes its words to a shell repeatedly. */
export const watch: Handler = (call) => {
  const args = argsOf(call);
  const command = args.slice(operandStart(args, { short: "nq", long: ["--interval", "--equexit"] }));
  return command.length > 0 ? call.runner.child(inside(call, []), joined(command)) : emit(call);
};

function runInside(call: Call, argv: readonly Word[], mounted: boolean): void {
  if (argv.length > 0) call.runner.call(inside(call, argv, { ...CONTAINED, contained: !mounted }));
}

/** A container with access to the host's root or devices is no isolation. */
function mountsHost(options: readonly Word[]): boolean {
  return options.some(({ text }) =>
    /^(?:-v|--volume=)?\/(?:etc|usr|var|home|root)?:|source=\/,|src=\/,|^--privileged/.test(text),
  );
}

export function joined(words: readonly Word[]): Word {
  const [first = literalWord(""), ...rest] = words;
  return rest.reduce((all, word) => join(join(all, literalWord(" ")), word), first);
}
