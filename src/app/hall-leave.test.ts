import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Reply } from "../hosts/host.ts";
import { deny, type Policy } from "../kernel/policy.ts";
import { text } from "../lib/text.ts";
import { PROJECT } from "../policies/describe-policy.ts";
import type { GrantChange } from "../state/grants.ts";
import type { JournalRecord, VerdictRecord } from "../state/record.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { processAt } from "../world/machine/caller.ts";
import { answer, type ExampleHall, hallWith as exampleHall, send } from "./example-hall.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const hallWith = (store: Store, more: Partial<ExampleHall> = {}): ExampleHall =>
  exampleHall(store, { digest: sha256, ...more });

/**
 * A fault of ours lets reading tools pass, so this policy refuses them: a one-time grant must not become permanent that
 * way.
 */
const noReading: Policy = {
  id: "no-reading",
  on: ["PreToolUse"],
  needs: [],
  why: text("w", "言"),
  examples: [],
  check: () => deny({ what: text("w", "言"), fix: text("w", "言") }),
};

const FORCED = "git push --force";

function bash(hall: ExampleHall, command: string, more: object = {}): Reply {
  const call = { tool_name: "Bash", tool_input: { command, ...more }, tool_use_id: "t-1" };
  return send(hall, "PreToolUse", call);
}

const verdicts = (store: Store) =>
  [...store.records()].filter((record): record is JournalRecord & VerdictRecord => record.kind === "verdict");

/** Records a refusal and the grant that `sekisho allow` makes of it. */
function refusedAndAllowed(store: Store, more: { once?: boolean; at?: number; until?: number } = {}): string {
  bash(hallWith(store), FORCED);
  const refused = verdicts(store).at(-1);
  const { rid = "", effect = "" } = refused ?? {};
  const grant = { effect, policies: ["no-destructive-command"], once: true, at: 500, until: 5_000, what: "x", ...more };
  act(store, { record: "grant", do: "give", id: rid, grant });
  return rid;
}

function act(store: Store, ...changes: readonly GrantChange[]): void {
  store.append({ kind: "action", action: "test", changes }, 600);
}

describe("a refusal that a person may lift", () => {
  it("names the allow command and records a digest of the tool use; a floor refusal does neither", () => {
    const store = memoryStore();
    const liftable = bash(hallWith(store), FORCED);
    const floor = bash(hallWith(store), "rm -rf /");
    const own = bash(hallWith(store), "sekisho allow m1");
    const [first, ...others] = verdicts(store);
    expect(first?.effect).toMatch(/^[0-9a-f]{64}$/);
    expect(liftable.stderr).toContain(`A person may let it pass: sekisho allow ${first?.rid} --once\n`);
    for (const { effect } of others) expect(effect).toBeUndefined();
    for (const { stderr } of [floor, own]) expect(stderr).not.toMatch(/sekisho (allow|pause) \S+ --/);
  });

  it("names the allow command in Japanese too", () => {
    const hall = hallWith(memoryStore(), { env: { CLAUDE_PID: String(process.ppid), LANG: "ja_JP.UTF-8" } });
    expect(bash(hall, FORCED).stderr).toMatch(
      /通せるのは人だけです: sekisho allow \S+ --once\n利用者へ: sekisho explain/,
    );
  });

  it("no digest is computed while no grant exists", () => {
    let hashed = 0;
    const digest = (text: string) => {
      hashed += 1;
      return sha256(text);
    };
    const store = memoryStore();
    bash(hallWith(store, { digest }), "make");
    expect(hashed).toBe(0);
    refusedAndAllowed(store);
    bash(hallWith(store, { digest }), "make");
    expect(hashed).toBe(1);
  });
});

describe("recording before answering, with a grant", () => {
  it("a one-time grant allows exactly that call once, and the person is told", () => {
    const store = memoryStore();
    const id = refusedAndAllowed(store);
    const hall = hallWith(store);
    expect(bash(hall, `${FORCED} origin`).exitCode).toBe(2);
    const passed = bash(hall, FORCED, { description: "worded anew" });
    expect(passed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`allowed by a person (${id})`) });
    expect(verdicts(store).at(-1)).toMatchObject({ decision: "pass", lifted: [{ by: id }] });
    expect(bash(hall, FORCED).exitCode).toBe(2);
  });

  it("a lasting grant allows the call until it expires", () => {
    const store = memoryStore();
    refusedAndAllowed(store, { once: false });
    for (const now of [1_000, 2_000, 4_999]) {
      expect(bash(hallWith(store, { clock: () => now }), FORCED).exitCode).toBe(0);
    }
    expect(bash(hallWith(store, { clock: () => 5_000, deadline: 1e9 }), FORCED).exitCode).toBe(2);
  });

  it("a parallel call uses the grant first, and the second call is recorded and refused", () => {
    const store = memoryStore();
    refusedAndAllowed(store);
    let raced = false;
    const racing: Store = {
      ...store,
      append: (body, now, how) => {
        if (!raced) store.append(body, now);
        raced = true;
        return store.append(body, now, how);
      },
    };
    expect(bash(hallWith(racing), FORCED)).toMatchObject({ exitCode: 2, stdout: "" });
    expect(verdicts(store).map(({ decision }) => decision)).toEqual(["deny", "pass", "pass", "deny"]);
    expect(store.read()).toMatchObject({ grants: {} });
  });

  it("a grant revoked between reading and recording does not count", () => {
    const store = memoryStore();
    const id = refusedAndAllowed(store, { once: false });
    let done = false;
    const racing: Store = {
      ...store,
      append: (body, now, how) => {
        if (!done) act(store, { record: "grant", do: "take-back", id });
        done = true;
        return store.append(body, now, how);
      },
    };
    expect(bash(hallWith(racing), FORCED).exitCode).toBe(2);
  });

  it("a grant whose use cannot be recorded does not count, even for reading", () => {
    const store = memoryStore();
    refusedAndAllowed(store);
    const full: Store = { ...store, append: () => ({ fault: "The disk is full.", code: "full" }) };
    expect(bash(hallWith(full), FORCED).exitCode).toBe(2);
    const law = [noReading];
    bash(hallWith(store, { policiesOn: () => law }), "ls");
    const { rid = "", effect = "" } = verdicts(store).at(-1) ?? {};
    const grant = { effect, policies: [noReading.id], once: true, at: 500, until: 5_000, what: "x" };
    act(store, { record: "grant", do: "give", id: rid, grant });
    expect(bash(hallWith(full, { policiesOn: () => law }), "ls").exitCode).toBe(2);
    expect(bash(hallWith(store, { policiesOn: () => law }), "ls").exitCode).toBe(0);
  });

  it("an unbound event neither uses nor profits from a one-time grant", () => {
    const store = memoryStore();
    answer(
      {
        body: JSON.stringify({ session_id: "s-1", cwd: PROJECT, hook_event_name: "SessionStart", source: "startup" }),
        env: {},
      },
      hallWith(store),
    );
    refusedAndAllowed(store);
    expect(bash(hallWith(store, { parentOf: () => processAt(1), env: {} }), FORCED).exitCode).toBe(2);
    expect(bash(hallWith(store), FORCED).exitCode).toBe(0);
  });
});

describe("the order of authority", () => {
  it("TR-2 the floor comes before the person, and the person before our own failures", () => {
    const store = memoryStore();
    act(store, { record: "pause", do: "begin", pause: { at: 600, until: 2_000 } });
    const paused = hallWith(store);
    // A pause does not lift the floor, but everything else.
    expect([bash(paused, "rm -rf /").exitCode, bash(paused, FORCED).exitCode]).toEqual([2, 0]);
    // A paused session still refuses the agent an uninstall; an opted-out project does not.
    expect(bash(paused, "sekisho uninstall").exitCode).toBe(2);
    const settings = { ...defaultSettings, enabled: false };
    const out = hallWith(memoryStore(), { settingsOf: () => ({ settings, problems: [], custom: [] }) });
    expect(bash(out, "sekisho uninstall").exitCode).toBe(0);
    // When recording fails, changes are refused but the end of a turn is allowed.
    const failing = hallWith({ ...memoryStore(), append: () => ({ fault: "full", code: "full" }) });
    expect([bash(failing, "make").exitCode, send(failing, "Stop").exitCode]).toEqual([2, 0]);
  });
});

describe("a pause", () => {
  it("allows everything except the floor, is recorded, and expires", () => {
    const store = memoryStore();
    act(store, { record: "pause", do: "begin", pause: { at: 600, until: 2_000 } });
    const hall = hallWith(store);
    expect(bash(hall, FORCED)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(verdicts(store).at(-1)).toMatchObject({ decision: "pass", lifted: [{ by: "pause" }] });
    expect(bash(hall, "rm -rf ~").exitCode).toBe(2);
    expect(bash(hall, "sekisho resume").exitCode).toBe(2);
    expect(bash(hallWith(store, { clock: () => 2_000 }), FORCED).exitCode).toBe(2);
  });
});
