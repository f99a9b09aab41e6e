import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hallWith as exampleHall, send } from "./example-hall.ts";
import { type Hall, handle } from "./hook.ts";
import type { Reply } from "./hosts/host.ts";
import { deny, type Policy } from "./kernel/policy.ts";
import { text } from "./kernel/text.ts";
import { PROJECT } from "./policies/describe-policy.ts";
import type { GrantChange } from "./state/grants.ts";
import type { JournalRecord, VerdictRecord } from "./state/record.ts";
import { defaultSettings } from "./state/settings.ts";
import { memoryStore } from "./store/memory.ts";
import type { Store } from "./store/store.ts";
import { processAt } from "./world/caller.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const hallWith = (store: Store, more: Partial<Hall> = {}): Hall => exampleHall(store, { digest: sha256, ...more });

/** Our failure alone would let a reading tool go on; that must not make a grant last for ever. */
const noReading: Policy = {
  id: "no-reading",
  on: ["PreToolUse"],
  needs: [],
  why: text("w", "言"),
  examples: [],
  check: () => deny({ what: text("w", "言"), fix: text("w", "言") }),
};

const FORCED = "git push --force";

function bash(hall: Hall, command: string, more: object = {}): Reply {
  const call = { tool_name: "Bash", tool_input: { command, ...more }, tool_use_id: "t-1" };
  return send(hall, "PreToolUse", call);
}

const verdicts = (store: Store) =>
  [...store.records()].filter((record): record is JournalRecord & VerdictRecord => record.kind === "verdict");

/** A refusal, and what `sekisho allow` makes of its record. */
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
  it("says so and keeps a digest of the exact tool use; one of the floor does neither", () => {
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

  it("says it in Japanese as well", () => {
    const hall = hallWith(memoryStore(), { env: { CLAUDE_PID: String(process.ppid), LANG: "ja_JP.UTF-8" } });
    expect(bash(hall, FORCED).stderr).toMatch(
      /通せるのは人だけです: sekisho allow \S+ --once\n利用者へ: sekisho explain/,
    );
  });

  it("is not hashed again while nothing is allowed", () => {
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

describe("law 5 with a grant: keep, fold, confirm, say", () => {
  it("lets exactly that pass, once, and tells the person", () => {
    const store = memoryStore();
    const id = refusedAndAllowed(store);
    const hall = hallWith(store);
    expect(bash(hall, `${FORCED} origin`).exitCode).toBe(2);
    const passed = bash(hall, FORCED, { description: "worded anew" });
    expect(passed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`allowed by a person (${id})`) });
    expect(verdicts(store).at(-1)).toMatchObject({ decision: "pass", lifted: [{ by: id }] });
    expect(bash(hall, FORCED).exitCode).toBe(2);
  });

  it("passes again and again while a lasting one lasts, and not a moment longer", () => {
    const store = memoryStore();
    refusedAndAllowed(store, { once: false });
    for (const now of [1_000, 2_000, 4_999]) {
      expect(bash(hallWith(store, { clock: () => now }), FORCED).exitCode).toBe(0);
    }
    expect(bash(hallWith(store, { clock: () => 5_000, deadline: 1e9 }), FORCED).exitCode).toBe(2);
  });

  it("a parallel use that came first has it, and the loser's record is followed by its refusal", () => {
    const store = memoryStore();
    refusedAndAllowed(store);
    let raced = false;
    const racing: Store = {
      ...store,
      append: (body, now) => {
        if (!raced) store.append(body, now);
        raced = true;
        return store.append(body, now);
      },
    };
    expect(bash(hallWith(racing), FORCED)).toMatchObject({ exitCode: 2, stdout: "" });
    expect(verdicts(store).map(({ decision }) => decision)).toEqual(["deny", "pass", "pass", "deny"]);
    expect(store.read()).toMatchObject({ grants: {} });
  });

  it("what was taken back, or ended, between the look and the record does not pass", () => {
    const store = memoryStore();
    const id = refusedAndAllowed(store, { once: false });
    let done = false;
    const racing: Store = {
      ...store,
      append: (body, now) => {
        if (!done) act(store, { record: "grant", do: "take-back", id });
        done = true;
        return store.append(body, now);
      },
    };
    expect(bash(hallWith(racing), FORCED).exitCode).toBe(2);
  });

  it("a use that cannot be kept is no use, also of something that only reads", () => {
    const store = memoryStore();
    refusedAndAllowed(store);
    const full: Store = { ...store, append: () => ({ fault: "The disk is full.", code: "full" }) };
    expect(bash(hallWith(full), FORCED).exitCode).toBe(2);
    const law = [noReading];
    bash(hallWith(store, { policies: law }), "ls");
    const { rid = "", effect = "" } = verdicts(store).at(-1) ?? {};
    const grant = { effect, policies: [noReading.id], once: true, at: 500, until: 5_000, what: "x" };
    act(store, { record: "grant", do: "give", id: rid, grant });
    expect(bash(hallWith(full, { policies: law }), "ls").exitCode).toBe(2);
    expect(bash(hallWith(store, { policies: law }), "ls").exitCode).toBe(0);
  });

  it("an event that is not the client's own uses nothing up and is not let pass by a grant for one use", () => {
    const store = memoryStore();
    handle(
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

describe("whose word counts", () => {
  it("TR-2 the project first, then the person, then ourselves", () => {
    const store = memoryStore();
    act(store, { record: "pause", do: "begin", pause: { at: 600, until: 2_000 } });
    const paused = hallWith(store);
    // The person's word is not enough to lose the project, and is enough for everything else.
    expect([bash(paused, "rm -rf /").exitCode, bash(paused, FORCED).exitCode]).toEqual([2, 0]);
    // What keeps us here is kept from the agent, not from the person.
    expect(bash(paused, "sekisho uninstall").exitCode).toBe(2);
    const settings = { ...defaultSettings, enabled: false };
    const out = hallWith(memoryStore(), { settingsOf: () => ({ settings, problems: [], custom: [] }) });
    expect(bash(out, "sekisho uninstall").exitCode).toBe(0);
    // When we are the ones that fail, nothing is changed unseen, and nobody is held for our sake.
    const failing = hallWith({ ...memoryStore(), append: () => ({ fault: "full", code: "full" }) });
    expect([bash(failing, "make").exitCode, send(failing, "Stop").exitCode]).toEqual([2, 0]);
  });
});

describe("a pause", () => {
  it("lets everything but the floor pass, is recorded, and ends by itself", () => {
    const store = memoryStore();
    act(store, { record: "pause", do: "begin", pause: { at: 600, until: 2_000 } });
    const hall = hallWith(store);
    expect(bash(hall, FORCED)).toEqual({ exitCode: 0, stdout: "", stderr: "", injected: 0 });
    expect(verdicts(store).at(-1)).toMatchObject({ decision: "pass", lifted: [{ by: "pause" }] });
    expect(bash(hall, "rm -rf ~").exitCode).toBe(2);
    expect(bash(hall, "sekisho resume").exitCode).toBe(2);
    expect(bash(hallWith(store, { clock: () => 2_000 }), FORCED).exitCode).toBe(2);
  });
});
