/** Attempts by a script on Sekisho's own files: the paths its commands reach, and the names in its programs. */
import type { Facts, Places, Script } from "../../../kernel/facts.ts";
import { pass, type Ruling } from "../../../kernel/policy.ts";
import { inline } from "../../../lib/text.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import { inScript } from "../../with-scripts.ts";
import { onHostScript } from "./host-process.ts";
import { onHostText } from "./host-text.ts";
import { couldWrite, reservedVerb } from "./own-command.ts";
import { keyReader } from "./own-key.ts";
import { type EffectContext, type OwnPlaces, ownPlaces, placeReached } from "./own-place.ts";
import { keepKey, onPlace, onShell, refuseOwn } from "./tampering.ts";
import { type Cancels, onTyping } from "./typing.ts";

export function onScripts(
  scripts: readonly Script[],
  facts: Pick<Facts, "places" | "session" | "host" | "panes">,
  cancels: Cancels,
): Ruling {
  const { places: machine, host, session } = facts;
  const places = ownPlaces(machine, host);
  for (const script of scripts) {
    const ground = { host, project: machine.project, home: machine.home, targets: script.targets ?? {} };
    const itself = script.operation?.shell ? onScript(script, script.operation, ground, places, machine) : pass;
    const aimed = itself.decision === "pass" ? onHostScript(script, { host, pid: session.client?.pid }) : itself;
    const ruling = aimed.decision === "pass" ? typedBy(script, facts, cancels) : aimed;
    if (ruling.what) return { ...ruling, what: inScript(ruling.what, script) };
  }
  return pass;
}

/** A script from before the session has been run before, and the agent has not chosen what it types. */
function typedBy({ operation, origin }: Script, facts: Pick<Facts, "host" | "panes">, cancels: Cancels): Ruling {
  return operation?.shell && origin !== "project" ? onTyping(operation.shell, facts, cancels) : pass;
}

function onScript(
  script: Script,
  operation: Operation,
  ground: EffectContext,
  places: OwnPlaces,
  machine: Places,
): Ruling {
  const isOld = script.origin === "project";
  for (const effect of operation.effects) {
    // A project script is judged only by the literal paths it names.
    const reached = isOld && !effect.literal ? undefined : placeReached(effect, ground, places);
    if (reached) return onPlace(reached, effect, []);
  }
  const commands = withoutPrograms(operation);
  if (isOld) return runsVerb(commands, places) ? onShell("", commands, places) : pass;
  const reader = keyReader(operation, machine, ground);
  if (reader !== undefined) return keepKey(inline(reader, 80));
  if (isUnread(operation) && namesUs(script.text ?? "", places)) return refuseOwn(script.spelled);
  const ruling = onShell("", commands, places);
  return ruling.decision === "pass" ? onHostText(SHELL, operation, ground) : ruling;
}

/** A long text mentions many things, so its programs are checked only for unmistakable names. */
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
  if (!couldWrite(words)) return false;
  const isNamed = oursPattern().test(words) || places.host.settingsNames.test(words);
  return isNamed || places.all.some(({ path }) => words.includes(path));
}

const SHELL = { kind: "bash", name: "Bash", command: "", background: false } as const;

const oursPattern = (): RegExp => /\.sekisho\b|(?:state|config)\/+sekisho/;
