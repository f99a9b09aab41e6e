import { describe, expect, it } from "vitest";
import type { Tool } from "./event.ts";
import { changes, operationOf } from "./operation.ts";

const place = { cwd: "/home/dev/src/project", home: "/home/dev" };
const bash = (command: string) => operationOf({ kind: "bash", name: "Bash", command, background: false }, place);
const tool = (given: Tool) => operationOf(given, place);
const RISKS = ["low", "medium", "high", "critical"];

describe("TR-51: tools and their domains", () => {
  it("files by where they lie, and directories above the project say nothing", () => {
    const write = (path: string) => tool({ kind: "write", name: "Write", path, content: "" }).domain;
    expect(write("a.ts")).toBe("file_write");
    expect(write("src/a.ts")).toBe("file_write_src");
    expect(write("/home/dev/src/project/lib/../docs/a.md")).toBe("docs_write");
    expect(tool({ kind: "notebook", name: "NotebookEdit", path: "src/a.ipynb", source: "" }).domain).toBe(
      "file_write_src",
    );
  });

  it("control, external and unknown tools", () => {
    expect(tool({ kind: "control", name: "TodoWrite" })).toMatchObject({ class: "control", domain: "control" });
    expect(tool({ kind: "web", name: "WebFetch" })).toMatchObject({ class: "external", domain: "external" });
    expect(tool({ kind: "mcp", name: "mcp__x__y", words: [] })).toMatchObject({
      class: "external",
      domain: "external",
    });
    expect(tool({ kind: "unknown", name: "New", words: [] })).toMatchObject({ class: "unknown", domain: "_global" });
  });
});

describe("TR-52: commands and their domains", () => {
  it.each([
    ["ls -l", "file_read"],
    ["grep x a | head", "file_read"],
    ["pytest -q", "test_run"],
    ["npm test", "test_run"],
    ["go test ./...", "test_run"],
    ["git status", "git_read"],
    ["git commit -m x", "git_local"],
    ["git push", "git_remote"],
    ["make", "shell_exec"],
  ])("%s is %s", (command, domain) => {
    expect(bash(command).domain).toBe(domain);
  });
});

describe("TR-59: risk follows the effect", () => {
  it.each([
    ["cat a > src/x.c", "file_write_src"],
    ["echo x >> docs/a.md", "docs_write"],
    ["sed -i s/a/b/ src/x.c", "file_write_src"],
  ])("%s is a write", (command, domain) => {
    expect(bash(command)).toMatchObject({ domain });
    expect(bash(command).risk).not.toBe("low");
    expect(changes(bash(command))).toBe(true);
  });

  it.each([
    [
      "rm a",
      ["sudo rm a", "/bin/rm a", "VAR=1 rm a", 'bash -c "rm a"', "find a -delete", "echo $(rm a)", "echo a | xargs rm"],
    ],
    ["git push", ["git -C . push", "env git push", "git -c a.b=c push"]],
    ["curl https://x.example", ["nohup curl https://x.example", "sh -c 'curl https://x.example'"]],
  ])("%s: no spelling is milder", (plain, disguised) => {
    for (const command of disguised) {
      expect(RISKS.indexOf(bash(command).risk), command).toBeGreaterThanOrEqual(RISKS.indexOf(bash(plain).risk));
    }
  });

  it("a runner that is only mentioned is no test run, and what cannot be read is not low", () => {
    expect(bash("make # pytest").domain).toBe("shell_exec");
    expect(bash("echo 'unterminated").risk).toBe("medium");
    expect(bash("$X").risk).toBe("medium");
    expect(changes(bash("ls 2>/dev/null | wc -l"))).toBe(false);
  });

  it("TR-54: an assignment of a secret is critical, wherever it stands", () => {
    for (const command of ["API_KEY=x", "export MY_TOKEN=x", "DB_PASSWORD=x make", "env DB_PASSWORD=x make"]) {
      expect(bash(command).risk, command).toBe("critical");
    }
    expect(bash("A=1").risk).toBe("low");
    expect(bash("curl http://localhost:3000/health").risk).toBe("medium");
  });

  it("complexity follows risk", () => {
    expect(["ls", "make", "rm a", "curl https://x.example"].map((command) => bash(command).complexity)).toEqual([
      0.2, 0.5, 0.7, 1,
    ]);
  });
});

describe("effects", () => {
  it.each([
    ["echo x > a", "write a"],
    ["tee a", "write a"],
    ["cp a b", "write b"],
    ["mv a b", "delete a"],
    ["install -m 644 a b", "write b"],
    ["dd if=a of=b", "write b"],
    ["truncate -s 0 a", "write a"],
    ["perl -pi -e s/a/b/ a", "write a"],
    ["rm -r -- a", "delete a"],
    ["chmod 600 a", "meta a"],
    ["git checkout -- a", "write a"],
    ["git rm a", "delete a"],
    ["cd sub && touch ../a", "write a"],
    ["curl -o a https://x", "write a"],
    ["{ echo x; } > a", "write a"],
    ["cat a", "read a"],
  ])("%s", (command, expected) => {
    const found = bash(command).effects.map(({ kind, path }) => `${kind} ${path.replace(`${place.cwd}/`, "")}`);
    expect(found).toContain(expected);
  });

  it("says what is not known of a path", () => {
    expect(bash("rm -rf /tmp/$X").effects[0]).toMatchObject({ path: "/tmp", literal: false, recursive: true });
    expect(bash("cd $X; rm a").effects[0]).toMatchObject({ path: "a", literal: false });
    expect(bash("echo > /dev/null").effects).toEqual([]);
  });
});
