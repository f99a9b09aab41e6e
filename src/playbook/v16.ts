/** Playbooks of version 16 keep their head in YAML blocks below level-2 headings. Their steps are read like any other. */
import { answersIn, list, pick, record, words } from "./documents.ts";
import { outlineOf } from "./outline.ts";
import type { Playbook } from "./playbook.ts";
import { readPlaybook } from "./read.ts";

/** `parse` reads YAML; a block that it cannot read is left out. */
export function readV16(markdown: string, parse: (yaml: string) => unknown): Playbook {
  const playbook = readPlaybook(markdown);
  const blocks = blocksIn(markdown, parse);
  const { project, branch } = record(blocks.get("meta"));
  const { summary, done_when: done } = record(blocks.get("goal"));
  const answers = answersIn(blocks.get("context"));
  const { what, why, ...context } = answers;
  const sentences = list(done).flatMap((one) => words(one) ?? words(record(one)["criterion"]) ?? []);
  return {
    ...playbook,
    title: words(project) ?? playbook.title.replace(/\.md$/, ""),
    ...pick({ what: words(summary) ?? what ?? playbook.what, why: why ?? playbook.why, branch: words(branch) }),
    context: { ...playbook.context, ...context },
    done: sentences.length > 0 ? sentences.map((one) => ({ words: one, line: 1 })) : playbook.done,
  };
}

/** The first block below each heading. */
function blocksIn(markdown: string, parse: (yaml: string) => unknown): ReadonlyMap<string, unknown> {
  const blocks = new Map<string, unknown>();
  let heading = "";
  for (const item of outlineOf(markdown).items) {
    if (item.kind === "heading") heading = item.words.toLowerCase();
    else if (item.kind === "fence" && /^ya?ml$/.test(item.language) && !blocks.has(heading)) {
      blocks.set(heading, parsed(item.body, parse));
    }
  }
  return blocks;
}

function parsed(yaml: string, parse: (yaml: string) => unknown): unknown {
  try {
    return parse(yaml);
  } catch {
    return undefined;
  }
}
