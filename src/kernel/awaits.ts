/**
 * Which changes carry authority, and what the host's transcript must show before they take effect. An agent can run our
 * hook itself and pose as the host; it cannot make the host write down a call or a prompt that never was.
 */
import { own } from "../lib/keyed.ts";
import { clip } from "../lib/text.ts";
import type { Change } from "../state/change.ts";
import { type Awaits, entryKey } from "../state/session/awaiting.ts";
import type { Session } from "../state/session/session.ts";
import type { HookEvent } from "./event.ts";
import { type Gathered, isUnknown } from "./facts.ts";
import { wordsMark } from "./marks.ts";
import { LONGEST_MS } from "./testimony.ts";

/** The same changes; those that loosen something wait for their witness. */
export function withWitness(event: HookEvent, changes: readonly Change[], facts: Gathered): readonly Change[] {
  const { witness, session, now } = facts;
  const waits = (change: Change): boolean => carriesAuthority(change, event.name);
  if (witness === undefined || isUnknown(witness) || !witness.isNeeded) return changes;
  if (session === undefined || isUnknown(session) || !changes.some(waits)) return changes;
  const awaits = witness.isSaid ? undefined : awaitsOf(event, session, now);
  return awaits ? changes.map((change) => (waits(change) ? { ...change, awaits } : change)) : changes;
}

/** What only tightens takes effect at once: starting a mode, a failed check, the time of a turn. */
export function carriesAuthority(change: Change, name: string): boolean {
  switch (change.record) {
    case "check":
      return (
        change.do === "end" && change.runs.some(({ outcome, covers }) => outcome === "passed" || covers !== undefined)
      );
    case "proof":
      return PROOFS.has(change.do) || (change.do === "review" && change.pass);
    case "ground":
      // The programs of checks as a package manager left them.
      return change.do === "install";
    case "stance":
      return change.looser === true;
    case "playbook":
      if (change.do === "verdict") return change.verdict !== "FAIL";
      return change.do === "approve" || change.do === "check";
    case "growth":
      // A new request begins the count anew.
      return change.do === "request" || change.do === "waive";
    case "mode":
      return change.do === "pause" || (change.do === "stop" && change.why === "cancelled");
    case "session":
      // Only a person's prompt tells a person.
      return change.do === "prompt" || (change.do === "show" && name === "UserPromptSubmit");
    default:
      return false;
  }
}

const PROOFS: ReadonlySet<string> = new Set(["skill", "read", "look", "approve", "helper"]);

/** Undefined at events at which the host's transcript has nothing to say: the start and the end of a session. */
function awaitsOf(event: HookEvent, session: Session, now: Gathered["now"]): Awaits | undefined {
  switch (event.name) {
    case "PostToolUse":
      return ofCall(event, session);
    case "PostToolUseFailure":
    case "StopFailure":
      return { prompt: BROKEN_OFF, from: "break" };
    case "UserPromptSubmit":
      return ofPrompt({ prompt: wordsMark(event.prompt), ...fromOf(event, session, now) }, session);
    case "UserPromptExpansion":
      return ofPrompt(
        { prompt: wordsMark(`/${event.command} ${event.args}`), ...fromOf(event, session, now), expanded: true },
        session,
      );
    case "SubagentStop":
      return { prompt: wordsMark(event.lastMessage), from: "agent", agent: clip(event.agent?.id ?? "", 80) };
    default:
      return undefined;
  }
}

/** One prompt in the transcript confirms one event, so that nobody can report a person's words twice. */
function ofPrompt(cause: Extract<Awaits, { readonly prompt: string }>, { awaiting = [] }: Session): Awaits {
  const same = awaiting.filter(({ awaits }) => "prompt" in awaits && entryKey(awaits) === entryKey(cause));
  const again = new Set(same.map(({ at }) => at)).size;
  return { ...cause, ...(again > 0 && { again }) };
}

export const BROKEN_OFF = "broken off";

function ofCall({ call, agent }: HookEvent<"PostToolUse">, { calls }: Session): Awaits {
  const { mark, met } = own(calls, call) ?? {};
  return {
    call,
    ...(mark !== undefined && { mark }),
    ...(met && { met }),
    ...(agent && { agent: clip(agent.id, 80) }),
  };
}

/** A prompt that arrives while a command of the session runs may have been sent by that command. */
function fromOf(
  event: HookEvent<"UserPromptSubmit" | "UserPromptExpansion">,
  { calls }: Session,
  now: Gathered["now"],
): { readonly from?: "task" | "busy" } {
  if (event.name === "UserPromptSubmit" && event.notification) return { from: "task" };
  // The end of an interrupted call is never reported, and no call in the foreground runs longer than this.
  const recent = (at: number): boolean => typeof now !== "number" || now - at < LONGEST_MS;
  const isBusy = Object.values(calls).some(
    ({ at, background, mark }) => mark !== undefined && (background || recent(at)),
  );
  return isBusy ? { from: "busy" } : {};
}
