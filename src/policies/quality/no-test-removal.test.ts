import { expect, it } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { bash, edit, exampleMode, guardingTests, PLACE, write } from "../example.ts";
import { noTestRemoval } from "./no-test-removal.ts";

const TEST = `${PLACE}/src/a.test.ts`;
const TEXT = `it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n`;
const DIRECTORY = `${PLACE}/tests`;
const STANDING = { ...guardingTests("deny", { [TEST]: TEXT }).standingText, [DIRECTORY]: {} };
const GUARDED = { ...guardingTests("deny"), standingText: STANDING };
/** A session in qa mode with default settings. */
const DRIVEN = {
  settings: defaultSettings,
  session: { ...ordinaryFacts.session, modes: { qa: exampleMode } },
  standingText: STANDING,
};

describePolicy(noTestRemoval, ({ denies, asks, passes }) => {
  denies("TS-36 G2 in qa mode: a test emptied", write(TEST, ""), DRIVEN);
  denies("TS-36 G2 in qa mode: 49 characters", write(TEST, ` ${"x".repeat(49)}\n`), DRIVEN);
  passes("TS-36 G2 in qa mode: 50 characters", write(TEST, "x".repeat(50)), DRIVEN);
  passes("TS-36 G2 without a mode", write(TEST, ""), { standingText: STANDING });
  passes("TS-36 G2 with another mode", write(TEST, ""), {
    ...DRIVEN,
    session: boundSession({ modes: { turbo: exampleMode } }),
  });
  passes("TS-36 G2 a new test file", write(`${PLACE}/src/b.test.ts`, ""), DRIVEN);
  passes("TS-36 G2 ordinary code", write(`${PLACE}/src/a.ts`, ""), {
    ...DRIVEN,
    standingText: { [`${PLACE}/src/a.ts`]: { text: TEXT } },
  });
  asks("MD-71 by setting", write(TEST, ""), { ...GUARDED, ...{ settings: guardingTests("ask").settings } });
  denies("an edit that takes all of it", edit(TEST, TEXT, ""), GUARDED);
  passes("what was as short before", write(TEST, "\n"), guardingTests("deny", { [TEST]: "" }));
  denies("a file that nobody can read", write(TEST, "x"), { ...GUARDED, standingText: { [TEST]: {} } });

  for (const command of [
    "rm src/a.test.ts",
    "rm -f ./src/../src/a.test.ts",
    "cd src && rm a.test.ts",
    "unlink src/a.test.ts",
    "shred -u src/a.test.ts",
    "git rm -q src/a.test.ts",
    "git rm --cached src/a.test.ts",
    "mv src/a.test.ts /tmp/",
    "mv src/a.test.ts src/a.test.ts.bak",
    "mv src/a.test.ts src/a.ts",
    "git mv src/a.test.ts src/a.off.ts",
    "rm -rf tests",
    "rm -r tests/",
    "mv tests old",
    "git rm -r tests",
    "find tests -delete",
    "rm src/*.test.ts",
    "rm src/*.test.*",
    "for f in src/*.test.ts; do rm $f; done",
    "find . -name '*.test.ts' -delete",
    "find src -name '*.spec.js' -exec rm {} +",
    "git ls-files '*.test.ts' | xargs rm",
    "F=src/a.test.ts; rm $F",
    "sh -c 'rm src/a.test.ts'",
    "truncate -s 0 src/a.test.ts",
    "truncate --size=0 src/a.test.ts",
    "> src/a.test.ts",
    ": > src/a.test.ts",
    "echo > src/a.test.ts",
    "echo '// none' > src/a.test.ts",
    "cat /dev/null > src/a.test.ts",
    "cp /dev/null src/a.test.ts",
    "tee src/a.test.ts < /dev/null",
    "dd if=/dev/null of=src/a.test.ts",
    "printf '' | tee src/a.test.ts",
    "cat > src/a.test.ts <<'EOF'\n// none\nEOF",
    "echo x > /tmp/x && cp /tmp/x src/a.test.ts",
    "sed -i d src/a.test.ts",
    "sed -i '1,$d' src/a.test.ts",
    "head -0 src/a.test.ts > /tmp/x && mv /tmp/x src/a.test.ts",
    `python3 -c "import os; os.remove('src/a.test.ts')"`,
    `python3 -c "import shutil; shutil.rmtree('./tests')"`,
    `python3 - <<'EOF'\nopen('src/a.test.ts','w').write('')\nEOF`,
    `python3 -c "from pathlib import Path; Path('src/a.test.ts').unlink()"`,
    `node -e "require('fs').unlinkSync('src/a.test.ts')"`,
    `node -e "require('fs').writeFileSync('src/a.test.ts', '')"`,
    "ln -sf /dev/null src/a.test.ts",
    "git ls-files '*.test.ts' | while read f; do rm \"$f\"; done",
    `python3 -c "from pathlib import Path\nfor p in Path('.').rglob('*.test.ts'): p.unlink()"`,
    `ruby -e "File.delete('src/a.test.ts')"`,
    "git apply <<'EOF'\n--- a/src/a.test.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-it();\nEOF",
  ])
    denies(command, bash(command), GUARDED);

  for (const command of [
    "rm src/b.test.ts",
    "rm src/a.ts",
    "rm -rf tests/tmp tests/__pycache__ tests/.cache",
    "rm -rf dist node_modules",
    "git mv src/a.test.ts src/b.test.ts",
    "mv src/a.test.ts tests/",
    "mv tests test",
    "cp src/a.test.ts /tmp/keep.ts",
    "cat src/a.test.ts > /tmp/x",
    "npx vitest run src/a.test.ts > out.txt",
    "npx vitest run src/a.test.ts",
    "touch src/a.test.ts",
    "git add src/a.test.ts",
    "git checkout -- src/a.test.ts",
    "ls tests | xargs echo",
    "echo 'more' >> src/a.test.ts",
    `python3 -c "print(open('src/a.test.ts').read())"`,
    "git diff src/a.test.ts > /tmp/x.patch",
    "rm -rf /tmp/test/x.test.ts",
  ])
    passes(command, bash(command), GUARDED);
});

it("MD-71 the message says what is lost and what to do instead", () => {
  const [objection] = verdictOf(noTestRemoval, bash("rm src/a.test.ts"), GUARDED).objections;
  expect(objection?.what.en).toBe("This would take the test src/a.test.ts away (cases: 1, assertions: 2).");
  expect(objection?.fix.en).toContain("let the person decide");
});
