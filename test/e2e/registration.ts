/** Shared by the tests of the registration. */
import * as fs from "node:fs";
import { join } from "node:path";
import type { Answer } from "./answer.ts";
import { program } from "./program.ts";
import type { Stage } from "./stage.ts";

export const LOCAL = ".claude/settings.local.json";
export const PLAIN = ["--yes", "--lane", "plain"];

/** Runs a Sekisho command with other programs on the PATH: name → script. */
export function runWith(
  { root, sekishoWith }: Stage,
  programs: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Answer {
  const bin = join(root, "bin");
  fs.mkdirSync(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs)) fs.writeFileSync(join(bin, name), script, { mode: 0o755 });
  return sekishoWith({ PATH: `${bin}:/usr/bin:/bin` }, ...args);
}

export const clientOf = (version: string): string => `#!/bin/sh\necho "${version} (Claude Code)"\n`;
export const sekishoOnPath = `#!/bin/sh\nexec ${program.node} ${program.bundle} "$@"\n`;

type Groups = Record<string, { matcher?: string; hooks: unknown[] }[]>;

/** Every hook in a settings file, in the form of our table of slots. */
export function slotsIn(text: string | undefined): readonly unknown[] {
  const { hooks = {} } = JSON.parse(text ?? "{}") as { hooks?: Groups };
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: entries }) =>
      entries.map((hook) => ({ event, ...(matcher !== undefined && { matcher }), hook })),
    ),
  );
}
