import { expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { bash, edit, exampleMode, guardingTests, PLACE, using, write } from "../example.ts";
import { noAssertionRemoval } from "./no-assertion-removal.ts";

const TEST = `${PLACE}/src/a.test.ts`;
const TEXT = `import { add } from "./add";

describe("add", () => {
  it("adds", () => {
    const sum = add(1, 2);
    expect(sum).toBe(3);
    console.log(sum);
  });

  it("adds more", () => {
    expect(add(2, 2)).toBe(4);
    expect(add(3, 2)).toBe(5);
  });
});
`;
const WEAK = TEXT.replaceAll(/expect.*/g, "");
const GUARDED = guardingTests("deny", {
  [TEST]: TEXT,
  [`${PLACE}/src/weak.ts`]: WEAK,
  [`${PLACE}/src/weak.test.ts`]: WEAK,
});
const DRIVEN: Gathered = {
  settings: defaultSettings,
  session: { ...ordinaryFacts.session, modes: { qa: exampleMode } },
  ...(GUARDED.standingText && { standingText: GUARDED.standingText }),
};
const changed = (old: string, fresh: string): string => TEXT.replace(old, () => fresh);

describePolicy(noAssertionRemoval, ({ denies, asks, passes }) => {
  denies("TS-36 G3 in qa mode: every expect gone", edit(TEST, "expect(sum).toBe(3);", "void sum;"), DRIVEN);
  denies(
    "TS-36 G3 in qa mode: though the text has grown",
    edit(TEST, "expect(sum).toBe(3);", `void sum;${" // why".repeat(30)}`),
    DRIVEN,
  );
  passes("TS-36 G3 in qa mode: an expect changed", edit(TEST, "toBe(3)", "toEqual(3)"), DRIVEN);
  passes("TS-36 G3 without a mode", edit(TEST, "expect(sum).toBe(3);", ""), {
    standingText: { [TEST]: { text: TEXT } },
  });
  passes("TS-36 G3 a new test file", write(`${PLACE}/src/b.test.ts`, "it.skip('x', () => {});"), DRIVEN);
  passes("TS-36 G3 ordinary code", edit(`${PLACE}/src/a.ts`, "expect(sum);", ""), {
    ...DRIVEN,
    standingText: { [`${PLACE}/src/a.ts`]: { text: "expect(sum);" } },
  });
  asks("MD-72 by setting", edit(TEST, "expect(sum).toBe(3);", ""), {
    ...GUARDED,
    ...{ settings: guardingTests("ask").settings },
  });

  const weaker: readonly (readonly [string, string, string])[] = [
    ["taken out", "expect(sum).toBe(3);", ""],
    [
      "with a neighbour that stays",
      "expect(add(2, 2)).toBe(4);\n    expect(add(3, 2)).toBe(5);",
      "expect(add(3, 2)).toBe(5);",
    ],
    ["commented out", "expect(sum)", "// expect(sum)"],
    ["commented out by half a word", "    expect(sum", "    //expect(sum"],
    ["in a comment of many lines", "expect(sum).toBe(3);", "/*\n expect(sum).toBe(3);\n*/"],
    ["put into a string", "expect(sum).toBe(3);", '"expect(sum).toBe(3)";'],
    ["put into a template", "expect(sum).toBe(3);", "`expect(sum).toBe(3)`;"],
    ["true is true", "expect(sum).toBe(3);", "expect(true).toBe(true);"],
    ["one is one", "expect(sum).toBe(3);", "expect(1).toEqual(1);"],
    ["a thing is itself", "expect(sum).toBe(3);", "expect(sum).toBe(sum);"],
    ["a literal is truthy", "expect(sum).toBe(3);", "expect('x').toBeTruthy();"],
    ["or true", "expect(sum).toBe(3);", "expect(sum === 3 || true).toBe(true);"],
    ["assert.ok(true)", "expect(sum).toBe(3);", "assert.ok(true);"],
    ["assert of itself", "expect(sum).toBe(3);", "assert.equal(sum, sum);"],
    ["it.skip", 'it("adds",', 'it.skip("adds",'],
    ["skip between two words", '("adds",', '.skip("adds",'],
    ["it.only", 'it("adds",', 'it.only("adds",'],
    ["describe.skip", "describe(", "describe.skip("],
    ["describe.only", "describe(", "describe.only("],
    ["in brackets", "describe(", "describe['skip']("],
    ["test.todo", 'it("adds",', 'it.todo("adds",'],
    ["it.fails", 'it("adds",', 'it.fails("adds",'],
    ["concurrent too", 'it("adds",', 'it.concurrent.skip("adds",'],
    ["xit", 'it("adds",', 'xit("adds",'],
    ["fit", 'it("adds",', 'fit("adds",'],
    ["xdescribe", "describe(", "xdescribe("],
    ["skipIf(true)", 'it("adds",', 'it.skipIf(true)("adds",'],
    ["an option", '"adds", () =>', '"adds", { skip: true }, () =>'],
    ["from within", "const sum", "t.skip(); const sum"],
    ["an early return", '"adds", () => {', '"adds", () => {\n    return;'],
    ["never reached", "expect(sum)", "if (false) expect(sum)"],
    ["no case any more", 'it("adds",', 'unused("adds",'],
    ["an expect of one's own", "import { add }", "const expect = () => {};\nimport { add }"],
  ];
  for (const [title, old, fresh] of weaker) {
    denies(`Edit: ${title}`, edit(TEST, old, fresh), GUARDED);
    denies(`Write: ${title}`, write(TEST, changed(old, fresh)), GUARDED);
    denies(`Bash: ${title}`, bash(`cat > src/a.test.ts <<'SEKISHO'\n${changed(old, fresh)}SEKISHO`), GUARDED);
  }
  denies(
    "MultiEdit: a comment that is opened here and closed far below",
    using({
      kind: "edit",
      name: "MultiEdit",
      path: TEST,
      edits: [
        { old: 'it("adds"', new: '/* it("adds"', all: false },
        { old: "console.log(sum);\n  });", new: "console.log(sum);\n  }); */", all: false },
      ],
    }),
    GUARDED,
  );
  denies(
    "every one of a kind",
    using({ kind: "edit", name: "Edit", path: TEST, edits: [{ old: "expect(add", new: "void (add", all: true }] }),
    GUARDED,
  );
  denies("most of them", write(TEST, `${"x();\n".repeat(12)}expect(y).toBe(1);`), {
    ...GUARDED,
    standingText: { [TEST]: { text: "expect(x).toBe(1);\nexpect(z).toBe(2);\n".repeat(3) } },
  });
  denies("through a link", write(`${PLACE}/link.txt`, WEAK), {
    ...GUARDED,
    standingText: { [`${PLACE}/link.txt`]: { text: TEXT } },
    targets: { [`${PLACE}/link.txt`]: TEST },
  });
  denies("words that do not stand there, by themselves", edit(TEST, "assert(q);", "q;"), GUARDED);

  for (const command of [
    "sed -i '/expect/d' src/a.test.ts",
    "sed -i '/toBe(3)/d' src/a.test.ts",
    "sed -i '/ex[p]ect/d' src/a.test.ts",
    "sed -i 6d src/a.test.ts",
    "sed -i '4,8d' src/a.test.ts",
    "sed -i '/adds more/,/});/d' src/a.test.ts",
    "sed -i '/adds more/,+3d' src/a.test.ts",
    "sed -i -e '11{d}' src/a.test.ts",
    "sed -i 's/^.*expect.*$//' src/a.test.ts",
    "sed -i 's|expect|// expect|' src/a.test.ts",
    "sed -i '/expect/s/^/\\/\\/ /' src/a.test.ts",
    "sed -i '6s#^#//#' src/a.test.ts",
    "sed -i.bak 's/it(/it.skip(/' src/a.test.ts",
    "sed -i 's/\\bit(/xit(/g' src/a.test.ts",
    "sed --in-place -E 's/(it)\\(/\\1.only(/' src/a.test.ts",
    "sed -i '4i return;' src/a.test.ts; sed -i 's/describe(/describe.skip(/' src/a.test.ts",
    "sed -i '6c void sum;' src/a.test.ts",
    "sed -i 's/toBe(3)/toBe(sum)/' src/a.test.ts",
    "sed -i '/expect/d' src/*.test.ts",
    "sed -i 's/it(/it.skip(/' src/*.spec.ts",
    "find . -name '*.test.ts' -exec sed -i '/expect/d' {} +",
    "grep -rl expect --include='*.test.ts' . | xargs sed -i '/expect/d'",
    "git ls-files '*.test.ts' | xargs sed -i 's/test(/test.skip(/'",
    "perl -pi -e 's/it\\(/it.skip(/' src/a.test.ts",
    "perl -pi -e 's{expect.*}{}' src/a.test.ts",
    "perl -ni -e 'print unless /expect/' src/a.test.ts",
    "perl -0pi -e 's/expect.*//s' src/a.test.ts",
    "grep -v expect src/a.test.ts > /tmp/x && mv /tmp/x src/a.test.ts",
    "cat src/a.test.ts | grep -v 'expect(' > /tmp/x; cp /tmp/x src/a.test.ts",
    "awk '!/expect/' src/a.test.ts > t && mv t src/a.test.ts",
    "sed '/expect/d' src/a.test.ts > t && mv -f t src/a.test.ts",
    "sed '/expect/d' src/a.test.ts | tee src/a.test.ts",
    "head -5 src/a.test.ts > t; cp t src/a.test.ts",
    `echo "describe.only('x', () => {});" >> src/a.test.ts`,
    `echo "describe.only('x', () => {});" | tee -a src/a.test.ts`,
    `python3 - <<'EOF'\np='src/a.test.ts'\ns=open(p).read()\nopen(p,'w').write(s.replace('expect(', '// expect('))\nEOF`,
    `python3 -c "import re;p='src/a.test.ts';s=open(p).read();open(p,'w').write(re.sub(r'expect.*', '', s))"`,
    `node -e "const fs=require('fs');const p='src/a.test.ts';fs.writeFileSync(p, fs.readFileSync(p,'utf8').replace(/it\\(/g, 'it.skip('))"`,
    `node -e "require('fs').writeFileSync('src/a.test.ts', 'import { add } from \\'./add\\';\\nit(\\'adds\\', () => { add(1, 2); add(2, 2); add(3, 4); });')"`,
    "patch -p1 <<'EOF'\n--- a/src/a.test.ts\n+++ b/src/a.test.ts\n@@ -5,3 +5,2 @@\n     const sum = add(1, 2);\n-    expect(sum).toBe(3);\n     console.log(sum);\nEOF",
    "git apply -R <<'EOF'\n--- a/src/a.test.ts\n+++ b/src/a.test.ts\n@@ -5,2 +5,3 @@\n     const sum = add(1, 2);\n+    expect(sum).toBe(3);\nEOF",
    "bash -c \"sed -i '/expect/d' src/a.test.ts\"",
    "gawk -i inplace '!/expect/' src/a.test.ts",
    "sed -n -i '/expect/!p' src/a.test.ts",
    "sd 'expect.*' '' src/a.test.ts",
    `ruby -pi -e 'gsub(/expect.*/, "")' src/a.test.ts`,
    "mv src/weak.test.ts src/a.test.ts",
    "cp src/weak.ts src/a.test.ts",
    "cp -f src/weak.test.ts src/../src/a.test.ts",
    "cat > src/a.test.ts <<EOF\n$WHAT\nEOF",
    'sed -i "$SCRIPT" src/a.test.ts',
    "sed -i -f weaken.sed src/a.test.ts",
    "git ls-files '*.test.ts' | while read f; do sed -i '/expect/d' $f; done",
    `python3 -c "from pathlib import Path\nfor p in Path('.').rglob('*.test.ts'): p.write_text(p.read_text().replace('expect(', '//'))"`,
  ])
    denies(command, bash(command), GUARDED);

  const kept: readonly (readonly [string, string, string])[] = [
    ["another value", "toBe(3)", "toBe(-3)"],
    [
      "two in one",
      "expect(add(2, 2)).toBe(4);\n    expect(add(3, 2)).toBe(5);",
      "expect([add(2, 2), add(3, 2)]).toEqual([4, 5]);",
    ],
    ["one more", "console.log(sum);", "expect(sum).toBeGreaterThan(0);"],
    ["no noise", "console.log(sum);\n", ""],
    ["another name", 'it("adds",', 'it("adds two numbers",'],
    ["a table", 'it("adds",', 'it.each([1])("adds",'],
    ["a helper", "expect(sum).toBe(3);", "expectSum(sum, 3);"],
    ["wrapped", "expect(sum).toBe(3);", "expect(\n      sum,\n    ).toBe(3);"],
    ["indented", "    expect(sum).toBe(3);", "      expect(sum).toBe(3);"],
    ["a comment", "const sum", "// don't expect(this) to it.skip(anything)\n    const sum"],
    ["a text", "console.log(sum);", `render("Don't it.skip( or describe.only(");`],
    ["data", "console.log(sum);", `list({ skip: 10, todo: "buy milk", only: ids });`],
    ["a loop", "console.log(sum);", "if (sum > 3) return;"],
  ];
  for (const [title, old, fresh] of kept) {
    passes(`Edit: ${title}`, edit(TEST, old, fresh), GUARDED);
    passes(`Write: ${title}`, write(TEST, changed(old, fresh)), GUARDED);
  }
  for (const command of [
    "sed -i 's/toBe(3)/toBe(4)/' src/a.test.ts",
    'rm "$TMP"; npx vitest run src/a.test.ts',
    'echo "$X" > out.txt; npx vitest run src/a.test.ts',
    "sed -i '/console.log/d' src/a.test.ts",
    "sed -i '7d' src/a.test.ts",
    "sed -i '/^$/d' src/a.test.ts",
    "sed -i '/^\\s*$/d' src/a.test.ts",
    "sed -i 's/add/sum/g' src/*.test.ts",
    "sed -i '/expect/d' src/a.ts",
    "sed '/expect/d' src/a.test.ts",
    "grep -v expect src/a.test.ts > /tmp/x",
    "perl -pi -e 's/add/sum/g' src/a.test.ts",
    "npx prettier --write src/a.test.ts",
    "node gen.js > src/a.test.ts",
    "git checkout src/a.test.ts",
    "grep -rn 'it.skip' src/a.test.ts",
    "cat > src/new.test.ts <<'EOF'\nit.todo('x');\nEOF",
    `git commit -m "test: it.skip is gone from src/a.test.ts"`,
  ])
    passes(command, bash(command), GUARDED);
});

it("MD-72 the message says how much is removed and what to do instead", () => {
  const [objection] = verdictOf(noAssertionRemoval, edit(TEST, "expect(sum).toBe(3);", ""), GUARDED).objections;
  expect(objection?.what.en).toContain("assertions 3 → 2, cases 2 → 2");
  expect(objection?.fix.en).toContain("Fix the code");
  const marked = verdictOf(noAssertionRemoval, edit(TEST, 'it("adds"', 'it.skip("adds"'), GUARDED).objections[0];
  expect(marked?.what.en).toContain("1 marker(s) added (it.skip)");
});
