/** Takes our hooks out of the host's settings files. Depends on no settings, so that broken ones cannot prevent it. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { probeGatehouse } from "../../daemon/probe.ts";
import { stopGatehouse } from "../../daemon/start.ts";
import type { Places } from "../../kernel/facts.ts";
import { openKeeper } from "../../store/journal/disk.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { placesOf } from "../../world/machine/places.ts";
import { keepAction } from "../actions/action.ts";
import { host, registration, setup } from "../host.ts";
import { type KeyHere, keyHere, type Person } from "../person.ts";
import { isProblem, Problem } from "../problem.ts";
import { settingsFiles } from "../queries/host-settings.ts";
import { dropIfEmpty } from "./empty-directory.ts";
import { showToGit } from "./git-sight.ts";
import { dropNote, notesLeft, readNote } from "./registration-note.ts";
import { scopeOf, sessionDirectory, settingsPath } from "./scope.ts";

export interface Uninstalling {
  readonly places: Places;
  readonly plans: readonly Plan[];
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

/** Changes nothing yet. Without a scope: wherever our hooks are. `force` also plans around problems. */
export function planUninstall(scope: string | undefined, { force }: { readonly force: boolean }): Uninstalling {
  const places = placesOf(host.layout, process.env, process.cwd(), []);
  const paths = scope === undefined ? places.hostSettings : [settingsPath(scopeOf(scope), sessionDirectory())];
  const plans = paths.map((path) => planFor(path, force));
  const problems = problemsOf(plans);
  if (problems.length > 0 && !force) throw new Problem(`${problems.join("\n")}\nNothing was changed.`);
  return { places, plans };
}

export interface Uninstalled {
  readonly removed: readonly { readonly path: string; readonly isFileGone: boolean }[];
  /** Why some hooks of ours may still be there. */
  readonly problems: readonly string[];
  /** Why the uninstall is not in the journal. */
  readonly unrecorded?: string;
  /** `stays`: that many other settings files have hooks. */
  readonly gatehouse?: { readonly is: "stopped" } | { readonly is: "stays"; readonly others: number };
  /** Plugins that are still on. */
  readonly plugins: readonly string[];
}

export async function removeHooks({ places, plans }: Uninstalling, person: Person): Promise<Uninstalled> {
  const ours = plans.filter(({ isOurs }) => isOurs);
  // The hooks name the key, so it is looked up before they are taken out.
  const key = keyHere(places.hostSettings);
  const outcomes = ours.map((plan) => ({ plan, problem: takeOut(plan) }));
  const unrecorded = ours.length > 0 ? recordLeaving(places.journal, ours, person, key) : undefined;
  const gatehouse = ours.length > 0 ? await leaveGatehouse() : undefined;
  const plugins = setup.settings.activePlugins(settingsFiles(places.hostSettings));
  return {
    removed: outcomes.flatMap(({ plan: { path, after }, problem }) =>
      problem === undefined ? [{ path, isFileGone: after === undefined }] : [],
    ),
    problems: [...problemsOf(plans), ...outcomes.flatMap(({ problem }) => problem ?? [])],
    ...(unrecorded !== undefined && { unrecorded }),
    ...(gatehouse && { gatehouse }),
    plugins: plugins.map(({ name }) => name),
  };
}

/** The settings files of Sekisho that are left: they are the person's own. */
export function settingsLeft({ settingsFiles: files }: Places): readonly string[] {
  return files.filter((path) => existsSync(path));
}

function problemsOf(plans: readonly Plan[]): readonly string[] {
  return plans.flatMap(({ problem }) => problem ?? []);
}

/**
 * Records the uninstall, so that tool uses without hooks are not reported as gaps later. A journal that cannot be
 * written does not stop it.
 */
function recordLeaving(directory: string, ours: readonly Plan[], person: Person, key: KeyHere): string | undefined {
  try {
    const action = { action: "uninstall", detail: ours.map(({ path }) => path).join(", ") };
    keepAction(openKeeper({ directory, key }), action, Date.now(), person);
    return undefined;
  } catch (error) {
    if (isProblem(error)) return error.message;
    throw error;
  }
}

/** The daemon serves all projects of the user, so it is stopped only when the last registration is gone. */
async function leaveGatehouse(): Promise<Uninstalled["gatehouse"]> {
  const { state } = await probeGatehouse(process.env);
  if (state !== "up" && state !== "other-version") return undefined;
  const others = notesLeft();
  if (others > 0) return { is: "stays", others };
  await stopGatehouse(process.env);
  return { is: "stopped" };
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
    if (isProblem(error)) return { ...untouched, problem: error.message };
    throw error;
  }
}

/** A problem with one file is returned, so that it does not keep our hooks in the others. */
function takeOut({ path, before, after }: Plan): string | undefined {
  try {
    replaceHostFile(path, before, after);
  } catch (error) {
    if (isProblem(error)) return error.message;
    throw error;
  }
  if (after === undefined) dropIfEmpty(dirname(path));
  dropNote(path);
  showToGit(path);
  return undefined;
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
