import { Problem } from "../../app/problem.ts";
import { purgeJournal, purgeSettings, remainsHere } from "../../app/setup/purge.ts";
import {
  planUninstall,
  removeHooks,
  settingsLeft,
  type Uninstalled,
  type Uninstalling,
} from "../../app/setup/uninstall.ts";
import { defineCommand } from "../command.ts";
import { paint, say, sayCaution, sayDone, sayWords } from "../print.ts";
import { isAttended, isConfirmed } from "../tty.ts";

type Places = Uninstalling["places"];

export const uninstall = defineCommand({
  name: "uninstall",
  summary: "Takes Sekisho's hooks out of Claude Code's settings. The journal stays, unless it is purged.",
  options: {
    scope: {
      type: "string",
      hint: "local|project|user",
      about: "only this settings file (default: wherever they are)",
    },
    purge: { type: "boolean", about: "remove this project's journal and .sekisho/config.local.yaml too" },
    yes: { type: "boolean", about: "ask nothing" },
    force: { type: "boolean", about: "take out what can be taken out, whatever else is broken" },
  },
  examples: ["sekisho uninstall", "sekisho uninstall --purge", "sekisho uninstall --force"],
  door: () => ({ verb: "uninstall", need: "authority" }),
  async run({ scope, purge: wantsPurge = false, yes = false, force = false }, _, person) {
    const uninstalling = planUninstall(scope, { force });
    const { places } = uninstalling;
    if (wantsPurge && !(await isPurgeConfirmed(places, yes))) {
      say("Nothing was changed.");
      return 1;
    }
    const uninstalled = await removeHooks(uninstalling, person);
    const { problems } = uninstalled;
    print(uninstalled);
    if (wantsPurge && (force || problems.length === 0)) await purge(places);
    const kept = settingsLeft(places);
    if (kept.length > 0) sayWords(paint.dim(`  your settings are yours and stay: ${kept.join(", ")}`), "  ");
    for (const problem of problems) process.stderr.write(`${paint.red("sekisho:")} ${problem}\n`);
    return problems.length > 0 ? 1 : 0;
  },
});

async function isPurgeConfirmed(places: Places, yes: boolean): Promise<boolean> {
  // Also with --yes: data that cannot be looked at stops an uninstall before it begins.
  const remains = remainsHere(places);
  if (!remains || yes) return true;
  const { path, words } = remains;
  if (!isAttended()) {
    throw new Problem(
      `--purge would remove ${path} (${words}), and there is nobody to ask: this is not a terminal.\nSay so: sekisho uninstall --purge --yes`,
    );
  }
  return isConfirmed(`Remove ${path}, ${words}? Nothing brings it back.`);
}

function print({ removed, problems, unrecorded, gatehouse, plugins }: Uninstalled): void {
  for (const { path, isFileGone } of removed)
    sayDone(`hooks removed from ${path}${isFileGone ? ", and the file, which held nothing else" : ""}`);
  if (removed.length === 0 && problems.length === 0) say("No hooks of Sekisho are registered here.");
  if (unrecorded !== undefined) sayCaution(`this could not be recorded: ${unrecorded}`);
  if (gatehouse?.is === "stays") {
    const { others } = gatehouse;
    sayWords(
      paint.dim(`  the gatehouse stays: ${others} other settings file(s) have hooks; \`sekisho down\` stops it`),
    );
  }
  if (gatehouse?.is === "stopped") sayDone("the gatehouse is down: nothing calls there any more");
  for (const name of plugins) sayCaution(`it is still on as a plugin: claude plugin uninstall ${name}`);
}

/** Reports the journal before the settings are tried, because they may fail. */
async function purge(places: Places): Promise<void> {
  const journal = await purgeJournal(places);
  if (journal) sayDone(`removed ${journal.path}, ${journal.words}`);
  else say("There is no journal to remove.");
  const settings = purgeSettings(places);
  if (settings !== undefined) sayDone(`removed ${settings}`);
}
