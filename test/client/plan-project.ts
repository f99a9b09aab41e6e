/** A project with a plan to make a button: agents and skills as one without the plugin has them, our command on the PATH. */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolUse } from "../../src/hosts/claude-code/trial/messages-api.ts";
import { until } from "../until.ts";
import { withOurCommand } from "./our-command.ts";
import { type Step, use } from "./scripted-model.ts";
import { openStage, type Session, type Stage } from "./stage.ts";

const PLUGIN = join(import.meta.dirname, "..", "..", "plugin");
export const FILE = ".sekisho/playbooks/button.md";
export const PLAN = `# button

What: one shared button
Why: three pages have their own
Done when:
- \`node test.js\` exits with 0

## 1 Component

- [ ] 1.1 label() of src/button.js returns "Save"
  Run: \`node test.js\`
  Expected: exit 0
`;
export const GOOD = 'module.exports = { label: () => "Save" };\n';
export const BAD = 'module.exports = { label: () => "Sav" };\n';
export const allowed = "Bash,Read,Edit,Write,Agent,Skill,ToolSearch,SendMessage";
/** The host runs a prompt in the conversation before. */
export const on = (prompt: string) => ({ allowed, prompt, flags: ["--continue"] });

export function openProject(config: string, files: Readonly<Record<string, string>> = {}): Stage {
  const test = 'process.exit(require("./src/button.js").label() === "Save" ? 0 : 1);\n';
  const stage = openStage({ "test.js": test, ...files });
  for (const folder of ["agents", "skills"])
    cpSync(join(PLUGIN, folder), join(stage.project, ".claude", folder), { recursive: true });
  stage.write(".sekisho/config.yaml", config);
  stage.write(".gitignore", ".claude/settings.local.json\n");
  stage.git("config", "user.name", "Ada");
  stage.git("config", "user.email", "ada@example.invalid");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "agents and settings");
  stage.env["PATH"] = withOurCommand(stage);
  return stage;
}

export const say = (text: string): Step => ({ text });
export const write = ({ project }: Stage, name: string, content: string, id?: string): Step =>
  use("Write", { file_path: join(project, name), content }, id);
export const read = ({ project }: Stage, name: string): Step => use("Read", { file_path: join(project, name) });
export const agent = (type: string, prompt: string, id?: string): Step =>
  use("Agent", { subagent_type: type, description: "a helper", prompt, run_in_background: false }, id);

/** The host writes a subagent's transcript a moment after its end, and a verdict counts from the next event on. */
export function onceWritten({ home }: Stage, words: string, then: ToolUse): Step {
  const folder = join(home, ".claude", "projects");
  const isWritten = (): boolean =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /subagents.*\.jsonl$/.test(name))
      .some((name) => readFileSync(join(folder, name), "utf8").includes(words));
  return async () => {
    await until(isWritten, `a subagent's transcript says ${words}`);
    return then;
  };
}

/** A critic is started with our words, whatever the worker wrote. */
export const CRITIC = "Judge the work by the plan";
export const PASSED = '1.1 PASS – node test.js: exit 0; src/button.js:1 returns "Save"\nVERDICT: PASS step 1';
export const REVIEW = [
  "input clarity: PASS – names the component and its label",
  "output verifiability: PASS – node test.js must exit with 0",
  "logical chain: PASS – one step, nothing before it",
  "completeness: PASS – the done-when is tested by 1.1",
  "scope clarity: PASS – one file below src/",
  "risk mitigation: PASS – a new file, nothing is replaced",
  "weakest point: only one label is tested",
  "VERDICT: PASS plan button",
].join("\n");

export const bodies = ({ requests }: Session): string => requests.map(({ body }) => body).join("\n");

interface StatusView {
  readonly steps: readonly { readonly is: string; readonly attempts: number; readonly said: string | null }[];
  readonly review: { readonly verdict: string } | null;
}

export function status(stage: Stage): StatusView {
  const [view] = JSON.parse(stage.sekisho("playbook", "status", "button", "--json").stdout) as readonly StatusView[];
  if (!view) throw new Error("There is no plan called button.");
  return view;
}
