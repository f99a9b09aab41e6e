/** The repository rules in the real host: merges, protected files, protected branches, linting. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, use } from "./scripted-model.ts";
import { openStage } from "./stage.ts";

const ME = "-c user.name=dev -c user.email=dev@example.com";

describe("a merge", () => {
  it("MD-74 TS-37 over staged changes is refused with their names; --abort passes, and so does a merge after the commit", async () => {
    // A merge also needs trust, which other tests cover.
    const stage = openStage({ ".sekisho/config.yaml": "policies: { require-trust: off }\n" });
    stage.git("switch", "--quiet", "--create", "topic");
    stage.write("topic.txt", "topic\n");
    stage.git("add", "topic.txt");
    stage.git("commit", "--quiet", "--message", "topic");
    stage.git("switch", "--quiet", "main");
    stage.write("hello.txt", "staged\n");
    stage.git("add", "hello.txt");
    const session = await stage.session([
      bash("git merge topic", "merge"),
      bash("git merge --abort; echo gave-up", "abort"),
      bash(`git ${ME} commit --quiet --message staged`, "commit"),
      bash(`git ${ME} merge --no-edit topic`, "again"),
    ]);
    expect(session.told("merge")).toContain("git merge while 1 file(s) are staged: hello.txt.");
    expect(session.told("merge")).toContain("[no-merge-over-staged]");
    expect(session.told("abort")).toContain("gave-up");
    expect(stage.call("again")).toMatchObject({ verdict: "pass", outcome: "success" });
    expect(stage.read("topic.txt")).toBe("topic\n");
  });
});

describe("a protected file", () => {
  it("PB-42 is refused to Edit and to every other tool with the same effect", async () => {
    const stage = openStage({ ".sekisho/protected": "HARD_BLOCK:CLAUDE.md\n", "CLAUDE.md": "the word\n" });
    const file = join(stage.project, "CLAUDE.md");
    const session = await stage.session([
      use("Read", { file_path: file }, "read"),
      use("Edit", { file_path: file, old_string: "word", new_string: "thing" }, "edit"),
      bash("sed -i s/word/thing/ CLAUDE.md", "sed"),
      bash(`python3 -c "open('CLAUDE.md','w').write('thing')"`, "python"),
      bash("cat > CLAUDE.md <<'EOF'\nthing\nEOF", "heredoc"),
      bash("ln -s . here && echo thing > here/CLAUDE.md", "link"),
      bash("git checkout HEAD -- CLAUDE.md; mv CLAUDE.md away.md", "move"),
      bash("echo > .sekisho/protected", "list"),
      bash("cat CLAUDE.md", "cat"),
    ]);
    for (const call of ["edit", "sed", "python", "heredoc", "link", "move"]) {
      expect(session.told(call)).toContain("[no-protected-edit]");
      expect(stage.call(call)).toMatchObject({ verdict: "deny", outcome: "refused" });
    }
    expect(stage.call("list")).toMatchObject({ verdict: "deny" });
    expect(session.told("cat")).toContain("the word");
    expect(stage.read("CLAUDE.md")).toBe("the word\n");
  });
});

describe("a protected branch", () => {
  it("PB-41 accepts no edits where the policy is on; another branch does, and steering tools pass", async () => {
    const stage = openStage({ ".sekisho/config.yaml": "policies:\n  no-main-branch-edit: on\n" });
    const file = join(stage.project, "new.txt");
    const session = await stage.session([
      use("Write", { file_path: file, content: "new\n" }, "write"),
      bash("git status; echo new > new.txt", "shell"),
      use("ToolSearch", { query: "select:TaskCreate" }, "steer"),
      bash("git switch --create topic", "switch"),
      use("Write", { file_path: file, content: "new\n" }, "again"),
    ]);
    expect(session.told("write")).toContain("[no-main-branch-edit]");
    expect(session.told("shell")).toContain("[no-main-branch-edit]");
    expect(stage.call("steer")?.verdict).toBe("pass");
    expect(stage.call("again")).toMatchObject({ verdict: "pass", outcome: "success" });
    expect(stage.read("new.txt")).toBe("new\n");
  });
});

describe("a commit of files that no linter has checked", () => {
  it("PB-53 is made, and the model is told", async () => {
    const stage = openStage({ "ruff.toml": "" });
    const session = await stage.session([
      use("Write", { file_path: join(stage.project, "a.py"), content: "a = 1\n" }, "write"),
      bash(`git add a.py && git ${ME} commit --quiet --message a`, "commit"),
    ]);
    expect(stage.git("log", "--oneline", "-1")).toContain(" a");
    expect(JSON.stringify(session.requests)).toContain("ruff has not seen since");
  });
});
