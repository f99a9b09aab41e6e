/** Interpreters: the language of each, and which of its options hold program text. */

import { Rows } from "../../lib/name-table.ts";

export interface Interpreter {
  readonly language: string;
  /** Letters of the options that contain program text. */
  readonly code: string;
  readonly longCode?: readonly string[];
  /** Letters of other options that take a value. */
  readonly values?: string;
  readonly longValues?: readonly string[];
}

/** `language code=c long=--eval values=WX longvalues=--require`. */
const ROWS = new Rows(`
python: python code=c values=WXm
pypy: = python
ipython: = python
bpython: = python
sage: = python
micropython: = python
node: javascript code=ep long=--eval,--print values=rC longvalues=--require,--import,--loader,--experimental-loader,--input-type,--conditions
nodejs: = node
tsx: = node
ts-node: = node
zx: javascript long=--eval
bun: javascript code=ep long=--eval,--print values=r
perl: perl code=eE values=IMm
raku: perl code=e values=I
ruby: ruby code=e values=IrC
jruby: = ruby
crystal: ruby
php: php code=r long=--run values=dcz
lua: lua code=e values=l
luajit: lua code=e values=lj
tclsh: tcl
wish: tcl
osascript: applescript code=e values=l
rscript: r code=e
littler: r code=e
r: r code=e
julia: julia code=eE long=--eval,--print
octave: octave long=--eval
octave-cli: = octave
matlab: octave long=-batch,-r
elixir: elixir code=e long=--eval
erl: elixir long=-eval,-s
groovy: groovy code=e
kotlinc: groovy code=e
kotlin: = kotlinc
scala: groovy code=e
swift: groovy code=e
jshell: groovy
clojure: lisp code=e long=--eval
clj: = clojure
guile: lisp code=c
racket: lisp code=e long=--eval
sbcl: lisp long=--eval
ghc: haskell code=e
tcc: c
pwsh: powershell code=c long=-command
powershell: = pwsh
`);

const known = new Map<string, Interpreter>();

export function interpreterOf(spelled: string): Interpreter | undefined {
  const name = withoutVersion(spelled.toLowerCase());
  const before = known.get(name);
  if (before) return before;
  const row = ROWS.get(name);
  if (row === undefined) return undefined;
  const found = row.startsWith("= ") ? interpreterOf(row.slice(2)) : interpreterIn(row);
  if (found) known.set(name, found);
  return found;
}

export function interpreterNames(): readonly string[] {
  return ROWS.names();
}

function interpreterIn(row: string): Interpreter {
  const [language = "", ...fields] = row.split(" ");
  const said = new Map(fields.map((field) => [field.split("=")[0], field.split("=")[1] ?? ""]));
  return {
    language,
    code: said.get("code") ?? "",
    longCode: said.get("long")?.split(",") ?? [],
    values: said.get("values") ?? "",
    longValues: said.get("longvalues")?.split(",") ?? [],
  };
}

/** `python3.12` is `python`. */
function withoutVersion(name: string): string {
  const last = name.charAt(name.length - 1);
  return last === "." || (last >= "0" && last <= "9") ? name.replace(/[\d.]+$/, "") : name;
}
