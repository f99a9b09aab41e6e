import { describe, expect, it } from "vitest";
import { operationOf } from "../reading/operation/operation.ts";
import type { HookEvent } from "./event.ts";
import { shapeOf } from "./shape.ts";

const cwd = "/home/dev/project";

function shape(command: string, links: Readonly<Record<string, string>> = {}): string | undefined {
  const tool = { kind: "bash", name: "Bash", command, background: false } as const;
  const event = { name: "PreToolUse", session: "s", cwd, attended: true, tool, call: "c", input: {} } as HookEvent;
  return shapeOf(event, operationOf(tool, { cwd, home: "/home/dev" }), (path) => links[path] ?? path);
}

describe("the shape of a command", () => {
  it.each([
    ["chmod +x scripts/run.sh", "chmod +x <path>"],
    ["chmod +x other.sh", "chmod +x <path>"],
    ["chmod 777 other.sh", "chmod 777 <path>"],
    ["pip install -r requirements.txt", "pip install -r requirements.txt"],
    ["git merge topic", "git merge topic"],
    ["cd sub && make deploy", "cd sub && make deploy"],
    ["sudo systemctl restart nginx", "sudo systemctl restart nginx"],
    ["echo 'a b' c", 'echo "a b" c'],
  ])("%s → %s", (command, expected) => expect(shape(command)).toBe(expected));

  it("a path outside the project or below a dot directory stays in the shape", () => {
    expect(shape("chmod +x /etc/cron.daily/x")).toBe("chmod +x /etc/cron.daily/x");
    expect(shape("chmod +x .git/hooks/pre-commit")).toBe("chmod +x .git/hooks/pre-commit");
    expect(shape("chmod +x ../x")).toBe("chmod +x ../x");
  });

  it.each([
    'eval "$X"',
    "chmod +x $FILE",
    "chmod +x *.sh",
    "node -e 'x()'",
    "make > out.txt",
    "A=1 make",
    "ssh host make",
    "cat list | xargs chmod +x",
    `echo ${"x".repeat(200)}`,
    "curl -H 'Authorization: Bearer abcdefghijklmnop1234' x.example",
  ])("no shape: %s", (command) => expect(shape(command)).toBeUndefined());

  it("a line with several commands matches only itself, since the operators decide which commands run", () => {
    const lines = ["make test && make deploy", "make test || make deploy", "make test; make deploy", "! make deploy"];
    expect(lines.map((line) => shape(line))).toEqual(lines);
    expect(shape("chmod +x a.sh && chmod +x b.sh")).toBe("chmod +x a.sh && chmod +x b.sh");
  });

  it("a link that leads outside the project or below a dot directory stays in the shape", () => {
    expect(shape("chmod +x a", { [`${cwd}/a`]: "/home/dev/.bashrc" })).toBe("chmod +x a");
    expect(shape("chmod +x a", { [`${cwd}/a`]: `${cwd}/.git/hooks/pre-push` })).toBe("chmod +x a");
    expect(shape("chmod +x a", { [cwd]: "/srv/p", [`${cwd}/a`]: "/srv/p/b" })).toBe("chmod +x <path>");
  });

  it("a project below a dot directory is treated like any other", () => {
    const tool = { kind: "bash", name: "Bash", command: "chmod +x a", background: false } as const;
    const below = "/home/dev/.worktrees/p";
    const event = {
      name: "PreToolUse",
      session: "s",
      cwd: below,
      attended: true,
      tool,
      call: "c",
      input: {},
    } as HookEvent;
    expect(shapeOf(event, operationOf(tool, { cwd: below, home: "/home/dev" }), (path) => path)).toBe(
      "chmod +x <path>",
    );
  });

  it("a literal word cannot imitate a path placeholder or two words", () => {
    expect(shape("make '<path>'")).toBe("make '<path>'");
    expect(shape("make 'a b'")).not.toBe(shape("make a b"));
  });
});
