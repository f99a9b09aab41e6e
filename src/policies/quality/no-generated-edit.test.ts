import { expect, it } from "vitest";
import { defaultSettings } from "../../state/settings/settings.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { bash, edit, exampleMode, guardingTests, PLACE, write } from "../example.ts";
import { noGeneratedEdit } from "./no-generated-edit.ts";

const GUARDED = guardingTests("deny");
const DRIVEN = { settings: defaultSettings, session: { ...ordinaryFacts.session, modes: { qa: exampleMode } } };

describePolicy(noGeneratedEdit, ({ denies, asks, passes }) => {
  for (const name of ["a.d.ts", "a.min.js", "a.min.css", "a.bundle.js", "a.js.map"]) {
    denies(`TS-36 G1 in qa mode: ${name}`, write(`${PLACE}/public/${name}`, "x"), DRIVEN);
    denies(`TS-36 G1 in qa mode: an edit of ${name}`, edit(`${PLACE}/public/${name}`), DRIVEN);
    passes(`TS-36 G1 without a mode: ${name}`, write(`${PLACE}/public/${name}`, "x"));
  }
  passes("TS-36 G1 ordinary code", edit(`${PLACE}/src/a.ts`), DRIVEN);
  passes("TS-36 G1 a new test file", write(`${PLACE}/src/a.test.ts`, "x"), DRIVEN);
  asks("MD-70 by setting", edit(`${PLACE}/a.d.ts`), guardingTests("ask"));

  for (const command of [
    "echo 'x' > types/a.d.ts",
    "echo 'x' >> types/a.d.ts",
    "sed -i s/a/b/ public/a.min.js",
    "perl -pi -e s/a/b/ public/a.min.js",
    "cat > types/a.d.ts <<'EOF'\nx\nEOF",
    "echo x | tee public/a.bundle.js",
    "cat public/a.min.js | sed s/a/b/ | tee public/a.min.js",
    "cp /tmp/x public/a.min.js",
    "sed -i s/a/b/ public/*.min.js",
    `python3 -c "open('types/a.d.ts','w').write('x')"`,
    `node -e "require('fs').writeFileSync('public/a.min.js', 'x')"`,
  ])
    denies(command, bash(command), GUARDED);

  for (const command of [
    "npx tsc",
    "npx terser src/a.js -o public/a.min.js",
    "npx terser src/a.js > public/a.min.js",
    "cat src/*.js | npx terser > public/a.bundle.js",
    "npx terser src/a.js | tee public/a.min.js",
    "cp dist/a.min.js public/a.min.js",
    "cp -r dist/types/a.d.ts types/a.d.ts",
    "rm -f public/a.min.js public/a.js.map",
    "git checkout -- types/a.d.ts",
    "git restore types/a.d.ts",
    "cat types/a.d.ts",
    "echo x > /tmp/a.d.ts",
    `python3 -c "print(open('types/a.d.ts').read())"`,
  ])
    passes(command, bash(command), GUARDED);
});

it("MD-70 the message names the command that generates the file", () => {
  const [objection] = verdictOf(noGeneratedEdit, edit(`${PLACE}/a.d.ts`), GUARDED).objections;
  expect(objection?.what.en).toContain("a.d.ts");
  expect(objection?.fix.en).toContain("npm run build");
});
