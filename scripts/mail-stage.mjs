/** A project with a daemon of its own for a storm of messages, and what its journal holds afterwards. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundled, root } from "./bench/bench.mjs";
import { losses, mailStorm } from "./mail-storm.mjs";

/** One run: what `mailStorm` returns, and `violations` as sentences. */
export async function stormIn(directory, { writers, each, kills, isRead = true }) {
  const { layout, lettersOf, openJournal, placesOf, readBlob } = await bundled(directory, "mail-sources", [
    'export { openJournal } from "./src/store/journal/archive.ts";',
    'export { placesOf } from "./src/world/machine/places.ts";',
    'export { layout } from "./src/hosts/claude-code/layout.ts";',
    'export { lettersOf } from "./src/state/letters/part.ts";',
    'export { readBlob } from "./src/store/blobs/blobs.ts";',
  ]);
  const program = { node: process.execPath, bundle: join(root, "dist", "sekisho.cjs") };
  const [project, home] = [join(directory, "mail-project"), join(directory, "mail-home")];
  for (const path of [join(project, ".git"), join(project, ".sekisho"), home]) mkdirSync(path, { recursive: true });
  writeFileSync(join(project, ".sekisho", "config.yaml"), "roles: { preset: lead }\n");
  const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };
  const sekisho = (word) => spawnSync(program.node, [program.bundle, word], { env, encoding: "utf8" });
  const { status, stderr } = sekisho("up");
  if (status !== 0) throw new Error(stderr);
  const journal = placesOf(layout, env, project, []).journal;
  const store = openJournal({ directory: journal });
  const text = ({ blob, body, subject }) => (blob ? readBlob(journal, blob) : (body ?? subject));
  const letters = (last) =>
    lettersOf(store.read(["letters"]).letters, "lead")
      .slice(-last)
      .map((one) => ({ id: one.id, text: text(one) }));
  // A reader in the middle of it: what it sees is whole and in order. It shares this process with the senders' answers, so
  // whoever measures does without.
  const seen = [];
  const reader = isRead && setInterval(() => void seen.push(...losses([], [], letters(200))), 2000);
  try {
    const run = await mailStorm({ ...program, project, env, writers, each, kills });
    return { ...run, violations: [...seen, ...losses(run.acknowledged, [...store.records()], letters(Infinity))] };
  } finally {
    clearInterval(reader);
    store.close();
    sekisho("down");
  }
}
