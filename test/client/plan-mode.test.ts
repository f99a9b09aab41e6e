/** The host's plan mode in the real host, in a terminal with a person who reads the plan and chooses to go on. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, type ModelRequest, use } from "./scripted-model.ts";
import { openStage } from "./stage.ts";
import { hasTerminal, sit } from "./terminal.ts";

const PLAN = "# Greeting\n\nIt is wrong.\n\n1. edit src/a.js\n2. run it\n";

/** The host tells the model where its plan belongs. */
function planFile({ body }: ModelRequest): string {
  return /\/[^\s"\\`]*\/\.claude\/plans\/[\w-]+\.md/.exec(body)?.[0] ?? "";
}

describe("plan mode", () => {
  it.skipIf(!hasTerminal)(
    "changes are refused in it, the plan that the person chose becomes an approved playbook, and the work begins",
    async () => {
      const stage = openStage({ "src/a.js": "exports.a = 1;\n" });
      stage.write(".sekisho/config.yaml", "plan:\n  required: code\n");
      const file = join(stage.project, "src/a.js");
      const edit = (id: string) => use("Edit", { file_path: file, old_string: "a = 1", new_string: "a = 2" }, id);
      const { requests } = await sit(
        stage,
        [
          use("Read", { file_path: file }),
          bash("sed -i s/1/2/ src/a.js", "planning"),
          edit("planning-edit"),
          (request) => use("Write", { file_path: planFile(request), content: PLAN }, "plan"),
          use("ExitPlanMode", {}, "left"),
          edit("work"),
        ],
        {},
        { mode: "plan", readingMs: 2000 },
      );
      const told = new Map(requests.flatMap(({ results }) => [...results]));
      for (const way of ["planning", "planning-edit"])
        expect(told.get(way), way).toMatch(/Plan mode is on, and this would change the project/);
      expect(told.get("left")).toMatch(/approved/i);
      const [name = ""] = readdirSync(join(stage.project, ".sekisho/playbooks"));
      expect(name).toMatch(/^greeting-[0-9a-f]{6}\.md$/);
      expect(stage.read(`.sekisho/playbooks/${name}`)).toContain(PLAN.trimEnd());
      expect(told.get("work")).not.toMatch(/Sekisho/);
      expect(stage.read("src/a.js")).toBe("exports.a = 2;\n");
      expect(stage.sekisho("playbook", "status", name.replace(/\.md$/, "")).stdout).toMatch(/approved/);
    },
  );
});
