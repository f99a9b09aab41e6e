import { describe, expect, it } from "vitest";
import type { HookEvent } from "../kernel/event.ts";
import type { Change } from "../state/change.ts";
import { newSession, processName, reduceSession, type Session } from "../state/session/session.ts";
import type { Work } from "../state/session/work.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { newState, type State } from "../state/state.ts";
import { newTrust } from "../state/trust.ts";
import { type Bonds, bondsIn, bondsKey, withinBonds } from "./bonds.ts";
import { bondsAfter, mayWait } from "./bonds-after.ts";

const client = { pid: 7, started: "70" };
const work = { base: "b", touchedAt: 5, worked: true as const, paths: ["a.ts"] };
const mode = { since: 3, by: "prompt", task: "t", count: 0, max: 9 } as const;

const session: Session = {
  ...newSession(1),
  client,
  pins: [{ by: processName(client), values: { "stop.idle": 3 } }],
  modes: { persistent: mode },
  work: { "/p": work },
  agreed: ["family"],
};
const state: State = {
  ...newState,
  t: 10,
  stance: "planning",
  trust: { ...newState.trust, domains: { tests: newTrust(0.5, 1) } },
  sessions: { s: session },
};

const event = { name: "PostToolBatch", session: "s", cwd: "/p", calls: [] } as unknown as HookEvent;
const bondsFrom = (changes: readonly Change[], from = state, before?: Bonds): Bonds => {
  const bonds = bondsAfter(event, changes, from, before, defaultSettings, 20);
  if (!bonds) throw new Error("no bonds");
  return bonds;
};
const bonds = bondsFrom([]);
const bound = (recorded: State) => withinBonds(recorded, "s", bonds, client);
const withSession = (change: Partial<Session>): State => ({ ...state, sessions: { s: { ...session, ...change } } });

describe("the bonds of a session", () => {
  it("give back a state that is within them as it is", () => {
    expect(bound(state).state).toBe(state);
    expect(withinBonds(state, "s", bondsIn(bondsKey(bonds)), client).state).toBe(state);
    expect(bound(state)).toMatchObject({ broken: [], repairs: [], again: [] });
  });

  it("stay the same object while nothing changes", () => {
    expect(bondsFrom([], state, bonds)).toBe(bonds);
    expect(bondsFrom([{ record: "call", do: "open", id: "c", tool: "Read" }], state, bonds)).toBe(bonds);
    expect(bondsFrom([{ record: "mode", do: "stop", why: "done" }], state, bonds)).not.toBe(bonds);
  });

  it.each<[string, State]>([
    ["trust", { ...state, trust: { ...state.trust, domains: { tests: newTrust(0.4, 1) } } }],
    ["modes", withSession({ modes: {} })],
    ["work", withSession({ work: { "/p": { ...work, touchedAt: 9 } } })],
    ["settings", withSession({ pins: [{ by: processName(client), values: { "stop.idle": 4 } }] })],
    ["answers", withSession({ agreed: ["a"] })],
    ["a run without a person", withSession({ headless: true })],
  ])("follow %s at an event that changes nothing itself", (_, news) => {
    const quiet = (from: State, before?: Bonds) => bondsAfter(event, [], from, before, defaultSettings, 20);
    const known = quiet(state) as Bonds;
    expect(quiet(state, known)).toBe(known);
    expect(quiet(news, known)).toEqual(quiet(news, structuredClone(known)));
    expect(quiet(news, known)).not.toEqual(known);
  });

  it.each<[string, State, (state: State) => unknown, unknown, readonly string[]]>([
    ["a wider stance", { ...state, stance: "building" }, ({ stance }) => stance, "planning", ["stance"]],
    [
      "more trust",
      { ...state, trust: { ...state.trust, domains: { tests: newTrust(0.9, 1), other: newTrust(0.9, 1) } } },
      ({ trust }) => trust.domains,
      { tests: newTrust(0.5, 1) },
      [],
    ],
    ["a mode that ended", withSession({ modes: {} }), ({ sessions }) => sessions["s"]?.modes, { persistent: mode }, []],
    [
      "settled work",
      withSession({ work: { "/p": { base: "c", touchedAt: 0, paths: [] } } }),
      ({ sessions }) => sessions["s"]?.work,
      { "/p": work },
      [],
    ],
    [
      "another answer",
      withSession({ agreed: ["family", "more"] }),
      ({ sessions }) => sessions["s"]?.agreed,
      ["family"],
      ["answers"],
    ],
    [
      "nobody there",
      withSession({ headless: true }),
      ({ sessions }) => sessions["s"]?.headless,
      undefined,
      ["headless"],
    ],
    ["an end", withSession({ endedAt: 9 }), ({ sessions }) => sessions["s"]?.endedAt, undefined, []],
    ["a cancel", withSession({ cancelledAt: 9 }), ({ sessions }) => sessions["s"]?.cancelledAt, undefined, []],
    [
      "another process",
      withSession({ client: { pid: 8, started: "80" } }),
      ({ sessions }) => sessions["s"]?.client,
      client,
      [],
    ],
  ])("undo %s in the journal", (_, recorded, look, expected, broken) => {
    const found = bound(recorded);
    expect(look(found.state)).toEqual(expected);
    expect(found.broken).toEqual(broken);
  });

  it("follow the end of a call among two hundred others", () => {
    const calls = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        `c${n}`,
        { tool: "Edit", at: n, background: false, ...(n === 150 && { work: { root: "/q", code: ["b.ts"] } }) },
      ]),
    );
    const many = withSession({ calls });
    const close = (id: string): Change => ({ record: "call", do: "close", id, outcome: "success" });
    for (const changes of [[close("c150")], [close("c3")], [{ record: "call", do: "sweep" } as const]]) {
      const whole = changes.reduce((known, change) => reduceSession(known, change, 20), {
        ...session,
        calls,
      } as Session);
      expect(bondsFrom(changes, many).work).toEqual(whole.work);
    }
    expect(bondsFrom([close("c150")], many).work["/q"]?.touchedAt).toBe(20);
  });

  it("may be told later only if nothing but earned trust is new", () => {
    const earned = (trust: Bonds["trust"]): boolean => mayWait(bonds, { ...bonds, trust });
    expect(earned({ tests: 0.6 })).toBe(true);
    expect(earned({ tests: 0.4 })).toBe(false);
    expect(earned({ tests: 0.6, other: 0.9 })).toBe(false);
    expect(mayWait(bonds, { ...bonds, trust: { tests: 0.6 }, agreed: [] })).toBe(false);
  });

  it("may be told later if open work was only touched again", () => {
    const open: Work = { base: "b", touchedAt: 5, paths: ["a.ts"], codeAt: 5, worked: true };
    const { codeAt: _, ...moved } = open;
    const again = (before: Work, work: Bonds["work"]): boolean =>
      mayWait({ ...bonds, work: { "/p": before } }, { ...bonds, work });
    const later = { ...open, touchedAt: 9, codeAt: 9, paths: ["b.ts", "a.ts"] };
    expect(again(open, { "/p": later })).toBe(true);
    expect(again(moved, { "/p": later })).toBe(false);
    expect(again({ ...open, touchedAt: 0 }, { "/p": later })).toBe(false);
    expect(again(open, { "/p": { ...open, touchedAt: 0 } })).toBe(false);
    expect(again(open, { "/p": later, "/q": later })).toBe(false);
    expect(again(open, {})).toBe(false);
  });
});
