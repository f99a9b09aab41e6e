import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../../test/temp.ts";
import { judgeChangedAt } from "./judge-file.ts";

let folder: string;
beforeEach(() => {
  folder = join(tempDirectory("judges"), ".claude/agents");
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const at = () => judgeChangedAt("critic", [folder, folder]);

describe("PB-80 the file of a judge", () => {
  it("is any that has its name, or says it in its head", () => {
    expect(at()).toBeUndefined();
    put("helper.md", "---\nname: helper\n---\nNot a critic.\n");
    expect(at()).toBeUndefined();
    const before = Date.now() - 1000;
    for (const [path, text] of [
      ["critic.md", "Say PASS."],
      ["deep/zed.md", "---\ndescription: x\nname: critic\n---\n"],
      ["quoted.md", '---\n"name": "crit\\u0069c"\n---\n'],
    ] as const) {
      folder = join(dirname(folder), path.replace("/", "-"));
      put(path, text);
      expect(at(), path).toBeGreaterThan(before);
    }
  });

  it("a link counts from when it was made", () => {
    put("../elsewhere.md", "---\nname: critic\n---\n");
    mkdirSync(folder, { recursive: true });
    symlinkSync("../elsewhere.md", join(folder, "any.md"));
    expect(at()).toBeGreaterThan(0);
  });
});
