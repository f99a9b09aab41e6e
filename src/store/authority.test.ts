import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { actionBehind } from "../kernel/lift.ts";
import type { Change } from "../state/change.ts";
import { keyIn, keyText, NOBODYS_KEY, type PersonKey } from "../state/person-key.ts";
import type { ActionRecord } from "../state/record.ts";
import type { Action } from "../state/signed-action.ts";
import type { State } from "../state/state.ts";
import { authorityOf, type KeyInForce } from "./authority.ts";
import { openJournal } from "./journal/archive.ts";
import { openKeeper } from "./journal/disk.ts";
import { encodeLine } from "./journal/line.ts";
import { segmentPath } from "./journal/segment.ts";
import { keyFileIn, keyFileState, keyInFile, readKeyFile } from "./key-file.ts";
import { keepKeyFile, newKey, type OpenKey, openKey } from "./key-making.ts";
import type { Sign } from "./signature.ts";
import { isFault, type Store } from "./store.ts";

const SINCE = 1_000_000;
const NOW = 2_000_000;
const HOUR = 3_600_000;
/** Scrypt with the least cost: these tests are about signatures. */
const CHEAP = 1;

let ours: OpenKey;
let theirs: OpenKey;
beforeAll(() => {
  ours = newKey("four words are enough", SINCE, CHEAP);
  theirs = newKey("the agent's own words", SINCE, CHEAP);
});

const keyOf = ({ file: { publicKey, since } }: OpenKey): PersonKey => ({ publicKey, since });
const grant = { effect: "e", policies: ["no-x"], once: true, at: NOW, until: NOW + HOUR, what: "Bash x" };
const habit = { shape: "npm install", cwd: "/p", policies: ["no-x"], at: NOW, until: NOW + HOUR };
const trust = { score: 1, successes: 9, failures: 0, operations: 9, lastAt: NOW, warmup: 0, consecutiveFailures: 0 };

const PAUSE: Change = { record: "pause", do: "begin", pause: { at: NOW, until: NOW + HOUR } };
const GRANT: Change = { record: "grant", do: "give", id: "g1", grant };
const HABIT: Change = { record: "habit", do: "accept", id: "h1", habit };
const TRUST: Change = { record: "trust", do: "import", first: true, operations: 9, domains: { shell_exec: trust } };
const BUILDING: Change = { record: "stance", do: "set", stance: "building" };
const PLANNING: Change = { record: "stance", do: "set", stance: "planning" };
const STOP: Change = { record: "mode", do: "stop", why: "cancelled", unowned: true };
const START: Change = { record: "mode", do: "start", mode: "qa", by: "command", task: "t", max: 3 };
const CHECKED: Change = {
  record: "check",
  do: "end",
  root: "/p",
  startedAt: NOW,
  tree: "t",
  files: "f",
  exitCode: 0,
  runs: [{ check: "test", command: "npm test", outcome: "passed" }],
};

function action(changes: readonly Change[], more: Partial<ActionRecord> = {}): ActionRecord {
  return { kind: "action", action: "x", changes, ...more };
}

interface House {
  readonly directory: string;
  store(key?: KeyInForce): Store;
  /** Appends a line with a right checksum, as a script of the agent would. */
  forge(record: Partial<Action>): void;
  keep(body: ActionRecord, t: number, sign?: Sign): void;
  state(key?: KeyInForce): State;
}

function house(name = "project"): House {
  const directory = join(tempDirectory("authority"), name);
  const pinned = (): KeyInForce => ({ key: keyOf(ours) });
  const store = (key: KeyInForce = pinned()): Store => openJournal({ directory, key });
  const made: House = {
    directory,
    store,
    forge: (record) =>
      appendFileSync(
        segmentPath(directory, 1),
        encodeLine({
          kind: "action",
          action: "pause",
          rid: `f${Math.random().toString(36).slice(2, 10)}`,
          t: NOW,
          ...record,
        } as Action),
      ),
    keep(body, t, sign = ours.sign) {
      const kept = store().append(body, t, { sign });
      if (isFault(kept)) throw new Error(kept.fault);
    },
    state(key) {
      const state = store(key).read();
      if (isFault(state)) throw new Error(state.fault);
      return state;
    },
  };
  // The journal is younger than the key, as every journal that `init` has touched.
  made.keep(action([], { action: "init" }), SINCE + 1);
  return made;
}

/** The newest record in the journal. */
function lastOf({ store }: House): Action {
  return [...store().records()].at(-1) as Action;
}

const holdsNothing = (state: State): boolean =>
  state.pause === undefined &&
  Object.keys(state.grants).length === 0 &&
  Object.keys(state.habits).length === 0 &&
  Object.keys(state.trust.domains).length === 0 &&
  state.checks === undefined &&
  state.program === undefined &&
  state.stance !== "building";

const MOVED = { file: "s", from: { node: "n", bundle: "b" }, to: { node: "n", bundle: "evil" } };

/** Each row forges something; afterwards nothing is granted, and the attempt is told. */
const FORGERIES: readonly (readonly [string, (house: House) => void])[] = [
  ["an unsigned pause", ({ forge }) => forge({ changes: [PAUSE] })],
  ["an unsigned grant", ({ forge }) => forge({ action: "allow", changes: [GRANT] })],
  ["an unsigned habit", ({ forge }) => forge({ action: "accept", changes: [HABIT] })],
  ["an unsigned import of trust", ({ forge }) => forge({ action: "import", changes: [TRUST] })],
  ["an unsigned stance that opens", ({ forge }) => forge({ action: "stance", changes: [BUILDING] })],
  ["an unsigned result of a check", ({ forge }) => forge({ action: "verify", changes: [CHECKED] })],
  ["an unsigned upgrade to another program", ({ forge }) => forge({ action: "upgrade", moved: MOVED })],
  ["an unsigned init, which would forgive lost hooks", ({ forge }) => forge({ action: "init" })],
  ["an unsigned uninstall", ({ forge }) => forge({ action: "uninstall" })],
  ["a pause hidden behind a change that tightens", ({ forge }) => forge({ changes: [PLANNING, PAUSE] })],
  [
    "a change of a kind that nobody knows",
    ({ forge }) => forge({ changes: [{ record: "wand", do: "wave" } as never] }),
  ],
  [
    "a session's change in a person's name",
    ({ forge }) => forge({ session: "s", changes: [{ record: "session", do: "show", notice: "x" }] }),
  ],
  ["a record dated before the key", ({ forge }) => forge({ t: SINCE - 5, changes: [TRUST] })],
  [
    "a record that says itself that it is not void",
    ({ forge }) => forge({ changes: [PAUSE], void: undefined as never }),
  ],
  ["an empty signature", ({ forge }) => forge({ changes: [PAUSE], sig: "" })],
  ["a signature of noughts", ({ forge }) => forge({ changes: [PAUSE], sig: "A".repeat(86) })],
  ["a signature that is no text", ({ forge }) => forge({ changes: [PAUSE], sig: 1 as never })],
  ["a signature with another key", ({ keep }) => keep(action([PAUSE]), NOW, theirs.sign)],
  [
    "a signed record of another project",
    ({ forge }) => {
      const other = house("other");
      other.keep(action([PAUSE]), NOW);
      forge(lastOf(other));
    },
  ],
  [
    "a signed record that is appended again",
    (here) => {
      here.keep(action([PAUSE]), NOW);
      const signed = lastOf(here);
      here.keep(action([{ record: "pause", do: "end" }]), NOW + 1);
      here.forge(signed);
    },
  ],
  [
    "a signed stance that is appended again after a stricter one",
    (here) => {
      here.keep(action([BUILDING]), NOW);
      const signed = lastOf(here);
      here.forge({ action: "stance", changes: [PLANNING] });
      here.forge(signed);
    },
  ],
  ...(
    [
      ["a later end", (signed) => ({ ...signed, changes: [{ ...PAUSE, pause: { at: NOW, until: NOW + 8 * HOUR } }] })],
      ["another action", (signed) => ({ ...signed, action: "stance" })],
      ["another detail", (signed) => ({ ...signed, detail: "as you wished" })],
      ["another time", (signed) => ({ ...signed, t: signed.t + 1 })],
      ["another id", (signed) => ({ ...signed, rid: "another" })],
      ["another session", (signed) => ({ ...signed, session: "s" })],
      ["one change more", (signed) => ({ ...signed, changes: [PAUSE, BUILDING] })],
      ["another program", (signed) => ({ ...signed, moved: MOVED })],
    ] as readonly (readonly [string, (signed: Action) => Action])[]
  ).map(([what, alter]): readonly [string, (house: House) => void] => [
    `a signed record, altered: ${what}`,
    (here) => {
      // Signed for this project, and never stored as it was signed.
      const signed: Action = { kind: "action", action: "pause", changes: [PAUSE], rid: "r1", t: NOW };
      here.forge(alter({ ...signed, sig: ours.sign(signed, basename(here.directory)) }));
    },
  ]),
];

describe("a record in a person's name grants nothing and is told", () => {
  it.each(FORGERIES)("%s", (_, forge) => {
    const here = house();
    forge(here);
    const state = here.state();
    expect(holdsNothing(state)).toBe(true);
    expect(state.voided).toHaveLength(1);
    const report = here.store().verify();
    expect(isFault(report) ? report.fault : report.voided).toHaveLength(1);
  });

  it("has at least 25 rows", () => expect(FORGERIES.length).toBeGreaterThanOrEqual(25));

  it("ends no mode of the agent's session, and no waiting one", () => {
    const here = house();
    here.keep(action([START]), NOW);
    here.forge({ action: "cancel", changes: [STOP] });
    expect(here.state().modes).toHaveProperty("qa");
    expect(here.state().voided).toHaveLength(1);
  });

  it("starts a mode only as the agent's own, so that a person's takes its place", () => {
    const here = house();
    here.forge({ action: "mode", changes: [START] });
    expect(here.state().modes?.qa?.by).toBe("agent");
    expect(here.state().voided).toBeUndefined();
  });

  it("does not open a stricter stance", () => {
    const here = house();
    here.forge({ action: "stance", changes: [{ record: "stance", do: "set", stance: "auditing" }] });
    here.forge({ action: "stance", changes: [PLANNING] });
    here.forge({ action: "stance", changes: [BUILDING] });
    expect(here.state().stance).toBe("auditing");
  });
});

describe("a person's signed record", () => {
  it.each([
    ["pause", PAUSE, ({ pause }: State) => pause],
    ["grant", GRANT, ({ grants }: State) => grants["g1"]],
    ["habit", HABIT, ({ habits }: State) => habits["h1"]],
    ["trust", TRUST, ({ trust: { domains } }: State) => domains["shell_exec"]],
    ["stance", BUILDING, ({ stance }: State) => stance],
    ["check", CHECKED, ({ checks }: State) => checks],
  ] as const)("counts: %s", (_, change, seen) => {
    const here = house();
    here.keep(action([change]), NOW);
    expect(seen(here.state())).toBeDefined();
    expect(here.state().voided).toBeUndefined();
  });

  it("counts also when its text had to be cut to fit", () => {
    const here = house();
    here.keep(action([PAUSE], { detail: "long ".repeat(2000) }), NOW);
    expect(here.state().pause).toBeDefined();
  });

  it("tightens without a signature", () => {
    const here = house();
    for (const [change, t] of [
      [PAUSE, NOW],
      [GRANT, NOW + 1],
      [HABIT, NOW + 2],
    ] as const)
      here.keep(action([change]), t);
    here.forge({ action: "resume", changes: [{ record: "pause", do: "end" }] });
    here.forge({ action: "deny", changes: [{ record: "grant", do: "take-back", id: "g1" }] });
    here.forge({ action: "accept --drop", changes: [{ record: "habit", do: "drop", id: "h1" }] });
    expect(holdsNothing(here.state())).toBe(true);
    expect(here.state().voided).toBeUndefined();
  });
});

describe("records from before the key", () => {
  it("count as they did, but let nothing pass any more", () => {
    const directory = join(tempDirectory("authority"), "old");
    const old = openJournal({ directory });
    for (const change of [BUILDING, TRUST, PAUSE, GRANT, HABIT]) old.append(action([change]), SINCE - 10);
    const state = openJournal({ directory, key: { key: keyOf(ours) } }).read() as State;
    expect([state.stance, Object.keys(state.trust.domains)]).toEqual(["building", ["shell_exec"]]);
    expect([state.pause, state.grants, state.habits, state.voided]).toEqual([undefined, {}, {}, undefined]);
  });

  it("count without a key as in version 0.1.0", () => {
    const directory = join(tempDirectory("authority"), "plain");
    openJournal({ directory }).append(action([PAUSE]), NOW);
    expect((openJournal({ directory }).read() as State).pause).toBeDefined();
  });
});

describe("the key", () => {
  const root = (): string => tempDirectory("key");

  it("is opened by its passphrase alone", () => {
    expect(openKey(ours.file, "four words are enough")).toBeDefined();
    expect(openKey(ours.file, "four words are enougH")).toBeUndefined();
    expect(openKey(ours.file, "")).toBeUndefined();
  });

  it("is the same for a passphrase that is composed differently", () => {
    const { file } = newKey("caf\u00e9 und vier W\u00f6rter", SINCE, CHEAP);
    expect(openKey(file, "cafe\u0301 und vier Wo\u0308rter")).toBeDefined();
  });

  it("does not open when the public half in its file was exchanged", () => {
    expect(openKey({ ...ours.file, publicKey: theirs.file.publicKey }, "four words are enough")).toBeUndefined();
  });

  it("does not make the machine work for hours when the cost in its file was raised", () => {
    expect(
      openKey({ ...ours.file, locked: { ...ours.file.locked, cost: 40 } }, "four words are enough"),
    ).toBeUndefined();
  });

  it("is kept in a file that only its owner can read, and holds no private key in the clear", () => {
    const state = root();
    keepKeyFile(state, ours.file);
    expect(readKeyFile(state)).toEqual(ours.file);
    const text = readFileSync(keyFileIn(state), "utf8");
    expect(text).not.toContain(Buffer.from("302e020100300506032b6570", "hex").toString("base64url").slice(0, 12));
  });

  it("counts as the hooks name it, whatever the file says", () => {
    const state = root();
    expect(keyFileState(keyOf(ours), state)).toBe("gone");
    keepKeyFile(state, theirs.file);
    expect(keyFileState(keyOf(ours), state)).toBe("other");
    keepKeyFile(state, "off");
    expect(keyFileState(keyOf(ours), state)).toBe("gone");
    keepKeyFile(state, ours.file);
    expect(keyFileState(keyOf(ours), state)).toBe("as-named");
  });

  it("is nobody's when its file or its name is damaged", () => {
    const state = root();
    writeFileSync(keyFileIn(state), "{");
    expect(keyInFile(state)).toEqual({ key: NOBODYS_KEY });
    expect(keyIn("several")).toEqual(NOBODYS_KEY);
    expect(keyIn("")).toEqual(NOBODYS_KEY);
    expect(keyIn(keyText(keyOf(ours)))).toEqual(keyOf(ours));
  });

  it("grants nothing in a journal with signed records when it is gone, unless the person switched it off", () => {
    const here = house();
    here.forge({ changes: [PAUSE] });
    expect(here.state({}).pause).toBeUndefined();
    expect(here.state({}).voided?.map(({ why }) => why)).toEqual(["no-key", "no-key"]);
    expect(here.state({ isOff: true }).pause).toBeDefined();
  });

  it("of somebody else believes none of our records, and says so", () => {
    const here = house();
    here.keep(action([PAUSE]), NOW);
    const state = here.state({ key: keyOf(theirs) });
    expect([state.pause, state.voided?.map(({ why }) => why)]).toEqual([undefined, ["forged", "forged"]]);
  });
});

describe("a forged snapshot", () => {
  it("gives a pause that nothing passes by, because the signature is verified again when it is used", () => {
    const here = house();
    const vouches = (state: State): boolean =>
      authorityOf({ key: keyOf(ours) }, basename(here.directory)).vouches(actionBehind("pause", state));
    const forged = { ...here.state(), pause: { at: NOW, until: NOW + HOUR } };
    expect(vouches(forged)).toBe(false);
    here.keep(action([PAUSE]), NOW);
    const state = here.state();
    expect(vouches(state)).toBe(true);
    const longer = { ...state, pause: { ...state.pause, at: NOW, until: NOW + 2 * HOUR } } as State;
    expect(vouches(longer)).toBe(false);
  });

  it("of another key is not read", () => {
    const here = house();
    const names = readdirSync(here.directory).filter((name) => name.startsWith("snap."));
    expect(names).toHaveLength(1);
    expect(names[0]).toMatch(/k[0-9a-f]{16}$/);
  });
});

it("verifies a record once: the writer's snapshot holds it, and later readers look at no signature", () => {
  const here = house();
  for (let n = 0; n < 50; n++) here.keep(action([{ ...GRANT, id: `g${n}` } as Change]), NOW + n);
  const { journal, read } = openKeeper({ directory: here.directory, key: { key: keyOf(ours) } });
  expect(Object.keys((read() as State).grants)).toHaveLength(16);
  expect(journal.authority.looked()).toBe(0);
});
