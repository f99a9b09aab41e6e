/** `sekisho mode start`: into the session that is meant, or into nobody's until one comes. */
import { relative } from "node:path";
import { PLAN_BYTES_MAX, PROMISE_CHARS_MAX, startChanges, writtenBytes } from "../kernel/mode-start.ts";
import { boxesIn } from "../kernel/plan-boxes.ts";
import { inline } from "../kernel/text.ts";
import { type Mode, type ModeName, modeInForce } from "../state/modes.ts";
import type { Session } from "../state/session.ts";
import type { State } from "../state/state.ts";
import { isoTime } from "../views/time.ts";
import { callersOf } from "../world/agent-above.ts";
import { rewritableText } from "../world/host-file-writing.ts";
import { projectFile } from "../world/project-file.ts";
import { rootOf } from "../world/work-tree.ts";
import { keepAction } from "./action.ts";
import { here, orFail } from "./here.ts";
import { isPerson, requirePerson, requirePersonSince } from "./person.ts";
import { CommandError, paint, say, sayJson, sayWords } from "./print.ts";
import { isRunning, type Named, sessionAbove, sessionNamed, sessionsIn, severalSessions } from "./running.ts";
import { modeNamed } from "./wishes.ts";

interface Wish {
  readonly plan: string | undefined;
  readonly promise: string | undefined;
  readonly max: string | undefined;
  readonly session: string | undefined;
  readonly json: boolean;
}

/** Open to an agent as well: a mode binds whoever is in it, and a person's replaces the agent's own. */
export function startMode(wish: Wish, [word, ...task]: readonly string[]): number {
  if (word === undefined) throw new CommandError("Name a mode: persistent, qa or turbo.");
  const name = modeNamed(word);
  refuseIdle(name, wish);
  const { store, places, settings } = here();
  const state = orFail(store.read());
  const now = Date.now();
  const byPerson = isPerson(state);
  const owner = ownerOf(state, wish.session, byPerson, now);
  const held = modeInForce(owner ? owner[1].modes : state.modes, name, now);
  if (held && (held.by !== "agent" || !byPerson)) return sayHeld(name, held, owner, wish.json);
  const by = byPerson ? "command" : "agent";
  const plan = wish.plan === undefined ? undefined : planIn(wish.plan, places.project);
  const changes = startChanges(
    name,
    {
      ...{ by, task: task.join(" ") },
      ...(plan !== undefined && { plan }),
      ...(wish.promise !== undefined && { promise: promiseOf(wish.promise) }),
      ...(wish.max !== undefined && { max: maxOf(wish.max) }),
    },
    settings.settings,
  );
  const detail = `start ${name}, ${byPerson ? `from ${callersOf(process.pid)}` : "by the agent itself"}`;
  keepAction(store, { action: "mode", detail, ...(owner && { session: owner[0] }), changes }, now);
  const [started] = changes;
  if (wish.json) sayJson({ mode: name, started: true, session: owner?.[0] ?? null, ...told(started) });
  else sayStarted(name, started, owner);
  return 0;
}

/** What would count for nothing is an error, never a silence. */
function refuseIdle(name: ModeName, { plan, promise }: Wish): void {
  if (plan === undefined) return;
  if (name !== "persistent") {
    const how = name === "qa" ? "qa goes by the checks of the project" : "turbo goes by the agent's task list";
    throw new CommandError(`--plan belongs to persistent: ${how}. Nothing was started.`);
  }
  if (promise !== undefined)
    throw new CommandError("With --plan its boxes count, and no --promise beside them. Nothing was started.");
}

/** Undefined: nobody's yet. */
function ownerOf(state: State, asked: string | undefined, byPerson: boolean, now: number): Named | undefined {
  if (asked !== undefined) {
    // An agent binds itself and nobody else.
    requirePerson("mode start --session");
    requirePersonSince("mode start --session", state);
    const named = sessionNamed(state, asked);
    if (isRunning(named[1], now)) return named;
    throw new CommandError(`Session ${named[0]} is over. Without --session the mode waits for the next one.`);
  }
  const above = byPerson ? undefined : sessionAbove(state, process.pid, now);
  if (above) return above;
  const running = sessionsIn(state).filter(([, one]) => isRunning(one, now) && (byPerson || mayBeAbove(one)));
  if (running.length > 1)
    throw severalSessions(running, "Several sessions are running here. Say which with --session:", now);
  if (!byPerson && running.length === 0)
    throw new CommandError("No running session of this project could be found above this shell.");
  return running[0];
}

/** Whose client is known stands above its own shells or not: one that does not is another agent's. */
function mayBeAbove({ client }: Session): boolean {
  return client === undefined || client.started === "";
}

function planIn(given: string, project: string): string {
  const file = projectFile(process.cwd(), given, given);
  const refuse = (problem: string): never => {
    throw new CommandError(`--plan ${inline(given)} ${problem}. Nothing was started.`);
  };
  if ("problem" in file) return refuse(file.problem);
  const text = rewritableText(file.path);
  if (text === undefined) return refuse("is not there");
  if (boxesIn(text).total === 0) return refuse("has no boxes (list items such as `- [ ] a step`)");
  const path = relative(rootOf(process.cwd(), project), file.path);
  return writtenBytes(path) <= PLAN_BYTES_MAX ? path : refuse(`has a path longer than ${PLAN_BYTES_MAX} bytes`);
}

/** It stands between two marks in what the agent says. */
function promiseOf(given: string): string {
  const words = inline(given, PROMISE_CHARS_MAX + 1);
  if (words === "" || words.length > PROMISE_CHARS_MAX || /[<>]/.test(words))
    throw new CommandError(`--promise takes 1 to ${PROMISE_CHARS_MAX} characters without < and >.`);
  return words;
}

const MAX_MAX = 60;

function maxOf(given: string): number {
  const max = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (max < 1 || max > MAX_MAX)
    throw new CommandError(`--max takes a whole number from 1 to ${MAX_MAX}, not "${given}".`);
  return max;
}

type Told = Pick<Mode, "max" | "plan" | "promise" | "task">;

function told({ max, plan, promise, task }: Told) {
  return { max, plan: plan ?? null, promise: promise ?? null, task };
}

function sayHeld(name: ModeName, held: Mode, owner: Named | undefined, json: boolean): number {
  if (json) sayJson({ mode: name, started: false, session: owner?.[0] ?? null, ...told(held) });
  else {
    const how = owner ? `in force already in session ${owner[0]}` : "waiting already for the next session";
    sayWords(`${name} is ${how} (${held.count}/${held.max}, since ${isoTime(held.since)}). Nothing was changed.`);
    sayWords(`To begin it anew, end it first: \`sekisho mode stop ${name}\`.`);
  }
  return 0;
}

function sayStarted(name: ModeName, started: Told, owner: Named | undefined): void {
  const where = owner ? `started in session ${owner[0]}` : "set";
  say(`${paint.green("✔")} ${name} ${where}${name === "persistent" ? ", with turbo" : ""}`);
  if (!owner)
    sayWords("No session is running here: it waits, and the next session in which a person speaks takes it up.");
  const times = started.max === 1 ? "once" : `${started.max} times`;
  sayWords(`It sends the agent on at most ${times}, until ${doneWords(name, started)}. \`sekisho cancel\` ends it.`);
}

function doneWords(name: ModeName, { plan, promise }: Told): string {
  if (plan !== undefined) return `every box in ${plan} is ticked`;
  const said = `the agent says <promise>${promise}</promise>`;
  if (name === "qa") return `the checks of the project pass; where it has none, until ${said}`;
  if (name === "turbo") return `every task of the run is completed, or ${said}`;
  return `${said}; if it works by a plan, until every box in it is ticked`;
}
