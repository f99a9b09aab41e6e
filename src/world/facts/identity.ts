/** The name under which a session works with other agents, from its surroundings when it begins. */
import { run, type Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { type IdentityFound, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { actorFrom, allNames, likeness, type RoleSettings, reportsTo } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import type { HostProcess, Session } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import { ancestorsOf } from "../machine/agent-above.ts";
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
  const { roles } = from.settings;
  const name = actorFrom(given, roles);
  if (name === undefined) return { refused: given };
  const like = name === PERSON ? PERSON : likeness(name, allNames(roles, namesIn(from.state)));
  if (like !== undefined) return { refused: given, like };
  const below = starterOf(name, from);
  if (below !== undefined) return { refused: given, below };
  const heldBy = holderOf(name, from);
  return heldBy === undefined ? { name } : { refused: given, heldBy };
}

function namesIn(state: State | Unknown): readonly string[] {
  return isUnknown(state) ? [] : Object.values(state.sessions).flatMap(({ actor }) => actor ?? []);
}

/** An agent can start a host in its shell, but only for agents that report to it: nobody makes a second self or a superior. */
function starterOf(name: string, { event, state, parentOf, settings: { roles } }: Looking): string | undefined {
  if (isUnknown(state)) return undefined;
  const { pid } = parentOf(own(state.sessions, event.session));
  const above = [...ancestorsOf(pid)];
  const starter = Object.values(state.sessions).find(
    ({ actor, client, endedAt }) =>
      actor !== undefined &&
      endedAt === undefined &&
      client !== undefined &&
      above.includes(client.pid) &&
      isAlive(client),
  )?.actor;
  return starter === undefined || reportsTo(name, starter, roles) ? undefined : starter;
}

/** A variable, the option of the pane, or the title of the session, whichever is there first. */
function* givenName(from: Looking): Steps<string> {
  const { event, env, places } = from;
  const override = env[OVERRIDE];
  if (override !== undefined) return override;
  if (env[AGENT]) return env[AGENT];
  // An agent can change the option and the title, and then begin another conversation in the same process.
  const before = nameOfProcess(from);
  if (before !== undefined) return before;
  const pane = env["TMUX_PANE"];
  if (env["TMUX"] && pane && /^%\d{1,6}$/.test(pane)) {
    const asking = askingTmux([], pane, "#{@agent_id}", env);
    const result = asking && (yield* run({ ...asking, cwd: places.home, timeMs: TMUX_MS }));
    const name = result && "text" in result ? result.text.trim() : "";
    if (name !== "") return name;
  }
  return event.name === "SessionStart" ? (event.title ?? "") : "";
}

function nameOfProcess({ event, state, parentOf }: Looking): string | undefined {
  if (isUnknown(state)) return undefined;
  const { pid, started } = parentOf(own(state.sessions, event.session));
  const named = Object.values(state.sessions).filter(
    ({ actor, client }) => actor !== undefined && started !== "" && client?.pid === pid && client.started === started,
  );
  return named.sort((a, b) => b.lastAt - a.lastAt)[0]?.actor;
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
