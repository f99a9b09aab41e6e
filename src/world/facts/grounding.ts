/** When to look at what a check stands on: at the start of a session, and before and after a check or an installation. */
import type { HookEvent } from "../../kernel/event.ts";
import { type GroundFound, isUnknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import type { Session } from "../../state/session/session.ts";
import { mayCheck, ranIn } from "./check-runs.ts";
import { endedCall } from "./checking.ts";
import {
  type GroundLooking,
  groundAfter,
  groundAtFirstCommand,
  groundAtStart,
  groundBefore,
  setupBefore,
} from "./ground.ts";
import type { Looking } from "./looking.ts";

type Grounding = Looking & GroundLooking;

/** Most tool uses need none of it; this decides without reading any file. */
export function ground(from: Grounding): GroundFound {
  const { event, state } = from;
  const session = isUnknown(state) ? undefined : own(state.sessions, event.session);
  if (event.name === "SessionStart") return groundAtStart(from, session);
  if (event.name === "PreToolUse") return event.tool.kind === "bash" ? beforeCommand(from, session) : {};
  const ended = endedCall(event);
  const open = ended === undefined ? undefined : own(session?.calls ?? {}, ended);
  if (session && open && (open.check || open.install)) return groundAfter(from, session, open, isFirst(event, session));
  return session && isFirst(event, session) ? groundAtFirstCommand(from, session) : {};
}

function beforeCommand(from: Grounding, session: Session | undefined): GroundFound {
  const { event, settings } = from;
  const command = event.name === "PreToolUse" && event.tool.kind === "bash" ? event.tool.command : "";
  const isChecked = mayCheck(command, settings, session);
  const found = isChecked ? groundBefore(from, session, ranIn(from)) : {};
  const { add } = setupBefore(from, session);
  return add ? { ...found, add: { ...found.add, ...add } } : found;
}

/** The host makes its shell files for the first command. */
function isFirst(event: HookEvent, { tools, ground: known }: Session): boolean {
  if (event.name !== "PostToolUse" || event.tool.kind !== "bash" || known === undefined) return false;
  return own(tools?.counts ?? {}, event.tool.name) === 1;
}
