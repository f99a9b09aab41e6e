/** Shows which program the hooks start, and points them at another one, while sessions run. */
import type { Edited, Program, Registration } from "../../hosts/registration.ts";
import { registeredEvents } from "../../policies/index.ts";
import type { StartedProgram } from "../../state/record.ts";
import { previousProgram, ROLLBACK, UPGRADE, upgradeRecord } from "../../views/upgrades.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { keepAction } from "../actions/action.ts";
import { registration } from "../host.ts";
import { type Person, signedOnly } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, VERSION } from "../project.ts";
import { FORBIDDEN, fire, firstLine, payloadFor, withScratchState } from "./canary.ts";
import { installationOf } from "./installation.ts";
import { run } from "./run.ts";
import { findVersion, keepVersion, keptVersions, nameOf } from "./versions.ts";

interface OurFile {
  readonly path: string;
  readonly text: string;
  readonly ours: Registration;
}

interface Move {
  readonly file: OurFile;
  readonly from: StartedProgram;
  readonly to: StartedProgram;
}

/** A program and its version; null when that cannot be told. */
export interface VersionedProgram extends StartedProgram {
  readonly version: string | null;
}

export interface MovedHooks {
  readonly file: string;
  readonly from: VersionedProgram;
  readonly to: VersionedProgram;
  /** The daemon moves too. */
  readonly isFast: boolean;
}

export interface Programs {
  readonly registered: readonly (VersionedProgram & { readonly file: string })[];
  readonly this: VersionedProgram;
  readonly kept: readonly { readonly name: string; readonly bundle: string }[];
}

export function programsHere(place: Here): Programs {
  const { node, bundle } = place.program;
  return {
    registered: registeredFiles(place).flatMap(({ path, ours }) =>
      ours.programs.map((program) => ({ file: path, ...versioned(program) })),
    ),
    this: { version: VERSION, bundle, node },
    kept: keptVersions(place.places.state).map((one) => ({ name: nameOf(one), bundle: one.bundle })),
  };
}

/** `to`: `this`, a path, or the name of a kept version. `back`: what the hooks started before. */
export async function moveHooks(
  place: Here,
  target: { readonly to: string } | "back",
  person: Person,
): Promise<readonly MovedHooks[]> {
  const files = registeredFiles(place);
  if (files.length === 0) throw new Problem(nothingToMove(place));
  const moves = target === "back" ? waysBack(files, place) : waysTo(files, place, target.to);
  for (const { to } of moves) await prove(to);
  for (const move of moves) point(move, place, target === "back" ? ROLLBACK : UPGRADE, person);
  return moves.map(({ file, from, to }) => ({
    file: file.path,
    from: versioned(from),
    to: versioned(to),
    isFast: file.ours.lane === "fast",
  }));
}

function versioned({ node, bundle }: StartedProgram): VersionedProgram {
  return { version: installationOf(bundle).version ?? null, bundle, node };
}

function nothingToMove({ places }: Here): string {
  return places.hostSettings.some((path) => registration.registrationIn(rewritableText(path)))
    ? "The hooks here are shared and name no program: the `sekisho` on the PATH is the one to exchange."
    : "No hook of Sekisho is registered here. Run `sekisho init`.";
}

function registeredFiles({ places }: Here): readonly OurFile[] {
  return places.hostSettings.flatMap((path) => {
    const text = rewritableText(path);
    const ours = registration.registrationIn(text);
    return text !== undefined && ours && ours.programs.length > 0 ? [{ path, text, ours }] : [];
  });
}

function waysTo(files: readonly OurFile[], { places, program }: Here, word: string): readonly Move[] {
  const { bundle } = keepVersion(findVersion(word, program.bundle, places.state), places.state);
  return files.map((file) => ({ file, from: startedBy(file), to: { node: program.node, bundle } }));
}

function waysBack(files: readonly OurFile[], { store, key, places }: Here): readonly Move[] {
  return files.map((file) => {
    const from = startedBy(file);
    const to = previousProgram(signedOnly(store.records(), key, places.journal), file.path, from);
    if (to === undefined) {
      throw new Problem(
        `This project's journal knows no way back for ${file.path}. Name a version instead: \`sekisho upgrade\` lists them.`,
      );
    }
    return { file, from, to };
  });
}

function startedBy({ ours }: OurFile): StartedProgram {
  const { node = "", bundle = "" } = ours.programs[0] ?? {};
  return { node, bundle };
}

/** Hooks are pointed to a program only after it refused a forbidden command and allowed a harmless one. */
async function prove(target: StartedProgram): Promise<void> {
  const gate = registration.slots(["PreToolUse"], target)[0];
  if (!gate) throw new Problem("There is no gate to test.");
  const hook = { event: gate.event, hook: { ...gate.hook } };
  await withScratchState(process.env, async (env) => {
    // A project without settings, so that the program is tested and not this project's configuration.
    const project = env["XDG_STATE_HOME"] ?? "/";
    const range = { run, env: { ...env, XDG_CONFIG_HOME: project }, project };
    const forbidden = await fire(hook, payloadFor("PreToolUse", project, FORBIDDEN), range);
    const harmless = await fire(hook, payloadFor("PreToolUse", project, "echo hello"), range);
    const flaw = forbidden.answer !== "refused" ? forbidden : harmless.answer === "passed" ? undefined : harmless;
    if (flaw === undefined) return;
    const which = flaw === forbidden ? "a forbidden command" : "a harmless command";
    throw new Problem(
      `${target.bundle} does not work: ${which} was ${flaw.answer}: ${firstLine(flaw.detail)}\nNo hook was changed.`,
    );
  });
}

/** Recorded first, so that `upgrade --back` always works. The file is replaced atomically, and the host reloads it. */
function point(
  { file, from, to }: Move,
  { store }: Here,
  action: typeof UPGRADE | typeof ROLLBACK,
  person: Person,
): void {
  const result = rewritten(file, to);
  if ("problem" in result) throw new Problem(`${file.path} was left as it is: ${result.problem}.`);
  keepAction(store, upgradeRecord(action, { file: file.path, from, to }), Date.now(), person);
  replaceHostFile(file.path, file.text, result.text);
  const now = registration.registrationIn(rewritableText(file.path));
  if (now?.programs.length !== 1 || now.programs[0]?.bundle !== to.bundle) {
    throw new Problem(`${file.path} does not hold what was written to it. Look at the file, then try again.`);
  }
}

/** This version may need other events than the previous one. For another version only the paths change. */
function rewritten({ text, ours }: OurFile, to: Program): Edited {
  const isThis = installationOf(to.bundle).version === VERSION && ours.lane === "plain";
  const keyed = { ...to, key: ours.key };
  return isThis ? registration.withOurs(text, registeredEvents, keyed) : registration.pointedTo(text, to);
}
