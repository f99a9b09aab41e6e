import { describe, expect, it } from "vitest";
import type { AuditEntry } from "./audit.ts";
import { reportText, scrub } from "./report.ts";

const own = { home: "/home/hanako", project: "/home/hanako/work/secret-plan", user: "hanako", machine: "edo-castle" };

describe("a report", () => {
  it.each([
    ["rm -rf /home/hanako/work/secret-plan/build", "rm -rf <project>/build"],
    ["rm -rf /home/hanako/work/secret-plans", "rm -rf ~/work/secret-plans"],
    ["cat /home/hanako/.ssh/config", "cat ~/.ssh/config"],
    ["ls /home/taro/x /Users/jiro", "ls /home/<private>/x /Users/<private>"],
    ["ssh hanako@edo-castle.example.com", "ssh <private>@<private>.example.com"],
    ["git config user.email h.yamada@example.com", "git config user.email <address>"],
    ["API_KEY=abc123 make", "API_KEY=***** make"],
    ["curl https://u:p4ss@example.com/x", "curl https://*****@example.com/x"],
    ["rm -rf /etc/nginx", "rm -rf /etc/nginx"],
  ])("%s → %s", (words, scrubbed) => {
    expect(scrub(words, own)).toBe(scrubbed);
  });

  it("replaces nothing for an empty or trivial home, user or machine name", () => {
    expect(scrub("rm -rf / a", { home: "/", project: "/", user: "a", machine: "" })).toBe("rm -rf / a");
  });

  it("contains the verdict and its reasons, and no input line can end its code block", () => {
    const entry: AuditEntry = {
      id: "m1",
      at: 0,
      kind: "refusal",
      event: "PreToolUse",
      session: "s-of-hanako",
      tool: "Bash",
      decision: "deny",
      cwd: own.project,
      input: { command: "echo '```' > /home/hanako/work/secret-plan/x" },
      operation: { class: "exec", domain: "file_write", risk: "high" },
      objections: [{ policy: "no-x", decision: "deny", what: "It would break /home/hanako/a.", fix: "" }],
      asked: [],
      unbound: false,
    };
    const text = reportText({ version: "1.2.3", platform: "linux, Node 20", entry, own });
    for (const words of [
      "version 1.2.3, linux, Node 20",
      "PreToolUse of Bash: **deny**",
      "in <project>",
      "> <project>/x",
      "`no-x` deny: It would break ~/a.",
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toMatch(/hanako|secret-plan/);
    expect(text.split("\n").filter((line) => line.startsWith("````"))).toEqual(["````json", "````"]);
  });
});
