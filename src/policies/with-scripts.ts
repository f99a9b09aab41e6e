/**
 * Judges the local scripts that a command runs together with the command; their origin sets how strictly (ADR 0019).
 */
import type { Script } from "../kernel/facts.ts";
import type { Ruling } from "../kernel/policy.ts";
import { inline, type Text, text } from "../lib/text.ts";
import type { Operation } from "../reading/operation/operation.ts";

/** A script whose content was read, with its operation and the resolved paths. */
export type ReadScript = Script & Required<Pick<Script, "operation" | "targets">>;

/** The strictest of the rulings on the command and on each script. By default, scripts older than the session pass. */
export function withScripts(
  itself: Ruling,
  scripts: readonly Script[],
  judge: (script: ReadScript) => Ruling,
  old: "pass" | "floor" = "pass",
): Ruling {
  const inScripts = scripts.flatMap((script) => {
    const { operation, targets = {}, origin } = script;
    if (!operation || (origin === "project" && old === "pass")) return [];
    const read = { ...script, targets, operation: withPatch(script, operation) };
    return softened(read, judge).map((ruling) => named(ruling, script));
  });
  return [itself, ...inScripts].reduce((worst, ruling) => (weight(ruling) > weight(worst) ? ruling : worst));
}

/**
 * A script written by this session is judged like a command. For a recently changed one a denial becomes a question.
 */
function softened(script: ReadScript, judge: (script: ReadScript) => Ruling): readonly Ruling[] {
  const ruling = judge(script);
  const isPlain = ruling.floor && judge(withoutPrograms(script)).floor;
  if (script.origin === "session" || isPlain) return [ruling];
  const { floor: _, ...mild } = ruling;
  return script.origin === "recent" && ruling.decision === "deny" ? [{ ...mild, decision: "ask" }] : [];
}

/** In other languages, text that is only mentioned looks like text that runs. */
function withoutPrograms(script: ReadScript): ReadScript {
  const { operation } = script;
  const { shell } = operation;
  return shell ? { ...script, operation: { ...operation, shell: { ...shell, programs: [] } } } : script;
}

/** A patch runs nothing; it is the standard input of the command that applies it. */
function withPatch({ by, text: words = "" }: Script, operation: Operation): Operation {
  const { shell } = operation;
  const isPatch = shell && shell.invocations.length + shell.programs.length === 0;
  if (!isPatch) return operation;
  return { ...operation, shell: { ...shell, invocations: [{ ...by, stdin: { from: [], ...by.stdin, text: words } }] } };
}

function weight({ decision, floor, notes = [] }: Ruling): number {
  return { deny: 4, ask: 2, pass: notes.length > 0 ? 1 : 0 }[decision] + (floor ? 8 : 0);
}

function named(ruling: Ruling, script: Script): Ruling {
  const { what, notes } = ruling;
  return {
    ...ruling,
    ...(what && { what: inScript(what, script) }),
    ...(notes && { notes: notes.map((note) => inScript(note, script)) }),
  };
}

export function inScript(what: Text, { spelled }: Script): Text {
  const script = inline(spelled, 80);
  return text(`The script ${script} does this: ${what.en}`, `スクリプト ${script} の内容: ${what.ja}`);
}
