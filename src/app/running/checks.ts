/** What the commands, the tests and the gate of a pass show. */
import { spawnSync } from "node:child_process";
import type { Check } from "../../evidence/checks/check.ts";
import { sha256Hex } from "../../store/digest.ts";
import { checkedTree } from "../../world/facts/checking.ts";
import { gitProgram, quietEnvironment } from "../../world/machine/git.ts";
import { type Commands, commandsAt, type Fault, type Ran } from "./commands.ts";
import type { Pass } from "./piece.ts";

export interface Checks extends Commands {
  /** By these lines, or by the project's own tests. */
  tests(lines: readonly string[]): Promise<Ran | Fault>;
  /** What the gate asks of evidence. */
  ofGate(): Promise<Fault | undefined>;
  hasText(text: string): boolean;
}

export function checksAt(pass: Pass): Checks {
  const { root, here, move } = pass;
  const { settings } = here.settings;
  const commands = commandsAt({ ...pass, ms: move.allowance.ms });
  const projects = (): readonly Check[] =>
    checkedTree(root, { settings, digest: sha256Hex, places: here.places }).checks;
  return {
    ...commands,
    async tests(lines) {
      const test = projects().find(({ name }) => name === "test")?.command;
      const all = lines.length > 0 ? lines : test === undefined ? [] : [test];
      let last: Ran | undefined;
      for (const line of all) {
        const ran = await commands.run(line);
        if ("cause" in ran || ran.exit !== 0) return ran;
        last = ran;
      }
      return last ?? { cause: "work", why: "no test command is known here: name it under the step's `commands`" };
    },
    async ofGate() {
      for (const check of wanted(pass, projects())) {
        const ran = await commands.run(check.command);
        if ("cause" in ran) return ran;
        if (ran.exit !== 0) return { cause: "gate", why: `${check.name} (${check.command}): ${ran.why}` };
      }
      return undefined;
    },
    hasText(text) {
      const git = gitProgram(process.env, here.places.project);
      if (git === undefined) return false;
      const args = ["grep", "--untracked", "-q", "-F", "-e", text];
      return spawnSync(git, args, { cwd: root, env: quietEnvironment(process.env) }).status === 0;
    },
  };
}

/** Of the checks that the gate names, those that the project has. */
function wanted({ move: { node }, plan }: Pass, checks: readonly Check[]): readonly Check[] {
  const items = plan.pipeline.baseDod.filter(({ type }) => type === "machine");
  const names = node.step.checks.flatMap((check) => {
    if (check.by === "evidence") return check.checks;
    return check.by === "dod" && check.items === "machine" ? items.flatMap((item) => item.checks) : [];
  });
  return checks.filter(({ name }) => names.includes(name));
}
