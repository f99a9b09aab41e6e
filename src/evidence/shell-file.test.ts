import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isDefinedIn, isHarmless } from "./shell-file.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const MADE = readFileSync(join(import.meta.dirname, "../../test/fixtures/shell-snapshot.sh"), "utf8").replace(
  "@PATH@",
  PATH,
);

const harmless = (text: string, foreign = false, path = PATH): boolean =>
  isHarmless({ text, foreign, path, isUsed: (name) => ["npm", "node", "pytest"].includes(name) });

describe("a shell file of the host", () => {
  it("is harmless as the host makes it", () => {
    expect(harmless(MADE)).toBe(true);
  });

  it.each([
    "alias -- ll='ls -la'",
    "alias -- x='npm test'",
    "eval $'greet () \\n{ \\n    npm \"$@\"\\n}' > /dev/null 2>&1",
    "shopt -s globstar",
    "set -o pipefail",
    `export PATH='${PATH}'`,
  ])("may hold %j", (line) => {
    expect(harmless(`${MADE}${line}\n`)).toBe(true);
  });

  it.each([
    "npm() { true; }",
    "function npm { true; }",
    "alias npm=true",
    "alias -- npm='true'",
    "alias -- ll='ls -la' npm=true",
    "eval $'npm () \\n{ \\n    true\\n}' > /dev/null 2>&1",
    "eval 'n''pm() { true; }'",
    'eval "$(echo npm)() { true; }"',
    "eval true",
    "builtin() { true; }",
    "eval() { true; }",
    "alias eval=true",
    "exit 0",
    "exec true",
    "return 0",
    "trap 'exit 0' EXIT",
    "set -o noexec",
    "set -n",
    "export PATH=/tmp/x:/bin",
    "PATH=/tmp/x",
    "BASH_ENV=/tmp/x",
    "export BASH_ENV=/tmp/x",
    "source /tmp/x",
    ". /tmp/x",
    "hash -p /bin/true npm",
    "enable -n test",
    "true > ~/.profile",
    "true | sh",
    'shopt -s "$(touch x)"',
    "shopt -s `touch x`",
    "if true; then exit 0; fi",
    "{ npm() { true; }; }",
    "f() { true; }; f",
    'for n in npm; do eval "$n() { true; }"; done',
    "cat <<X\n",
  ])("must not hold %j", (line) => {
    expect(harmless(`${MADE}${line}\n`)).toBe(false);
  });

  it("is searched by lines where its shell is another", () => {
    expect(harmless("greet () {\n\techo hello\n}\nsetopt autocd\nalias -- ll='ls -la'\n", true)).toBe(true);
    expect(harmless("npm () {\n\ttrue\n}\n", true)).toBe(false);
    expect(harmless("alias -- npm=true\n", true)).toBe(false);
    expect(harmless("exit 0\n", true)).toBe(false);
  });
});

it("finds the definition of a name in a start file", () => {
  expect(isDefinedIn('export X=1\nnpm() { nvm_load; npm "$@"; }\n', "npm")).toBe(true);
  expect(isDefinedIn("alias npm='pnpm'\n", "npm")).toBe(true);
  expect(isDefinedIn("function npm { x; }\n", "npm")).toBe(true);
  expect(isDefinedIn("export PATH=~/.npm/bin:$PATH; pnpm() { x; }\n", "npm")).toBe(false);
});
