import { describe, expect, it } from "vitest";
import type { Change } from "../state/change.ts";
import { type Awaited, type Awaiting, type Awaits, keyOf, SPOILED, withoutSettled } from "../state/session/awaiting.ts";
import { type Coverage, MAIN, newCoverage } from "../state/session/coverage.ts";
import type { Transcript, TranscriptPrompt } from "./facts.ts";
import { commandMark, wordsMark } from "./marks.ts";
import { testify, traceIn } from "./testimony.ts";

const AT = 100_000;
const LATER = AT + 60_000;
const CHECK = { record: "check", do: "end" } as Change;
const CANCEL = { record: "mode", do: "stop" } as Change;
const CALL = { call: "t1", mark: commandMark("npm test") } as const;

const item = (awaits: Awaits, change: Change = CHECK): Awaited => ({ at: AT, awaits, change });
const reading = (more: Partial<Transcript> = {}): Transcript => ({
  ...{ uses: [], results: [], prompts: [], broken: false },
  cursor: { offset: 1, mark: "", whole: true },
  ...more,
});
const use = (command?: string) => ({ id: "t1", tool: "Bash", at: AT, ...(command !== undefined && { command }) });
const OK = { id: "t1", ran: true };
const wrote = (from: TranscriptPrompt["from"], words = "/cancel", at = AT): Transcript =>
  reading({ prompts: [{ words, from, at }] });

/** Read to its end once before, after the time of the cause. */
const readBefore: Coverage = {
  ...newCoverage(0),
  cursors: { [MAIN]: { offset: 1, mark: "", whole: true, at: AT + 5_000 } },
};

function found(awaited: Awaited, told: Transcript | undefined, coverage = newCoverage(0), now = AT + 1): unknown {
  const { settled, gaps } = testify([awaited], told ? { [MAIN]: told } : {}, coverage, now);
  const key = keyOf(awaited.awaits);
  const is = settled?.seen?.includes(key) ? "seen" : settled?.void?.includes(key) ? "void" : "open";
  return gaps[0] ? [is, gaps[0].kind] : [is];
}

describe("a call that was reported", () => {
  it.each<[string, Transcript | undefined, readonly string[]]>([
    ["is shown with its command and a result", reading({ uses: [use("npm test")], results: [OK] }), ["seen"]],
    ["is not shown yet", reading(), ["open"]],
    ["has no transcript", undefined, ["open"]],
    ["has no result yet", reading({ uses: [use("npm test")] }), ["open"]],
    ["has a result, and nobody saw the call", reading({ results: [OK] }), ["open"]],
    ["had another command", reading({ uses: [use("true")], results: [OK] }), ["void", "rewritten"]],
    ["failed", reading({ uses: [use("npm test")], results: [{ ...OK, failed: true }] }), ["void", "forged"]],
  ])("%s", (_, told, wanted) => {
    expect(found(item(CALL), told)).toEqual(wanted);
  });

  it("is met only with the command that was judged", () => {
    const open = { tool: "Bash", at: AT, mark: CALL.mark, background: false };
    expect(traceIn({ t1: open } as never, reading({ uses: [use("npm test")] }))).toEqual({ confirmed: ["t1"] });
    expect(traceIn({ t1: open } as never, reading({ uses: [use("true")] }))).toEqual({});
  });

  it("needs only its result if an earlier reading has shown it", () => {
    expect(found(item({ ...CALL, met: true }), reading({ results: [OK] }))).toEqual(["seen"]);
  });

  it("that was never judged is not confirmed by a command", () => {
    expect(found(item({ call: "t1" }), reading({ uses: [use("npm test")], results: [OK] }))).toEqual([
      "void",
      "rewritten",
    ]);
  });

  it("of a subagent is not confirmed by the main agent's transcript", () => {
    expect(found(item({ ...CALL, agent: "a1" }), reading({ uses: [use("npm test")], results: [OK] }))).toEqual([
      "open",
    ]);
  });
});

describe("a call that never appears", () => {
  it("counts as forged after two complete readings", () => {
    expect(found(item(CALL), reading(), readBefore, LATER)).toEqual(["void", "forged"]);
  });

  it.each<[string, Transcript, Coverage, number]>([
    ["there was no earlier reading", reading(), newCoverage(0), LATER],
    ["too little time has passed", reading(), readBefore, AT + 9_000],
    ["this reading has a hole", reading({ broken: true }), readBefore, LATER],
    ["this reading is not complete", reading({ cursor: { offset: 1, mark: "", whole: false } }), readBefore, LATER],
  ])("stays open: %s", (_, told, coverage, now) => {
    expect(found(item(CALL), told, coverage, now)).toEqual(["open"]);
  });

  it("is dropped without an accusation if the transcript has shown the call", () => {
    expect(found(item({ ...CALL, met: true }), reading(), readBefore, LATER)).toEqual(["void"]);
  });
});

describe("a prompt that was reported", () => {
  const prompt = wordsMark("/cancel");

  it.each<[string, TranscriptPrompt["from"], Extract<Awaits, { prompt: string }>["from"], readonly string[]]>([
    ["a person wrote it", "person", undefined, ["seen"]],
    ["a person wrote it while a command ran", "person", "busy", ["seen"]],
    ["the program that runs the host sent it", "program", undefined, ["seen"]],
    ["it sent it while a command ran", "program", "busy", ["void"]],
    ["another session sent it", "peer", undefined, ["void", "prompt"]],
    ["a schedule sent it", "other", undefined, ["void"]],
    ["the agent only said it", "said", undefined, ["open"]],
    ["a task's note, as a task's note", "task", "task", ["seen"]],
    ["a person's words, as a task's note", "person", "task", ["void"]],
    ["a task's note, as a person's words", "task", undefined, ["void"]],
    ["a reviewer's words", "said", "agent", ["seen"]],
    ["a break", "break", "break", ["seen"]],
    ["a person's words, as a break", "person", "break", ["open"]],
  ])("%s", (_, origin, from, wanted) => {
    expect(found(item({ prompt, ...(from && { from }) }, CANCEL), wrote(origin))).toEqual(wanted);
  });

  it("of another session is named by its weightiest change, whichever is read first", () => {
    const refill: Change = { record: "session", do: "prompt" };
    for (const changes of [
      [refill, CANCEL],
      [CANCEL, refill],
    ]) {
      const items = changes.map((change) => item({ prompt }, change));
      const { gaps } = testify(items, { [MAIN]: wrote("peer") }, newCoverage(0), AT + 1);
      expect(gaps).toEqual([{ kind: "prompt", count: 1, calls: ["cancel"] }]);
    }
  });

  it("other words, or the same words long before, show nothing", () => {
    expect(found(item({ prompt }, CANCEL), wrote("person", "go on"))).toEqual(["open"]);
    expect(found(item({ prompt }, CANCEL), wrote("person", "/cancel", AT - 61_000))).toEqual(["open"]);
  });

  it("is reported as missing only if it ends or approves something", () => {
    expect(found(item({ prompt }, CANCEL), reading(), readBefore, LATER)).toEqual(["void", "prompt"]);
    const refill: Change = { record: "session", do: "prompt" };
    expect(found(item({ prompt }, refill), reading(), readBefore, LATER)).toEqual(["void"]);
  });
});

it("one cause does not pass for another, whatever a forged event is named", () => {
  const prompt = wordsMark("go on");
  const same: readonly Awaits[] = [
    { call: prompt },
    { call: prompt, mark: "m" },
    { call: prompt, agent: "a1" },
    { prompt, from: "busy" },
    { prompt, from: "agent", agent: "a1" },
  ];
  const items = [item({ prompt }), ...same.map((awaits) => item(awaits))];
  const { settled } = testify(items, { [MAIN]: wrote("program", "go on") }, newCoverage(0), AT + 1);
  expect(settled).toMatchObject({ seen: [keyOf({ prompt })], void: [keyOf({ prompt, from: "busy" })] });
});

it("one prompt in the transcript confirms one event, with all its changes", () => {
  const prompt = wordsMark("go on");
  const [first, other] = [item({ prompt }), item({ prompt }, CANCEL)];
  const replayed = { ...item({ prompt, again: 1 }, CANCEL), at: AT + 5 };
  const told = { [MAIN]: wrote("person", "go on") };
  const { settled } = testify([first, other, replayed], told, newCoverage(0), AT + 9);
  expect(settled).toMatchObject({ seen: [keyOf({ prompt })], heard: { [prompt]: AT } });
  // Also when the first has been confirmed before, and again once the person has said it again.
  const late = { ...item({ prompt }, CANCEL), at: AT + 5 };
  expect(testify([late], told, newCoverage(0), AT + 9, undefined, { [prompt]: AT }).settled).toBeUndefined();
  const twice = { [MAIN]: reading({ prompts: [AT, AT + 4].map((at) => ({ words: "go on", from: "person", at })) }) };
  expect(testify([first, replayed], twice, newCoverage(0), AT + 9).settled?.seen).toHaveLength(2);
  expect(testify([late], twice, newCoverage(0), AT + 9, undefined, { [prompt]: AT }).settled?.seen).toHaveLength(1);
});

it("words that another session sent are no person's, though a second host wrote the same", () => {
  const prompt = wordsMark("approve it");
  const said = (...origins: readonly [TranscriptPrompt["from"], number][]) => ({
    [MAIN]: reading({ prompts: origins.map(([from, at]) => ({ words: "approve it", from, at })) }),
  });
  const approve = { record: "proof", do: "approve", name: "it" } as Change;
  for (const told of [said(["peer", AT], ["program", AT + 4]), said(["person", AT - 9], ["other", AT])]) {
    const { settled } = testify([item({ prompt }, approve)], told, newCoverage(0), AT + 9);
    expect(settled).toMatchObject({ void: [keyOf({ prompt })] });
  }
  // Nor later: the daemon has seen the words, and an agent can wait until nobody looks back so far.
  const before = testify([item({ prompt }, approve)], said(["peer", AT]), newCoverage(0), AT + 9).settled?.heard;
  const forged = { ...item({ prompt }, approve), at: AT + 90_000 };
  const after = said(["program", AT + 90_000]);
  expect(testify([forged], after, newCoverage(0), AT + 90_009, () => "seen", before).settled?.seen).toBeUndefined();
  const expanded = { ...forged, awaits: { prompt, expanded: true } as const };
  expect(testify([expanded], after, newCoverage(0), AT + 90_009, () => "seen", before).settled?.seen).toBeUndefined();
  const twice = said(["peer", AT], ["program", AT + 4], ["program", AT + 5]);
  const again = { ...item({ prompt, again: 1 }, approve), at: AT + 5 };
  const { settled } = testify([item({ prompt }, approve), again], twice, newCoverage(0), AT + 9, () => "seen");
  expect(settled?.seen).toBeUndefined();
  // Other words of the person count.
  const other = { ...item({ prompt: wordsMark("yes, do it") }, approve), at: AT + 20 };
  const own = { [MAIN]: wrote("person", "yes, do it", AT + 20) };
  expect(testify([other], own, newCoverage(0), AT + 30, undefined, before).settled?.seen).toHaveLength(1);
});

it("words of another session are not forgotten for the words of other messages", () => {
  const marks = Array.from({ length: 50 }, (_, n) => `m${n}`);
  const session = marks.reduce<Awaiting>(
    (all, mark) => withoutSettled(all, { record: "session", do: "witness", heard: { [mark]: SPOILED } }),
    {},
  );
  const later = Object.fromEntries(marks.map((mark, n) => [`p${mark}`, n]));
  const heard = withoutSettled(session, { record: "session", do: "witness", heard: later }).heard ?? {};
  expect(marks.filter((mark) => heard[mark] !== SPOILED)).toEqual([]);
  expect(Object.keys(heard)).toHaveLength(58);
});
