/** A short line: whether the hooks are active, when each agent was last seen, the verdicts, and any problem. */
import { modesInForce } from "../state/session/modes.ts";
import type { Heartbeat, Session } from "../state/session/session.ts";
import { modeProgress, shortModes } from "./modes.ts";
import { shortAge } from "./time.ts";

export interface StatuslineInput {
  readonly now: number;
  /** False: this project has opted out. */
  readonly enabled: boolean;
  /** Settings files that contain our hooks. */
  readonly registered: number;
  /** Keys that disable hooks. */
  readonly disarms: readonly string[];
  /** Undefined when no hook has run in this session. */
  readonly session: Session | undefined;
  /** Undefined on the plain lane. */
  readonly gatehouse: string | undefined;
  /** Temporary permissions by a person: a pause, grants. */
  readonly inForce: readonly string[];
  /** Tool uses that the hooks did not see. */
  readonly gaps: number;
}

const ACTORS_SHOWN = 3;

export function statusline(input: StatuslineInput): string {
  if (!input.enabled) return "sekisho - off in this project";
  const troubles = troublesIn(input);
  const notices = [...input.inForce, ...(input.session ? [] : ["no hook seen in this session yet"])];
  const mark = troubles.length > 0 ? "✖" : notices.length > 0 ? "!" : "✔";
  const parts = [
    ...troubles,
    ...notices,
    ...shortModes(modesInForce(input.session?.modes, input.now).map(modeProgress)),
    ...(input.session ? [countsOf(input.session), heartbeats(input.session, input.now)] : []),
    ...(input.gatehouse === "up" ? ["gatehouse up"] : []),
  ];
  return `sekisho ${mark} ${parts.filter((part) => part !== "").join(" | ")}`;
}

function troublesIn({ registered, disarms, gatehouse, gaps }: StatuslineInput): readonly string[] {
  return [
    ...(registered === 0 ? ["NO HOOKS"] : []),
    ...(disarms.length > 0 ? [`HOOKS OFF: ${disarms.join(", ")}`] : []),
    ...(gatehouse === undefined || gatehouse === "up" ? [] : [`GATEHOUSE ${gatehouse.toUpperCase()}`]),
    ...(gaps > 0 ? [`${gaps} NOT SEEN`] : []),
  ];
}

function countsOf({ verdicts: { pass, ask, deny } }: Session): string {
  return [`${pass} passed`, ...(ask > 0 ? [`${ask} asked`] : []), `${deny} refused`].join(" ");
}

/** Most recently seen first; ended subagents are left out. */
function heartbeats({ actors }: Session, now: number): string {
  const alive = Object.values(actors)
    .filter(({ event }) => event !== "SubagentStop")
    .sort((a, b) => b.at - a.at);
  const more = alive.length - ACTORS_SHOWN;
  return [...alive.slice(0, ACTORS_SHOWN).map((beat) => heartbeat(beat, now)), ...(more > 0 ? [`+${more}`] : [])].join(
    ", ",
  );
}

function heartbeat({ type, at, event }: Heartbeat, now: number): string {
  return type === "main" ? `main ${shortAge(now - at)} ${event}` : `${type || "internal"} ${shortAge(now - at)}`;
}
