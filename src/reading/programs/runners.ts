/** Programs that run the command in their arguments, each with the grammar of its options. */

import { names, Rows } from "../../lib/name-table.ts";
import type { Grammar } from "../shell/parse/options.ts";

/** A row lists its fields: `after=run,exec operands=1 noted`. */
export interface Wrapper extends Grammar {
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
dotenv-cli: short=ef long=--file
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
proot: short=rbw
uutils:
coreutils:
`);

export function wrapperOf(name: string): Wrapper | undefined {
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

export function runnerNames(): readonly string[] {
  return [...PLAIN.all(), ...WRAPPERS.names()];
}
