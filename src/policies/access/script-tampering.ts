/** An attempt on our own things by a script: what its commands reach, and what its programs name. */
import type { Places, Script } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { inline } from "../../kernel/text.ts";
import { inScript } from "../with-scripts.ts";
import { onClientText } from "./client-text.ts";
import { couldWrite, reservedVerb } from "./own-command.ts";
import { keyReader } from "./own-key.ts";
import { type Ground, type OwnPlaces, ownPlaces, placeReached } from "./own-place.ts";
import { keepKey, onPlace, onShell, refuseOwn } from "./tampering.ts";

export function onScripts(scripts: readonly Script[], machine: Places): Ruling {
  const places = ownPlaces(machine);
  for (const script of scripts) {
    const ground = { project: machine.project, home: machine.home, targets: script.targets ?? {} };
    const ruling = script.operation?.shell ? onScript(script, script.operation, ground, places, machine) : pass;
    if (ruling.what) return { ...ruling, what: inScript(ruling.what, script) };
  }
  return pass;
}

function onScript(script: Script, operation: Operation, ground: Ground, places: OwnPlaces, machine: Places): Ruling {
  const isOld = script.origin === "project";
  for (const effect of operation.effects) {
    // A script of the project's own is held to what it names, not to what it could become.
    const reached = isOld && !effect.literal ? undefined : placeReached(effect, ground, places);
    if (reached) return onPlace(reached, inline(effect.spelled, 80), []);
  }
  const commands = withoutPrograms(operation);
  if (isOld) return runsVerb(commands, places) ? onShell("", commands, places) : pass;
  const reader = keyReader(operation, machine, ground);
  if (reader !== undefined) return keepKey(inline(reader, 80));
  if (isUnread(operation) && namesUs(script.text ?? "", places)) return refuseOwn(script.spelled);
  const ruling = onShell("", commands, places);
  return ruling.decision === "pass" ? onClientText(SHELL, operation, ground.targets) : ruling;
}

/** Longer than a line, a text speaks of many things: its programs are looked at by what is plainly ours. */
function withoutPrograms(operation: Operation): Operation {
  return operation.shell ? { ...operation, shell: { ...operation.shell, programs: [] } } : operation;
}

function runsVerb({ shell }: Operation, places: OwnPlaces): boolean {
  return shell !== undefined && reservedVerb(shell, places) !== undefined;
}

function isUnread({ shell }: Operation): boolean {
  return shell !== undefined && shell.unknown.length + shell.programs.length > 0;
}

function namesUs(words: string, places: OwnPlaces): boolean {
  return couldWrite(words) && (oursPattern().test(words) || places.all.some(({ path }) => words.includes(path)));
}

const SHELL = { kind: "bash", name: "Bash", command: "", background: false } as const;

const oursPattern = (): RegExp =>
  /\.claude\b[^\n]{0,40}\bsettings(?:\.local)?\.json|\.sekisho\b|(?:state|config)\/+sekisho|disableAllHooks/;
