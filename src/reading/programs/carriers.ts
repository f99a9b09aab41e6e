/**
 * Where each program has code besides its own work. A row lists its places: the language, then options, `*` for every
 * word, `<` for the lines of the input, `<<` for the whole input, `@verb` for the word after that verb; then, if only a
 * part is code, a pattern of what stands before it.
 */

import { Rows } from "../../lib/name-table.ts";

export interface Carrier {
  readonly language: string;
  readonly places: readonly string[];
  /** The text itself, or a pattern, which is compiled when a word stands in one of the places. */
  readonly lead?: string | (() => RegExp);
}

/** First tools that transfer and connect, then tools that edit and run, that build, and that store data. */
const ROWS = new Rows(`
tar: shell --to-command,--use-compress-program,-I,--info-script,--new-volume-script,--rsh-command; shell --checkpoint-action /^exec=/
gtar: = tar
bsdtar: = tar
zip: shell -TT,--unzip-command
split: shell --filter
sort: shell --compress-program
rg: shell --pre,--hostname-bin
rsync: shell -e,--rsh,--rsync-path
ssh: shell -o /^\\s*(?:Proxy|Local|Remote|KnownHosts)Command\\s*[= ]\\s*/i
scp: shell -o /^\\s*(?:Proxy|Local|Remote|KnownHosts)Command\\s*[= ]\\s*/i; shell -S
sftp: = scp
wget: shell --use-askpass
curl: sql -d,--data,--data-raw,--data-binary,--data-urlencode /^(?:q|query|sql|statement)=/i
nc: shell -e,-c,--exec,--sh-exec
ncat: = nc
netcat: = nc
socat: shell * /^(?:EXEC|SYSTEM|SHELL):/i
tcpdump: shell -z
npm: shell --script-shell,script-shell; shell * script-shell=
apt: shell -o /^[\\w:]*(?:Pre|Post)-\\w+:*=/
apt-get: = apt
svn: shell --editor-cmd,--diff-cmd,--diff3-cmd
hg: shell --config /^(?:alias\\.[^=]+=!|hooks\\.[^=]+=|ui\\.(?:ssh|editor|merge)=)/
gh: shell * /^!/
vim: shell -c,--cmd,-S,+ /^[:\\s]*(?:sil(?:ent)?!?\\s+)?(?:(?:r|read|w|write)?\\s*!|(?:call\\s+|echo\\s+|let\\s+\\w+\\s*=\\s*)?system(?:list)?\\(\\s*["']|term(?:inal)?\\s+|lua\\s+os\\.execute\\(\\s*["']|py(?:thon)?3?\\s+.*os\\.system\\(\\s*["'])/;
  vimscript -c,--cmd,+
vi: = vim
nvim: = vim
view: = vim
ex: = vim; shell < /^\\s*!/
ed: shell < /^\\s*!/
less: shell * /^\\+{1,2}!/
man: shell -P,--pager,-H,--html
gdb: shell -ex,-iex,--eval-command,-eval-command,--ex,< /^\\s*(?:!|(?:platform\\s+)?shell\\s|make\\s|pipe\\s+.*\\||(?:py\\w*|pi|script|call|p|print|expr\\w*|output)\\s+.*\\b(?:system|popen|getoutput|run|call)\\(\\s*["'])\\s*/
lldb: shell -o,-O,--one-line,< /^\\s*(?:!|(?:platform\\s+)?shell\\s|make\\s|pipe\\s+.*\\||(?:py\\w*|pi|script|call|p|print|expr\\w*|output)\\s+.*\\b(?:system|popen|getoutput|run|call)\\(\\s*["'])\\s*/
sekisho: shell --run
dc: shell -e /^!/
emacs: shell --eval,-eval,--execute /^.*\\((?:async-)?shell-command(?:-to-string)?\\s+"/s; elisp --eval,-eval,--execute
emacsclient: elisp -e,--eval
nodemon: shell -x,--exec
hyperfine: shell *
entr: shell -s
watchman-make: shell --run
onchange: shell -c
expect: shell -c /^.*?(?:spawn|exec|system)\\s+/s
complete: shell -C
bind: shell -x /^\\s*(?:"[^"]*"|\\S+?)\\s*:\\s*/
nu: shell -c,--commands,-e,--execute
cargo: shell -s,--shell; toml --config
cargo-watch: shell -s,--shell
go: shell -exec,-toolexec
bazel: shell --run_under
fly: remote -C,--command
flyctl: = fly
heroku: remote @run
gcloud: remote --command
vagrant: remote -c,--command
az: remote --scripts
nix-shell: shell --run,--command
gradle: groovy -I,--init-script
mix: elixir -e,--eval
rails: ruby @runner,@r
deno: javascript @eval
ant: xml <<
pdflatex: tex *
lualatex: = pdflatex
xelatex: = pdflatex
latex: = pdflatex
psql: shell -c,--command /^\\s*\\\\!\\s*/; shell < /^\\s*\\\\!\\s*/
mysql: shell -e,--execute /^\\s*(?:\\\\!|system\\s)\\s*/; shell < /^\\s*(?:\\\\!|system\\s)\\s*/
mariadb: = mysql
sqlite3: shell *,<,-cmd /^\\s*\\.(?:shell|system)\\s+/
duckdb: shell *,<,-c,-cmd /^\\s*\\.(?:shell|system)\\s+/
`);

const known = new Map<string, readonly Carrier[]>();
const NONE: readonly Carrier[] = [];

export function carriersOf(name: string): readonly Carrier[] {
  const before = known.get(name);
  if (before) return before;
  const row = ROWS.get(name);
  if (row === undefined) return NONE;
  const found = carriersIn(row);
  known.set(name, found);
  return found;
}

export function carrierNames(): readonly string[] {
  return ROWS.names();
}

function carriersIn(row: string): readonly Carrier[] {
  return row.split("; ").flatMap((field): readonly Carrier[] => {
    if (field.startsWith("= ")) return carriersOf(field.slice(2));
    const [language = "", places = "", ...rest] = field.split(" ");
    const lead = leadOf(rest.join(" "));
    return [{ language, places: places.split(","), ...(lead !== undefined && { lead }) }];
  });
}

function leadOf(spelled: string): Carrier["lead"] {
  if (!spelled.startsWith("/")) return spelled === "" ? undefined : spelled;
  const end = spelled.lastIndexOf("/");
  let compiled: RegExp | undefined;
  return () => {
    compiled ??= new RegExp(spelled.slice(1, end), spelled.slice(end + 1));
    return compiled;
  };
}
