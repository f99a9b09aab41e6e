// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are shell text.
import { describe, expect, it } from "vitest";
import { readShell } from "./shell.ts";

const place = { cwd: "/home/dev/project", home: "/home/dev" };
const unknown = (line: string) => readShell(line, place).unknown;

describe("a disguised command name", () => {
  it.each([
    "r''m x",
    'r""m x',
    "'r'm x",
    "s\\u\\do x",
    "$'\\x72m' x",
    'e"v\\\nal" x',
    "r$(printf m) x",
    "r${X}m x",
    "curl${IFS}x",
    "n''slookup$(cat a).example",
    "\u0456gnore x",
  ])("%j", (line) => {
    expect(unknown(line)).toContain("disguised name");
  });

  it.each(["r\u200bm x", "\u00ef\u00bb\u00bfeval x", "r\u0080m x"])("a name with invisible characters: %j", (line) => {
    expect(unknown(line)).toContain("invisible character");
  });

  it.each([
    "\\rm x",
    "'ls' x",
    '"/opt/my tool/run" x',
    "/Applications/Google\\ Chrome.app/x",
    '"$DIR"/bin/tool x',
    '"$DIR/bin"/tool x',
    "$CC x",
    "${CC} x",
    "python3.${MINOR} x",
    "./実行.sh x",
    "~/'my dir'/tool x",
    'IFS=, read -r a b <<< "$IFS"',
    "C:\\\\tools\\\\run.exe x",
  ])("everyday spellings are not disguised: %s", (line) => {
    expect(unknown(line)).not.toContain("disguised name");
    expect(unknown(line)).not.toContain("invisible character");
  });
});
