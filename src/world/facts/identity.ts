/** The name under which a session works with other agents, from its surroundings when it begins. */
import { run, type Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { type IdentityFound, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { actorFrom, type RoleSettings } from "../../state/roles/names.ts";
import type { HostProcess, Session } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import { isAlive } from "../machine/caller.ts";
import type { Environment } from "../machine/places.ts";
import { askingTmux } from "../machine/tmux.ts";

interface Looking {
  readonly event: HookEvent;
  readonly env: Environment;
  readonly settings: { readonly roles: RoleSettings };
  readonly state: State | Unknown;
  readonly places: { readonly home: string };
  readonly parentOf: (session: Session | undefined) => HostProcess;
}

const AGENT = "SEKISHO_AGENT";
/** The tests of the original name the agent by it; set and empty means none. */
const OVERRIDE = "__STOP_HOOK_AGENT_ID";
const TMUX_MS = 2000;

/** Two policies ask for it at the start of a session. */
const known = new WeakMap<HookEvent, IdentityFound>();

export function* identity(from: Looking): Steps<IdentityFound> {
  const found = known.get(from.event) ?? (yield* looked(from));
  known.set(from.event, found);
  return found;
}

function* looked(from: Looking): Steps<IdentityFound> {
  const given = yield* givenName(from);
  if (given === "") return {};
  const name = actorFrom(given, from.settings.roles);
  if (name === undefined) return { refused: given };
  const heldBy = holderOf(name, from);
  return heldBy === undefined ? { name } : { refused: given, heldBy };
}

/** A variable, the option of the pane, or the title of the session, whichever is there first. */
function* givenName({ event, env, places }: Looking): Steps<string> {
  const override = env[OVERRIDE];
  if (override !== undefined) return override;
  if (env[AGENT]) return env[AGENT];
  const pane = env["TMUX_PANE"];
  if (env["TMUX"] && pane && /^%\d{1,6}$/.test(pane)) {
    const asking = askingTmux([], pane, "#{@agent_id}", env);
    const result = asking && (yield* run({ ...asking, cwd: places.home, timeMs: TMUX_MS }));
    const name = result && "text" in result ? result.text.trim() : "";
    if (name !== "") return name;
  }
  return event.name === "SessionStart" ? (event.title ?? "") : "";
}

/** Two running sessions with one name would read each other's messages. */
function holderOf(name: string, { event, state, parentOf }: Looking): string | undefined {
  if (isUnknown(state)) return undefined;
  // A host that begins another conversation is no second one.
  const { pid } = parentOf(own(state.sessions, event.session));
  const holder = Object.entries(state.sessions).find(
    ([id, { actor, client, endedAt }]) =>
      id !== event.session &&
      actor === name &&
      endedAt === undefined &&
      client !== undefined &&
      client.pid !== pid &&
      client.started !== "" &&
      isAlive(client),
  );
  return holder?.[0];
}
