/** Wrappers: commands that run the command in their arguments, each with the grammar of its options. */

import { names, Rows } from "../../../lib/name-table.ts";
import { absolute } from "../../../lib/paths.ts";
import { cut, type Grammar, hasOption, operandStart, optionValue } from "../parse/options.ts";
import { literalWord, type Stream, unknownWord, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside } from "../walk/call.ts";
import { runAssigned } from "../walk/environment.ts";

/** A row lists its fields: `after=run,exec operands=1 noted`. */
interface Wrapper extends Grammar {
  /** Number of operands before the command: `timeout 10 cmd`. */
  readonly operands?: number;
  /** Subcommands that make it a wrapper: `uv run cmd`. */
  readonly after?: readonly string[] | undefined;
  /** Words after which the command begins: `nix develop -c cmd`. */
  readonly from?: readonly string[] | undefined;
  /** `A=b` words before the command set the command's environment. */
  readonly environment?: boolean;
  /** Options that set the directory of the command. */
  readonly directory?: readonly string[] | undefined;
  /** Options whose value is a whole script: `su -c '…'`. */
  readonly script?: readonly string[] | undefined;
  /** Options that only print information: `command -v x`. */
  readonly tells?: string | undefined;
  /** Without a command it runs a shell that reads the input; if letters are given, only with one of these options. */
  readonly shell?: true | string | undefined;
  /** The wrapper has effects of its own and is recorded too. */
  readonly noted?: boolean;
}

/** Wrappers without options of interest, some of them proxies. */
const PLAIN = names(
  "valgrind torsocks torify dbus-launch eatmydata linux32 linux64 i386 bwrap tsocks catchsegv nohup setsid builtin noglob nocorrect entr chronic unbuffer fakeroot firejail dbus-run-session rtk busybox toybox",
);

const WRAPPERS = new Rows(`
sudo: short=ugpCThrtRDU long=--user,--group,--prompt,--close-from,--chdir,--host,--role,--type,--chroot environment directory=-D,--chdir shell=si
doas: short=uC shell=s
pkexec: long=--user
gosu: operands=1
su-exec: operands=1
setpriv: long=--reuid,--regid,--groups,--ambient-caps,--inh-caps,--bounding-set
setuidgid: operands=1
numactl: short=NCmpi long=--cpunodebind,--membind,--physcpubind,--interleave
cgexec: short=g
proxychains: short=f
proxychains4: short=f
watchexec: short=eiwfd long=--exts,--ignore,--watch,--filter,--delay-run
perf: after=stat,record,trace short=eoFcpt long=--event,--output
capsh: script=-c
conda: after=run short=np long=--name,--prefix,--cwd noted
micromamba: after=run short=np long=--name,--prefix noted
nix: after=develop,shell,run from=-c,--command,-- noted
guix: after=shell,environment from=-- noted
ip: after=netns operands=2 noted
nice: short=n long=--adjustment
ionice: short=cnpPu long=--class,--classdata
time: short=fo long=--format,--output
timeout: short=ks long=--kill-after,--signal operands=1
gtimeout: short=ks long=--kill-after,--signal operands=1
stdbuf: short=ioe long=--input,--output,--error
command: tells=vV
exec: short=a
chroot: operands=1 shell long=--userspec,--groups
unshare: short=SGRw long=--setuid,--setgid,--root,--wd,--propagation,--map-user
nsenter: short=tSG long=--target,--setuid,--setgid
flock: short=wE long=--timeout,--wait,--conflict-exit-code operands=1 script=-c,--command
su: short=csgG long=--command,--shell,--group operands=1 script=-c,--command shell
runuser: short=csgGu long=--command,--shell,--user script=-c,--command shell
script: short=cEIOoTB operands=1 script=-c,--command shell
strace: short=eopsSuEaIbOPX long=--trace,--output
ltrace: short=eopsSuaAlnx
chrt: operands=1
taskset: operands=1
caffeinate: short=tw
faketime: operands=1
setarch: operands=1
dotenv: short=ef long=--file
cross-env: environment
systemd-run: short=pHMu long=--unit,--property,--uid,--gid,--description
xvfb-run: short=naewfps long=--server-num,--server-args
npx: short=pc long=--package,--call script=-c,--call noted
bunx: noted
pnpx: noted
uvx: long=--from,--with,--python noted
npm: after=exec,x long=--package,--call script=-c,--call noted
pnpm: after=exec,dlx short=C noted
yarn: after=exec,dlx,run noted
bun: after=x noted
uv: after=run short=p long=--with,--python,--extra,--group,--directory noted
poetry: after=run noted
pipenv: after=run noted
hatch: after=run noted
bundle: after=exec noted
mise: after=exec,x noted
direnv: after=exec operands=1 noted
op: after=run long=--env-file noted
aws-vault: after=exec operands=1 noted
wsl: short=due long=--distribution,--user,--exec,--cd noted
choom: short=np
prlimit:
run0: short=uDg long=--user,--chdir,--unit
rr: after=record noted
dtach: short=nAc
proot: short=rbw
uutils:
coreutils:
`);

function wrapperOf(name: string): Wrapper | undefined {
  if (PLAIN.has(name)) return { short: "", long: [] };
  const row = WRAPPERS.get(name);
  if (row === undefined) return undefined;
  const said = new Map(row.split(" ").map((field) => [field.split("=")[0], field.split("=")[1] ?? ""]));
  const listed = (key: string): readonly string[] | undefined => said.get(key)?.split(",");
  return {
    short: said.get("short") ?? "",
    long: listed("long") ?? [],
    operands: Number(said.get("operands") ?? 0),
    after: listed("after"),
    from: listed("from"),
    environment: said.has("environment"),
    directory: listed("directory"),
    script: listed("script"),
    tells: said.get("tells"),
    shell: said.get("shell") === "" ? true : said.get("shell"),
    noted: said.has("noted"),
  };
}

/** Reads the command inside a wrapper; undefined if the command is not a wrapper. */
export function unwrap(name: string, call: Call): Stream | undefined {
  const wrapper = wrapperOf(name);
  if (!wrapper) return undefined;
  const args = afterSubcommand(argsOf(call), wrapper);
  if (!args) return undefined;
  const start = operandStart(args, wrapper);
  const options = args.slice(0, start);
  if (wrapper.tells && hasOption(options, wrapper.tells)) return emit(call, toldPath(args.slice(start)));
  const noted = wrapper.noted ? emit(call) : undefined;
  const script = wrapper.script && optionValue(args, wrapper.script);
  if (script) return call.runner.child(inside(call, []), script);
  const { argv, assignments } = commandIn(args.slice(start), wrapper);
  if (argv.length === 0) return noted ?? alone(name, wrapper, options, call);
  runAssigned(assignments, call);
  const changed = wrapper.directory && optionValue(options, wrapper.directory);
  const cwd = changed ? resolved(changed, call.cwd) : call.cwd;
  return call.runner.call(inside(call, argv, { cwd, assignments: [...call.assignments, ...assignments] }));
}

/** `sudo -s <<< text`, `… | su`; `exec < file` changes the input of all later commands. */
function alone(name: string, wrapper: Wrapper, options: readonly Word[], call: Call): Stream {
  if (name === "exec" && call.stdin) call.scope.stdin = call.stdin;
  const isShell = wrapper.shell === true || (wrapper.shell !== undefined && hasOption(options, wrapper.shell));
  return isShell && call.stdin ? call.runner.call(inside(call, [literalWord("sh")])) : emit(call);
}

/** `command -v rm` prints the path of the program. */
function toldPath([word]: readonly Word[]): string | undefined {
  return word?.literal && /^[\w.+-]+$/.test(word.text) ? `/usr/bin/${word.text}\n` : undefined;
}

/** `env` can also split a string into words, clear or set the environment, and change the directory. */
export const env: Handler = (call) => {
  const args = argsOf(call);
  const first = operandStart(args, ENV);
  // A lone `-` clears the environment.
  const start = args[first]?.text === "-" ? operandStart(args, ENV, first + 1) : first;
  const options = args.slice(0, start);
  const split = splitIn(options);
  if (split) {
    const rest = [...args.slice(0, split.at), ...wordsIn(split.text), ...args.slice(split.end)];
    return env({ ...call, argv: [...call.argv.slice(0, 1), ...rest] });
  }
  const directory = optionValue(options, ["-C", "--chdir"]);
  const cwd = directory ? resolved(directory, call.cwd) : call.cwd;
  const { argv, assignments } = commandIn(args.slice(start), { environment: true });
  if (argv.length === 0) return emit(call);
  runAssigned(assignments, call);
  return call.runner.call(inside(call, argv, { cwd, assignments: [...call.assignments, ...assignments] }));
};

const ENV = { short: "uCSaP", long: ["--unset", "--chdir", "--split-string", "--argv0"] };

/** `-S text`, `-Stext`, `-iS text`, `--split-string=text`: the words of the text replace the option. */
function splitIn(
  options: readonly Word[],
): { readonly at: number; readonly end: number; readonly text: Word } | undefined {
  const at = options.findIndex(({ text }) => /^(?:-[iv0]*S|--split-string)/.test(text));
  const option = options[at];
  if (!option) return undefined;
  const rest = cut(option, /^(?:-[iv0]*S|--split-string=?)/.exec(option.text)?.[0].length ?? 0);
  if (rest.text !== "") return { at, end: at + 1, text: rest };
  const next = options[at + 1];
  return next && { at, end: at + 2, text: next };
}

/** `env -S` splits like a shell: quotes keep words together, and environment variables are expanded. */
function wordsIn(split: Word): Word[] {
  if (!split.literal) return [split];
  const words = split.text.match(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs) ?? [];
  return words.map((word) => {
    const text = word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, single?: string, double?: string, escaped?: string) =>
        single ?? double?.replace(/\\(.)/g, "$1") ?? (escaped === "_" ? " " : (escaped ?? "")),
    );
    return /\$\{\w+\}/.test(text) ? unknownWord(text) : literalWord(text);
  });
}

function afterSubcommand(args: readonly Word[], wrapper: Wrapper): readonly Word[] | undefined {
  const { after } = wrapper;
  if (!after) return args;
  const start = operandStart(args, wrapper);
  if (!after.includes(args[start]?.text ?? "")) return undefined;
  const rest = args.slice(start + 1);
  const at = wrapper.from ? rest.findIndex(({ text }) => wrapper.from?.includes(text)) : -1;
  return at < 0 ? rest : rest.slice(at + 1);
}

function commandIn(
  args: readonly Word[],
  wrapper: Wrapper,
): { argv: readonly Word[]; assignments: { name: string; value: Word }[] } {
  const assignments: { name: string; value: Word }[] = [];
  let start = wrapper.operands ?? 0;
  if (wrapper.environment) {
    for (let arg = args[start]; arg; arg = args[start]) {
      const match = /^([A-Za-z_]\w*)=/.exec(arg.prefix);
      if (!match) break;
      assignments.push({ name: match[1] ?? "", value: cut(arg, match[0].length) });
      start += 1;
    }
  }
  if (args[start]?.text === "--") start += 1;
  return { argv: args.slice(start), assignments };
}

export function resolved(directory: Word, cwd: string | undefined): string | undefined {
  return directory.literal ? absolute(directory.text, cwd) : undefined;
}
