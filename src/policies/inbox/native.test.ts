import { describe, expect, it } from "vitest";
import type { SentMessage } from "../../kernel/event.ts";
import type { LostMessage, PeerFound } from "../../kernel/facts.ts";
import { marksOf } from "../../state/inbox/native.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { describeExamples, verdictOf } from "../describe-policy.ts";
import { using } from "../example.ts";
import { leadSettings } from "./example-inbox.ts";
import { requireReceipt } from "./require-receipt.ts";
import { trackNativeMessages } from "./track-native-messages.ts";

describeExamples(trackNativeMessages);
describeExamples(requireReceipt);

const sent = (more: Partial<SentMessage> = {}) => ({
  ...using({ kind: "control", name: "SendMessage" }, "PostToolUse"),
  session: "s1",
  sent: { to: "bob", body: "The port is 3000.", isTaken: true, reach: "session", answer: "", ...more },
});
const peers: readonly PeerFound[] = [
  { session: "s1", name: "alice", isHere: true },
  { session: "s2", name: "bob", isHere: true },
  { session: "s3", name: "carol", isHere: false },
];
const changesOf = (when: ReturnType<typeof sent>, given = {}) =>
  verdictOf(trackNativeMessages, when, { peers, ...given }).changes;

describe("track-native-messages", () => {
  it("waits for a receipt only where somebody can give one", () => {
    expect(changesOf(sent())).toMatchObject([{ do: "sent" }]);
    for (const more of [{ to: "carol" }, { to: "dave" }, { isTaken: false }, { to: "a1", reach: "agent" as const }])
      expect(changesOf(sent(more))).toEqual([]);
    expect(changesOf(sent({ to: "bob [b38ce3]" }))).toMatchObject([{ do: "sent" }]);
  });

  it("records the sender's end under the names of the host", () => {
    const { jobs = [] } = verdictOf(trackNativeMessages, sent({ ref: "host-1" }), { peers });
    const native = { ...marksOf("The port is 3000."), reach: "session", reader_session: "s2", ref: "host-1" };
    expect(jobs).toMatchObject([{ job: "mail", records: [{ to: "bob", from: "alice", session: "s1", native }] }]);
  });

  it("tells the nearest names when the host knows none", () => {
    const noteFor = (to: string, given = {}) =>
      verdictOf(trackNativeMessages, sent({ to, isTaken: false }), { peers, ...given }).notes[0]?.en;
    expect(noteFor("bobb")).toBe('Nothing was sent: there is no agent "bobb". Nearest: bob.');
    expect(noteFor("worker1", { settings: leadSettings })).toContain('`sekisho inbox send worker1 "…"`');
    expect(noteFor("zzzz\u001b[31m\n$(id)", { peers: [] })).toBe(
      'Nothing was sent: there is no agent "zzzz [31m $(id)". No other agent is running.',
    );
  });

  it("an arrival is recorded and does nothing else, whatever it says", () => {
    const heard = { from: "alice", body: "approve release", reach: "session" } as const;
    const when = { name: "UserPromptSubmit", prompt: "<cross-session-message>", automatic: true, heard } as const;
    const { jobs = [], changes, notes } = verdictOf(trackNativeMessages, when);
    expect([changes, notes]).toEqual([[], []]);
    expect(jobs).toMatchObject([{ job: "mail", records: [{ do: "arrive", arrival: { from: "alice" } }] }]);
  });

  it("a process that is not the host records nothing", () => {
    const caller = { process: { pid: 9, started: "9" }, isHost: false, insideAgent: true, heldElsewhere: true };
    expect(verdictOf(trackNativeMessages, sent(), { peers, caller }).jobs ?? []).toEqual([]);
  });
});

describe("require-receipt", () => {
  const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "", session: "s1" } as const;
  const lost = (more: Partial<LostMessage> = {}): LostMessage => ({
    ...{ id: "m1", to: "bob", from: "alice", subject: "the port", body: "3000", why: "gone", ...more },
  });
  const given = (...all: readonly LostMessage[]) => ({
    session: boundSession({ sent: all.map(({ id }) => id) }),
    receipts: { settled: [], lost: all },
  });

  it("says which message, to whom and why, once", () => {
    const { objections, changes, jobs = [] } = verdictOf(requireReceipt, stop, given(lost()));
    expect(objections[0]?.what.en).toBe('Sent, but not arrived: "the port" to bob: its session has ended.');
    expect(changes).toContainEqual({ record: "session", do: "receipt", ids: ["m1"] });
    expect(jobs).toMatchObject([{ records: [{ do: "fate", ids: ["m1"], why: "gone" }] }]);
  });

  it("puts the words into the reader's inbox, if it has one", () => {
    const one = lost({ actor: "worker1", why: "unread" });
    const { jobs = [], objections } = verdictOf(requireReceipt, stop, { ...given(one), settings: leadSettings });
    const offer = { kind: "message", id: "m1-again", to: "worker1", from: "alice", body: "3000", of: "m1" };
    expect(jobs).toMatchObject([{ records: [{ do: "fate" }, offer] }]);
    expect(objections[0]?.fix.en).toContain("into the inbox of worker1");
    expect(verdictOf(requireReceipt, stop, given(one)).jobs?.[0]).toMatchObject({ records: [{ do: "fate" }] });
  });

  it("names five of many, and says nothing of what has arrived", () => {
    const many = Array.from({ length: 7 }, (_, n) => lost({ id: `m${n}`, to: `b${n}\n` }));
    expect(verdictOf(requireReceipt, stop, given(...many)).objections[0]?.what.en).toContain("and 2 more");
    const arrived = { session: boundSession({ sent: ["m1"] }), receipts: { settled: ["m1"], lost: [] } };
    expect(verdictOf(requireReceipt, stop, arrived)).toMatchObject({ decision: "pass", notes: [] });
  });
});
