import { describe, expect, it } from "vitest";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { noTampering } from "../access/tampering/no-tampering.ts";
import { describePolicy, ordinaryFacts, verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, protecting, read, using, write } from "../example.ts";
import { noProtectedEdit } from "./no-protected-edit.ts";

const given = protecting("HARD_BLOCK:CLAUDE.md", "BLOCK:docs/spec.md", "secret/", "/config/*.yaml", "*.pem");
const missing = { protectedFiles: given.protectedFiles.map((file) => ({ ...file, isThere: false })) };
const path = (name: string): string => `${PLACE}/${name}`;
const mcp = (name: string, ...words: readonly string[]) => using({ kind: "mcp", name, words });

describePolicy(noProtectedEdit, ({ denies, passes }) => {
  const denied: readonly (readonly [string, Parameters<typeof denies>[1]])[] = [
    ["PB-42 Edit", edit(path("CLAUDE.md"))],
    ["PB-42 Write", write(path("docs/spec.md"))],
    ["PB-42 NotebookEdit", using({ kind: "notebook", name: "NotebookEdit", path: path("secret/a.ipynb"), source: "" })],
    ["a relative path with dots", edit("src/../CLAUDE.md")],
    ["PB-42 a line without a level is BLOCK", write(path("secret/deep/er.txt"))],
    ["a name at any depth", write(path("packages/a/key.pem"))],
    ["PB-42 sed -i", bash("sed -i s/a/b/ CLAUDE.md")],
    ["PB-42 a redirection", bash("cat <<'EOF' > CLAUDE.md\nx\nEOF")],
    ["an appending one", bash("echo x >> ./CLAUDE.md")],
    ["tee", bash("echo x | sudo tee -a docs/spec.md")],
    ["PB-42 python -c", bash(`python3 -c "open('CLAUDE.md','w').write('x')"`)],
    [
      "a program on standard input",
      bash("python3 - <<'EOF'\nfrom pathlib import Path\nPath('CLAUDE.md').write_text('x')\nEOF"),
    ],
    ["node -e", bash(`node -e "require('fs').writeFileSync('docs/spec.md','x')"`)],
    ["ruby -e", bash(`ruby -e "File.write('CLAUDE.md', 1)"`)],
    ["perl -i", bash("perl -pi -e s/a/b/ CLAUDE.md")],
    ["awk that prints into a file", bash(`awk '{ print > "CLAUDE.md" }' x`)],
    ["awk in place", bash("awk -i inplace '{print}' CLAUDE.md")],
    ["a shell in a program", bash(`python3 -c "import os; os.system('sed -i s/a/b/ CLAUDE.md')"`)],
    ["a program that was told where to stand", bash(`cd docs && python3 -c "open('spec.md','a')"`)],
    ["cp over it", bash("cp other.md CLAUDE.md")],
    ["cp into its directory", bash("cp /tmp/spec.md docs/")],
    ["mv over it", bash("mv /tmp/x docs/spec.md")],
    ["mv it away", bash("mv CLAUDE.md old.md")],
    ["mv its directory away", bash("mv docs /tmp/docs")],
    ["rm", bash("rm -f CLAUDE.md")],
    ["rm by a pattern", bash("rm -f *.md")],
    ["rm of its directory", bash("rm -rf docs")],
    ["rm of the whole project", bash("rm -rf ./")],
    ["a listed pattern and a written one", bash("rm config/a*")],
    ["find -delete", bash("find . -name 'CLAUDE.md' -delete")],
    ["find -exec", bash("find . -type f -exec sed -i s/a/b/ {} +")],
    ["xargs", bash("echo CLAUDE.md | xargs sed -i s/a/b/")],
    ["truncate", bash("truncate -s 0 CLAUDE.md")],
    ["dd", bash("dd if=/dev/null of=CLAUDE.md")],
    ["chmod", bash("chmod 000 CLAUDE.md")],
    ["install", bash("install -m 644 x CLAUDE.md")],
    ["a hard link to it", bash("ln CLAUDE.md alias.md")],
    ["a link to its directory", bash("ln -s docs d && echo x > d/spec.md")],
    ["a link in its place", bash("ln -sf /tmp/x CLAUDE.md")],
    ["PB-42 git checkout of it", bash("git checkout HEAD~3 -- CLAUDE.md")],
    ["without dashes", bash("git checkout HEAD~3 CLAUDE.md")],
    ["git restore", bash("git restore --source=HEAD~3 docs/spec.md")],
    ["git restore of its directory", bash("git restore --source=HEAD~3 docs")],
    ["git rm", bash("git rm --cached CLAUDE.md")],
    ["git mv", bash("git mv CLAUDE.md x.md")],
    ["a patch on the line", bash("git apply <<'EOF'\n--- a/CLAUDE.md\n+++ b/CLAUDE.md\n@@ -1 +1 @@\n-a\n+b\nEOF")],
    ["patch with its name", bash("patch CLAUDE.md < x.diff")],
    ["ed", bash("ed -s CLAUDE.md <<< $'1d\\nw'")],
    ["vim", bash("vim -es -c '%s/a/b/' -c wq CLAUDE.md")],
    ["prettier --write", bash("npx prettier --write CLAUDE.md")],
    ["curl -o", bash("curl -o CLAUDE.md https://example.com/x")],
    ["wrapped", bash("sudo env X=1 bash -c 'echo x > CLAUDE.md'")],
    ["in a function", bash('f() { echo x > "$1"; }; f CLAUDE.md')],
    ["by a variable of the line", bash("F=CLAUDE.md; echo x > $F")],
    ["by the beginning of its name", bash('echo x > "docs/spec$EXT"')],
    ["quoted apart", bash("echo x > CLA''UDE.md")],
    ["later in the line", bash("npm test && git status; echo x > CLAUDE.md")],
    ["a foreign tool that says it writes", mcp("mcp__files__write_file", path("CLAUDE.md"), "text")],
  ];
  for (const [title, when] of denied) denies(title, when, given);

  const passed: readonly (readonly [string, Parameters<typeof passes>[1]])[] = [
    ["reading it", read(path("CLAUDE.md"))],
    ["reading it by a shell", bash("cat CLAUDE.md | grep -n x > /tmp/out")],
    ["reading it by a program", bash(`python3 -c "print(open('CLAUDE.md').read())"`)],
    ["copying it away", bash("cp CLAUDE.md /tmp/copy.md")],
    ["committing it", bash("git add CLAUDE.md && git commit -m 'edit CLAUDE.md'")],
    ["looking at its history", bash("git log -p -- CLAUDE.md; git diff HEAD~1 CLAUDE.md")],
    ["another file of that name's beginning", edit(path("CLAUDE.md.txt"))],
    ["another directory", edit(path("docs/other.md"))],
    ["a pattern elsewhere", edit(path("packages/config/a.yaml"))],
    ["a directory without any of them", bash("rm -rf build node_modules")],
    ["its directory's other files", bash("rm docs/*.txt")],
    ["text that only mentions it", bash('echo "sed -i s/a/b/ CLAUDE.md"; git commit -m "> CLAUDE.md"')],
    ["a linter that only looks", bash("npx prettier --check CLAUDE.md && npx eslint docs/spec.md")],
    ["a file that could be anything", bash('echo x > "$OUT"')],
    ["unpacking", bash("tar xf /tmp/a.tar && git apply /tmp/x.patch")],
    ["on another machine", bash("ssh host 'echo x > CLAUDE.md'")],
    ["a file of that name outside", write("/tmp/elsewhere/CLAUDE.md")],
    ["a foreign tool that reads", mcp("mcp__files__read_file", path("CLAUDE.md"))],
    ["a switch of branches", bash("git checkout main && git switch -c docs/spec")],
  ];
  for (const [title, when] of passed) passes(title, when, given);

  // Known limits (docs/limits.md): effects that are not visible in the command are missed.
  passes("limit: a name that a program puts together", bash(`python3 -c "open('CLAU'+'DE.md','w')"`), given);
  passes("limit: a script that was written earlier", bash("sh /tmp/earlier.sh && python3 tool.py"), given);
  passes("limit: what a commit or a stash brings", bash("git merge topic; git stash pop; git cherry-pick abc"), given);
  for (const command of [
    "tar xf a.tar CLAUDE.md",
    "tar -x -f a.tar -C . CLAUDE.md",
    "zip -m x CLAUDE.md",
    "git stash push CLAUDE.md",
    "git stash push -m wip -- CLAUDE.md",
  ])
    denies(command, bash(command), given);
  passes("what is only packed", bash("tar cf a.tar CLAUDE.md && zip x.zip CLAUDE.md"), given);
  passes("limit: what a wrapper writes itself", bash("script -c 'echo x' CLAUDE.md"), given);
  denies("sed's own way of writing", bash("sed -n 'w CLAUDE.md' other.md"), given);

  denies("PB-42 creating a listed file that is not there yet", write(path("CLAUDE.md")), missing);
  passes(
    "a search through everything, where nothing listed is there",
    bash("find . -type f -exec sed -i s/a/b/ {} +"),
    missing,
  );
  passes("a directory in which nothing listed is there", bash("rm -rf docs"), missing);
  denies("a link that leads to it", write(path("notes.md")), {
    ...given,
    targets: { [path("notes.md")]: path("CLAUDE.md") },
  });
  denies("a link in its place, replaced", bash("rm CLAUDE.md"), {
    ...given,
    targets: { [path("CLAUDE.md")]: path("AGENTS.md") },
  });
  denies("what a listed link leads to", write(path("AGENTS.md")), {
    protectedFiles: given.protectedFiles.map((file) => ({ ...file, paths: [...file.paths, path("AGENTS.md")] })),
  });
});

describe("state files", () => {
  it("PB-43 state lives outside the work tree, and only Sekisho's commands change it", () => {
    const { state, journal, project } = ordinaryFacts.places;
    expect(journal.startsWith(state) && !journal.startsWith(project)).toBe(true);
    for (const when of [edit(`${journal}/journal.00000001.jsonl`), bash(`echo x >> ${journal}/journal.00000001.jsonl`)])
      expect(verdictOf(noTampering, when).objections.map(({ floor }) => floor)).toEqual([true]);
    expect(verdictOf(noTampering, bash("sekisho status")).decision).toBe("pass");
  });
});

describe("levels and modes", () => {
  const rows: readonly (readonly [string, Settings["security"], string, boolean])[] = [
    ["HARD_BLOCK", "strict", "deny", false],
    ["HARD_BLOCK", "trusted", "deny", false],
    ["HARD_BLOCK", "admin", "deny", false],
    ["HARD_BLOCK", "developer", "deny", false],
    ["BLOCK", "strict", "deny", false],
    ["BLOCK", "user", "deny", false],
    ["BLOCK", "trusted", "pass", true],
    ["BLOCK", "admin", "pass", false],
    ["BLOCK", "developer", "pass", false],
    ["WARN", "strict", "pass", true],
    ["WARN", "trusted", "pass", true],
    ["WARN", "admin", "pass", true],
    ["WARN", "developer", "pass", false],
  ];
  it.each(rows)("PB-42 %s in mode %s: %s, with a note to the agent: %s", (level, security, decision, isWarned) => {
    const facts = { ...protecting(`${level}:a.md`), settings: { ...defaultSettings, security } };
    const verdict = verdictOf(noProtectedEdit, edit(path("a.md")), facts);
    expect([verdict.decision, verdict.notes.length > 0]).toEqual([decision, isWarned]);
  });

  it("PB-42 the strictest of several matching lines counts, in any order", () => {
    const loose = ["WARN:a.md", "HARD_BLOCK:a.md", "BLOCK:*.md"];
    for (const lines of [loose, [...loose].reverse()]) {
      const settings = { ...defaultSettings, security: "developer" as const };
      const verdict = verdictOf(noProtectedEdit, edit(path("a.md")), { ...protecting(...lines), settings });
      expect(verdict.objections.map(({ decision, floor }) => [decision, floor])).toEqual([["deny", true]]);
    }
  });

  it("PB-42 HARD_BLOCK holds even when the policy is switched off, BLOCK does not", () => {
    const settings = { ...defaultSettings, policies: { "no-protected-edit": "off" as const } };
    const on = (line: string) =>
      verdictOf(noProtectedEdit, edit(path("a.md")), { ...protecting(line), settings }).decision;
    expect([on("HARD_BLOCK:a.md"), on("BLOCK:a.md")]).toEqual(["deny", "pass"]);
  });

  it("an unreadable list blocks changes but not reads", () => {
    const unknown = { protectedFiles: { unknown: "no list" } };
    expect(verdictOf(noProtectedEdit, edit(path("x.md")), unknown).decision).toBe("deny");
    expect(verdictOf(noProtectedEdit, read(path("x.md")), unknown).decision).toBe("pass");
  });
});
