/** The commands of a plan that `sekisho playbook check` would run, as a script of that call: they are judged with it. */

import { planCheckOf } from "../../evidence/checks/plan-check.ts";
import type { Script } from "../../kernel/facts.ts";
import { type Operation, operationOf } from "../../reading/operation/operation.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";
import { trueName } from "../machine/places.ts";
import { pathOf, playbookAt, playbookNames } from "./playbooks.ts";

interface Place {
  readonly root: string;
  readonly home: string;
  /** The plan at work. */
  readonly active: string | undefined;
}

export function planScripts({ shell }: Operation, place: Place): readonly Script[] {
  return (shell?.invocations ?? []).flatMap((invocation) => scriptOf(invocation, place) ?? []);
}

function scriptOf(invocation: Invocation, { root, home, active }: Place): Script | undefined {
  const words = [invocation.word, ...invocation.args].map(({ text }) => text);
  const at = words.findIndex((word, index) => word === "playbook" && words[index + 1] === "check");
  if (at < 1 || !words.slice(0, at).some((word) => word.includes("sekisho"))) return undefined;
  const wanted = planCheckOf(words.slice(at + 2));
  const [only, ...more] = playbookNames(root);
  const path =
    wanted?.name === undefined
      ? (active ?? (more.length === 0 && only ? pathOf(only) : undefined))
      : named(root, wanted.name);
  const playbook = path === undefined ? undefined : playbookAt(root, path);
  // Whatever cannot be read is left to the command, which refuses it too.
  if (path === undefined || !playbook) return undefined;
  const steps = playbook.steps.filter(({ id }) => wanted?.step === undefined || wanted.step === id);
  const text = steps
    .flatMap(({ subtasks }) => subtasks.flatMap(({ proofs }) => proofs.map(({ run }) => run)))
    .join("\n");
  const operation = operationOf({ kind: "bash", name: "Bash", command: text, background: false }, { cwd: root, home });
  const paths = operation.effects.map((effect) => effect.path).filter((one) => one.startsWith("/"));
  const targets = Object.fromEntries(paths.map((one) => [one, trueName(one)]));
  return { path: `${root}/${path}`, spelled: path, origin: "session", by: invocation, operation, text, targets };
}

function named(root: string, name: string): string {
  return playbookNames(root).includes(name) ? pathOf(name) : name;
}
