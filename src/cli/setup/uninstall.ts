import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { keepAction } from "../../app/actions/action.ts";
import { host, registration, setup } from "../../app/host.ts";
import { type KeyHere, keyHere, type Person } from "../../app/person.ts";
import { settingsFiles } from "../../app/queries/host-settings.ts";
import { dropIfEmpty } from "../../app/setup/empty-directory.ts";
import { showToGit } from "../../app/setup/git-sight.ts";
import { dropNote, notesLeft, readNote } from "../../app/setup/registration-note.ts";
import { scopeOf, sessionDirectory, settingsPath } from "../../app/setup/scope.ts";
import { probeGatehouse } from "../../daemon/probe.ts";
import { stopGatehouse } from "../../daemon/start.ts";
import type { Places } from "../../kernel/facts.ts";
import { openKeeper } from "../../store/journal/disk.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { placesOf } from "../../world/machine/places.ts";
import { defineCommand } from "../command.ts";
import { CommandError, isTold, paint, say, sayWords } from "../print.ts";
import { confirmPurge, purge } from "./purge.ts";

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
  // Depends on neither settings nor journal, so that a broken one cannot prevent an uninstall.
  door: () => ({ verb: "uninstall", need: "authority" }),
  async run({ scope, purge: wantsPurge, yes, force }, _, person) {
    const project = sessionDirectory();
    const places = placesOf(host.layout, process.env, process.cwd(), []);
    const paths = scope === undefined ? places.hostSettings : [settingsPath(scopeOf(scope), project)];
    const plans = paths.map((path) => planFor(path, force === true));
    const problems = plans.flatMap(({ problem }) => problem ?? []);
    if (problems.length > 0 && !force) throw new CommandError(`${problems.join("\n")}\nNothing was changed.`);
    if (wantsPurge && !(await confirmPurge(places, yes === true))) {
      say("Nothing was changed.");
      return 1;
    }
    const ours = plans.filter(({ isOurs }) => isOurs).map(({ path }) => path);
    // The hooks name the key, so it is looked up before they are taken out.
    const leaving = { person, key: keyHere(places.hostSettings) };
    const left = [...problems, ...plans.flatMap((plan) => (plan.isOurs ? takeOut(plan) : []))];
    if (ours.length === 0 && left.length === 0) say("No hooks of Sekisho are registered here.");
    if (ours.length > 0) await afterwards(places.journal, ours, leaving);
    for (const { name } of setup.settings.activePlugins(settingsFiles(places.hostSettings))) {
      say(`${paint.yellow("!")} it is still on as a plugin: claude plugin uninstall ${name}`);
    }
    if (wantsPurge && (force || left.length === 0)) await purge(places);
    tellWhatStays(places);
    for (const problem of left) process.stderr.write(`${paint.red("sekisho:")} ${problem}\n`);
    return left.length > 0 ? 1 : 0;
  },
});

function tellWhatStays({ settingsFiles }: Pick<Places, "settingsFiles">): void {
  const kept = settingsFiles.filter((path) => existsSync(path));
  if (kept.length > 0) sayWords(paint.dim(`  your settings are yours and stay: ${kept.join(", ")}`), "  ");
}

interface Leaving {
  readonly person: Person;
  readonly key: KeyHere;
}

async function afterwards(journal: string, ours: readonly string[], leaving: Leaving): Promise<void> {
  recordLeaving(journal, ours, leaving);
  await leaveGatehouse();
}

/**
 * Records the uninstall, so that tool uses without hooks are not reported as gaps later. A journal that cannot be
 * written does not stop it.
 */
function recordLeaving(directory: string, ours: readonly string[], { person, key }: Leaving): void {
  try {
    const action = { action: "uninstall", detail: ours.join(", ") };
    keepAction(openKeeper({ directory, key }), action, Date.now(), person);
  } catch (error) {
    if (!isTold(error)) throw error;
    say(`${paint.yellow("!")} this could not be recorded: ${error.message}`);
  }
}

/** The daemon serves all projects of the user, so it is stopped only when the last registration is gone. */
async function leaveGatehouse(): Promise<void> {
  const { state } = await probeGatehouse(process.env);
  if (state !== "up" && state !== "other-version") return;
  const others = notesLeft();
  if (others > 0) {
    sayWords(
      paint.dim(`  the gatehouse stays: ${others} other settings file(s) have hooks; \`sekisho down\` stops it`),
    );
    return;
  }
  await stopGatehouse(process.env);
  say(`${paint.green("✔")} the gatehouse is down: nothing calls there any more`);
}

interface Plan {
  readonly path: string;
  readonly isOurs: boolean;
  readonly before: string | undefined;
  /** Undefined when nothing would be left, so the file is removed. */
  readonly after: string | undefined;
  /** Why the file is left unchanged although it may contain our hooks. */
  readonly problem?: string;
}

function planFor(path: string, force: boolean): Plan {
  const untouched = { path, isOurs: false, before: undefined, after: undefined };
  try {
    const before = rewritableText(path);
    if (before === undefined) return untouched;
    const note = readNote(path);
    const result = registration.withoutOurs(before, note, "any");
    if ("problem" in result)
      return mentionsUs(before) ? { ...untouched, problem: byHand(path, before, result.problem) } : untouched;
    if (result.text === before) return untouched;
    const sound = force ? result : registration.withoutOurs(before, note);
    if ("problem" in sound) {
      return {
        ...untouched,
        problem: `${path} was left as it is: ${sound.problem}. \`--force\` takes ours out all the same.`,
      };
    }
    return { path, isOurs: true, before, after: sound.text };
  } catch (error) {
    if (isTold(error)) return { ...untouched, problem: error.message };
    throw error;
  }
}

/** A problem with one file does not keep our hooks in the others. */
function takeOut({ path, before, after }: Plan): readonly string[] {
  try {
    replaceHostFile(path, before, after);
  } catch (error) {
    if (isTold(error)) return [error.message];
    throw error;
  }
  if (after === undefined) dropIfEmpty(dirname(path));
  dropNote(path);
  showToGit(path);
  const file = after === undefined ? ", and the file, which held nothing else" : "";
  sayWords(`${paint.green("✔")} hooks removed from ${path}${file}`, "  ");
  return [];
}

function mentionsUs(text: string): boolean {
  return linesOfOurs(text).length > 0;
}

function linesOfOurs(text: string): readonly number[] {
  return text
    .split("\n")
    .flatMap((line, at) => (/sekisho(?:\.cjs)?"|\/the-sekisho-gatehouse-/.test(line) ? [at + 1] : []));
}

/** A file that does not parse is never written; only the lines of our hooks can be shown. */
function byHand(path: string, text: string, problem: string): string {
  const lines = linesOfOurs(text);
  return (
    `${path} was left as it is: ${problem}.\n` +
    `Hooks of ours seem to stand in line ${lines.slice(0, LINES_MAX).join(", ")}${lines.length > LINES_MAX ? " …" : ""}. ` +
    "Repair the file and run this again, or take them out by hand: under `hooks`, delete each entry\n" +
    'whose args name `sekisho` or a path ending in `sekisho.cjs` followed by "hook", or whose url names the sekisho gatehouse.'
  );
}

const LINES_MAX = 20;
