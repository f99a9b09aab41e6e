import { keepAction } from "../../app/actions/action.ts";
import { registration } from "../../app/host.ts";
import { type Person, signedOnly } from "../../app/person.ts";
import { type Here, here, VERSION } from "../../app/project.ts";
import { FORBIDDEN, fire, firstLine, payloadFor, withScratchState } from "../../app/setup/canary.ts";
import { installationOf } from "../../app/setup/installation.ts";
import { run } from "../../app/setup/run.ts";
import { findVersion, keepVersion, keptVersions, nameOf } from "../../app/setup/versions.ts";
import type { Edited, Program, Registration } from "../../hosts/registration.ts";
import { registeredEvents } from "../../policies/index.ts";
import type { StartedProgram } from "../../state/record.ts";
import { previousProgram, ROLLBACK, UPGRADE, upgradeRecord } from "../../views/upgrades.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { CommandError, paint, say, sayJson, sayWords, table } from "../print.ts";

export const upgrade = defineCommand({
  name: "upgrade",
  summary: "Shows which program the hooks start, moves them to another version, and back, while sessions run.",
  options: {
    to: {
      type: "string",
      hint: "this|VERSION|PATH",
      about: "keep that program as a version and point the hooks at it (people only)",
    },
    back: { type: "boolean", about: "point the hooks at what they started before (people only)" },
    ...jsonOption,
  },
  examples: ["sekisho upgrade", "sekisho upgrade --to this", "sekisho upgrade --back"],
  door: ({ to, back }) => (to === undefined && !back ? undefined : { verb: "upgrade", need: "authority" }),
  async run({ to, back, json }, _, person) {
    if (to !== undefined && back) throw new CommandError("Either --to or --back. See `sekisho upgrade --help`.");
    const place = here();
    if (to === undefined && !back) {
      show(place, json === true);
      return 0;
    }
    const files = registeredFiles(place);
    if (files.length === 0) throw new CommandError(nothingToMove(place));
    const moves = back ? waysBack(files, place) : waysTo(files, place, to ?? "this");
    for (const { to: target } of moves) await prove(target);
    for (const move of moves) point(move, place, back ? ROLLBACK : UPGRADE, person);
    if (json)
      sayJson(moves.map(({ file, from, to: { node, bundle } }) => ({ file: file.path, from, to: { node, bundle } })));
    else for (const move of moves) tell(move);
    return 0;
  },
});

function nothingToMove({ places }: Here): string {
  return places.hostSettings.some((path) => registration.registrationIn(rewritableText(path)))
    ? "The hooks here are shared and name no program: the `sekisho` on the PATH is the one to exchange."
    : "No hook of Sekisho is registered here. Run `sekisho init`.";
}

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
      throw new CommandError(
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
  if (!gate) throw new CommandError("There is no gate to test.");
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
    throw new CommandError(
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
  if ("problem" in result) throw new CommandError(`${file.path} was left as it is: ${result.problem}.`);
  keepAction(store, upgradeRecord(action, { file: file.path, from, to }), Date.now(), person);
  replaceHostFile(file.path, file.text, result.text);
  const now = registration.registrationIn(rewritableText(file.path));
  if (now?.programs.length !== 1 || now.programs[0]?.bundle !== to.bundle) {
    throw new CommandError(`${file.path} does not hold what was written to it. Look at the file, then try again.`);
  }
}

/** This version may need other events than the previous one. For another version only the paths change. */
function rewritten({ text, ours }: OurFile, to: Program): Edited {
  const isThis = installationOf(to.bundle).version === VERSION && ours.lane === "plain";
  const keyed = { ...to, key: ours.key };
  return isThis ? registration.withOurs(text, registeredEvents, keyed) : registration.pointedTo(text, to);
}

function tell({ file, from, to }: Move): void {
  const version = (bundle: string): string => installationOf(bundle).version ?? "an unknown version";
  say(`${paint.green("✔")} ${file.path}`);
  say(
    table(
      [
        ["was", version(from.bundle), from.bundle],
        ["is", version(to.bundle), to.bundle],
      ],
      "    ",
    ),
  );
  if (version(to.bundle) !== VERSION) {
    say(`    Whether that version wants other events, its own doctor tells: ${to.node} ${to.bundle} doctor`);
  }
  if (file.ours.lane === "fast") say("    The gatehouse follows at the next prompt.");
  sayWords("    Sessions that are running follow within a second. `sekisho upgrade --back` returns.", "    ");
}

function show(place: Here, json: boolean): void {
  const rows = registeredFiles(place).flatMap(({ path, ours }) =>
    ours.programs.map(({ node, bundle }) => ({
      file: path,
      version: installationOf(bundle).version ?? null,
      bundle,
      node,
    })),
  );
  const kept = keptVersions(place.places.state).map((one) => ({ name: nameOf(one), bundle: one.bundle }));
  const { node, bundle } = place.program;
  if (json) {
    sayJson({ registered: rows, this: { version: VERSION, bundle, node }, kept });
    return;
  }
  if (rows.length === 0) say("No hook of Sekisho is registered here.");
  // Paths are long, so each gets its own row.
  const blocks = [
    ...rows.map((row) => [["Hooks in", row.file], ["  version", row.version ?? "unknown"], ...partsOf(row)]),
    [["This program", VERSION], ...partsOf({ bundle, node })],
    ...kept.map(({ name, bundle: path }) => [
      ["Kept", name],
      ["  program", path],
    ]),
  ];
  say(table(blocks.flatMap((rows, at) => (at === 0 ? rows : [[""], ...rows]))));
}

function partsOf({ bundle, node }: Pick<StartedProgram, "bundle" | "node">): readonly (readonly string[])[] {
  return [
    ["  program", bundle],
    ["  node", node],
  ];
}
