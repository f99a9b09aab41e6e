/** A pipeline carried out by real headless agents with a scripted model, in a small repository with a real fault. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { clientBinary } from "./client.ts";
import { type Lane, lane, type ScriptedModel, startModel, use } from "./scripted-model.ts";
import { clientEnvironment, openStage, type Stage } from "./stage.ts";

const PIPELINE = `
name: BUG_FIX
version: 1.0.0
description: A test that fails, then the fix.
tiers: { default: [regression_test, fix, quality_gate] }
steps:
  regression_test: { description: Write the test., model: haiku, tdd_phase: red, test: adds two numbers }
  fix: { description: Fix it., model: haiku, tdd_phase: green, retry: { max: 3 } }
  quality_gate:
    type: gate
    checks: [test]
    commands: ["grep -qx tidy style.txt"]
    retry: { max: 2, auto_fix: true, auto_fix_command: "echo tidy > style.txt" }
`;

const FILES = {
  ".sekisho/pipelines/bug-fix.yaml": PIPELINE,
  "package.json": JSON.stringify({ name: "sums", type: "module", scripts: { test: "node --test" } }),
  "add.js": "export const add = (a, b) => a - b;\n",
  "style.txt": "untidy\n",
};

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "./add.js";
test("adds two numbers", () => assert.equal(add(1, 2), 3));
`;

const FIXED = "export const add = (a, b) => a + b;\n";

interface View {
  readonly run_id: string;
  readonly status: string;
  readonly why: string | null;
  readonly cost: { readonly usd: number; readonly unknown_passes: number };
  readonly agents: number;
  readonly steps: readonly {
    readonly step: string;
    readonly status: string;
    readonly attempts: number;
    readonly model: string | null;
    readonly red: string | null;
    readonly commit: string | null;
    readonly evidence: readonly string[];
  }[];
}

/** `sekisho pipeline …` as a person runs it, with the host on the PATH and the model behind it. */
async function pipeline(stage: Stage, model: ScriptedModel, ...args: readonly string[]): Promise<View> {
  const root = dirname(stage.project);
  const bin = join(root, "bin");
  mkdirSync(bin, { recursive: true });
  try {
    symlinkSync(clientBinary(), join(bin, "claude"));
  } catch (error) {
    // A second command of the same story.
    void error;
  }
  const env = clientEnvironment(root, model.url);
  const child = spawn(process.execPath, [stage.program, "pipeline", ...args, "--json"], {
    cwd: stage.project,
    env: { ...env, PATH: `${bin}:${env["PATH"]}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (!out.startsWith("{")) throw new Error(err);
  return JSON.parse(out) as View;
}

const stepOf = ({ steps }: View, name: string) => steps.find(({ step }) => step === name);

const write = (path: string, content: string) => use("Write", { file_path: path, content });

it("TS-40 PL-8 PL-13 a bug is fixed headless: red seen, three wrong fixes, a higher model, green, an untidy file put right", async () => {
  const stage = openStage(FILES);
  const wrong: Lane = lane("step “fix”");
  const steps = [write(join(stage.project, "add.test.js"), TEST), { text: "The test is there." }];
  let tries = 0;
  const model = await startModel(
    [],
    [
      lane("step “regression_test”", ...steps),
      {
        when: ({ opening }) => wrong.when({ opening, body: "", results: new Map() }),
        steps: Array.from({ length: 5 }, () => ({ body }: { readonly body: string }) => {
          tries++;
          const isHigher = /"model":"[^"]*sonnet/.test(body);
          if (!isHigher || body.includes('"tool_result"')) return { text: "I have fixed it." };
          return use("Bash", { command: `printf '%s' '${FIXED}' > add.js`, description: "the fix" });
        }),
      },
    ],
  );
  const view = await pipeline(stage, model, "run", "bug-fix", "--task", "add(1, 2) is -1; $(touch taken)");
  await model.close();
  expect(view, JSON.stringify(view, null, 1)).toMatchObject({ status: "passed", why: "every step passed" });
  expect(stepOf(view, "regression_test")).toMatchObject({ attempts: 1, red: "adds two numbers", model: "haiku" });
  expect(stepOf(view, "fix")).toMatchObject({ attempts: 4, model: "sonnet" });
  expect(tries).toBe(5);
  expect(stepOf(view, "quality_gate")).toMatchObject({ attempts: 2, model: null });
  expect(readFileSync(join(stage.project, "style.txt"), "utf8")).toBe("tidy\n");
  expect(stage.git("show", `refs/sekisho/runs/${view.run_id}/fix/4:add.js`)).toBe(FIXED);
  expect(view.agents).toBe(5);
  expect(view.cost).toMatchObject({ unknown_passes: 0 });
  expect(view.cost.usd).toBeGreaterThan(0);
  expect(() => readFileSync(join(stage.project, "taken"))).toThrow();
});
