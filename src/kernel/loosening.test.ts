import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundSession, EXAMPLE_PROCESS } from "../state/session/example-session.ts";
import { processName, reduceSession, type Session } from "../state/session/session.ts";
import { opened, openedBetween, pinned, pinnedIn } from "../state/settings/pinned.ts";
import { checkSettings, gradedValues, isLooser } from "../state/settings/setting-rules.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import { loosened, settingsInForce, withheld } from "./loosening.ts";

const BY = processName(EXAMPLE_PROCESS);
const settingsOf = (layer: unknown): Settings => checkSettings([layer], ["no-a"]).settings;
const begunWith = (settings: Settings): Session => boundSession({ pins: pinned([], BY, pinnedIn(settings)) });
const bound = begunWith(defaultSettings);
/** What is in force in a running session. */
const inForce = (settings: Settings, session: Session | undefined, process = EXAMPLE_PROCESS): Settings =>
  settingsInForce(settings, "PreToolUse", session, process);

const loose = [
  { enabled: false },
  { policies: { "no-a": "off" } },
  { security: "trusted" },
  { security: "developer" },
  { branch: { protect: [] } },
  { publish: { release: "off" } },
  { lint: { before_commit: "off" } },
  { secrets: { env_files: "pass", exempt: ["~/.ssh/demo"] } },
];
const strict = [
  { publish: { share: "deny" } },
  { publish: { release: "deny" } },
  { branch: { protect: ["main", "master", "release/*"] } },
  { lint: { before_commit: "ask" } },
  { policies: { "no-a": "on" } },
];

describe("settings that loosen protection", () => {
  it.each(loose)("%j applies to a process that began with it, and to no other", (layer) => {
    const settings = settingsOf(layer);
    const running = begunWith(settings);
    expect(inForce(settings, bound)).toEqual(defaultSettings);
    expect(inForce(settings, running)).toEqual(settings);
    expect(inForce(settings, running, { pid: 8, started: "1" })).toEqual(defaultSettings);
    // A process that takes the session up begins with what the files say then.
    expect(settingsInForce(settings, "SessionStart", bound, { pid: 8, started: "1" })).toEqual(settings);
    for (const name of ["SessionStart", "UserPromptSubmit", "SessionEnd"] as const)
      expect(settingsInForce(settings, name, bound, EXAMPLE_PROCESS)).toEqual(defaultSettings);
  });

  it.each(strict)("%j applies at once, and removing it not before another process", (layer) => {
    const settings = settingsOf(layer);
    expect(inForce(settings, bound)).toEqual(settings);
    const tightened = boundSession({ pins: pinned(bound.pins ?? [], BY, pinnedIn(settings)) });
    expect(inForce(defaultSettings, tightened)).toEqual(settings);
    expect(withheld(defaultSettings, settings)?.en).toContain("not in this session");
  });

  it.each([...loose, ...strict])("no record makes %j looser for a process that has begun", (layer) => {
    const [first, later] = [settingsOf(layer), settingsOf({})];
    for (const [before, after] of [
      [first, later],
      [later, first],
    ] as const) {
      const session = begunWith(before);
      const again = { record: "session", do: "pin", by: BY, settings: pinnedIn(after) } as const;
      const elsewhere = { record: "session", do: "begin", client: { pid: 9, started: "9" }, registration: {} } as const;
      const back = { ...elsewhere, client: EXAMPLE_PROCESS };
      const forged = [again, elsewhere, again, back, again].reduce(
        (known: Session, change) => reduceSession(known, change, 5),
        session,
      );
      const was = gradedValues(inForce(after, session));
      const now = inForce(after, forged);
      expect(now.enabled || !inForce(after, session).enabled).toBe(true);
      expect(Object.values(now.policies)).toEqual(Object.values(inForce(after, session).policies));
      for (const [key, value] of Object.entries(gradedValues(now))) expect(isLooser(key, value, was[key])).toBe(false);
    }
  });

  it.each([...loose])("a person's command opens %j in running sessions, and closes it again", (layer) => {
    const settings = settingsOf(layer);
    const values = openedBetween(defaultSettings, settings);
    const pins = opened(bound.pins ?? [], { record: "settings", do: "open", values });
    expect(inForce(settings, { ...bound, pins })).toEqual(settings);
    expect(openedBetween(settings, defaultSettings)).toEqual({});
  });

  it.each(strict)("a person's command takes %j back in running sessions", (layer) => {
    const settings = settingsOf(layer);
    const { pins = [] } = begunWith(settings);
    const values = openedBetween(settings, defaultSettings);
    const open = opened(pins, { record: "settings", do: "open", values });
    expect(inForce(defaultSettings, { ...bound, pins: open })).toEqual(defaultSettings);
  });

  it("a long value is pinned by its mark, and another long value is not in force", () => {
    const rules = (word: string) =>
      settingsOf({ secrets: { exempt: Array.from({ length: 20 }, (_, at) => `~/${word}/${at}`) } });
    const session = begunWith(rules("a"));
    expect(inForce(rules("a"), session)).toEqual(rules("a"));
    expect(inForce(rules("b"), session)).toEqual(defaultSettings);
  });

  it("the pins of other processes push none out", () => {
    const many = Array.from({ length: 50 }, (_, at) => `${at} 1`).reduce(
      (pins, by) => pinned(pins, by, pinnedIn(settingsOf({ enabled: false }))),
      bound.pins ?? [],
    );
    expect(inForce(settingsOf({ enabled: false }), { ...bound, pins: many }).enabled).toBe(true);
  });

  it("`user` is an alias for strict", () => {
    expect(loosened(settingsOf({ security: "user" }))).toBeUndefined();
    expect(loosened(settingsOf({ security: "admin" }))?.en).toContain("security: admin");
  });

  it("settings written later are never looser than those at the start", () => {
    const layer = fc.record(
      {
        security: fc.constantFrom("strict", "user", "trusted", "admin", "developer"),
        publish: fc.record({ share: fc.constantFrom("off", "ask", "deny"), release: fc.constantFrom("off", "ask") }),
        branch: fc.record({ protect: fc.subarray(["main", "master", "trunk"]) }),
        lint: fc.record({ before_commit: fc.constantFrom("off", "warn", "ask") }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(layer, layer, (before, after) => {
        const [first, second] = [settingsOf(before), settingsOf(after)];
        const base = gradedValues(first);
        const now = gradedValues(inForce(second, begunWith(first)));
        for (const [key, value] of Object.entries(base)) expect(isLooser(key, now[key], value)).toBe(false);
      }),
    );
  });

  it("are listed by name, and stricter ones are not announced as loosening", () => {
    const withSecrets = (secrets: object): Settings => settingsOf({ secrets });
    expect(loosened(withSecrets({ env_files: "pass", exempt: ["~/.ssh/demo"] }))?.en).toContain(
      "secrets.env_files: pass, secrets.exempt: ~/.ssh/demo",
    );
    expect(loosened(withSecrets({ env_files: "deny", places: ["x"] }))).toBeUndefined();
  });
});
