/** The records of messages that go through the host, and what is said of one that the host did not take. */
import type { DeliveryNotice, HeardMessage, HookEvent, SentMessage } from "../../kernel/event.ts";
import { type Asked, askedOr, type PeerFound } from "../../kernel/facts.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { markOf } from "../../lib/sha256.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { marksOf } from "../../state/inbox/native.ts";
import type { MailRecord, MessageRecord } from "../../state/inbox/records.ts";
import { actorsNamed, allNames, nearest } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import type { Session } from "../../state/session/session.ts";
import type { Settings } from "../../state/settings/settings.ts";

interface Known {
  readonly session: Session;
  readonly settings: Settings;
  readonly peers: Asked<readonly PeerFound[]>;
}

const NAME_CHARS = 60;
const SUBJECT_CHARS = 120;
const BODIES_MAX = 20;

export function sending(event: HookEvent<"PostToolUse">, sent: SentMessage, known: Known): Ruling {
  const peers = askedOr(known.peers, []);
  const reader = readerOf(event, sent, peers);
  const id = markOf(`${event.session} ${event.call} ${sent.to}`).slice(0, 16);
  const [firstLine = ""] = sent.body.trim().split("\n", 1);
  const record: MessageRecord = {
    ...{ kind: "message", id, to: inline(sent.to, NAME_CHARS), from: senderOf(event, known.session, peers) },
    ...{ type: "message", subject: inline(sent.subject ?? firstLine, SUBJECT_CHARS), session: event.session },
    body: sent.body,
    native: {
      ...marksOf(sent.body),
      reach: sent.reach,
      ...(reader && { reader_session: reader.session }),
      ...(sent.ref !== undefined && { ref: inline(sent.ref, NAME_CHARS) }),
      ...(!sent.isTaken && { why: "unknown" }),
    },
  };
  const isAwaited = sent.isTaken && sent.reach === "session" && reader?.isHere;
  return {
    ...pass,
    jobs: [{ job: "mail", records: [record] }],
    ...(isAwaited && { changes: [{ record: "session", do: "sent", ids: [id] }] }),
    ...(!sent.isTaken && { notes: [notTaken(event, sent, known, peers)] }),
  };
}

/** The host writes a reference behind a name that several have. */
function readerOf(
  event: HookEvent<"PostToolUse">,
  { to, reach }: SentMessage,
  peers: readonly PeerFound[],
): Pick<PeerFound, "session" | "isHere"> | undefined {
  if (reach !== "session") return { session: event.session, isHere: true };
  const name = to.replace(/\s*\[[0-9a-f]{1,12}\]$/, "");
  const [reader, ...others] = peers.filter((peer) => peer.name === name && peer.session !== event.session);
  return others.length === 0 ? reader : undefined;
}

function senderOf({ agent, session: id }: HookEvent, { actor }: Session, peers: readonly PeerFound[]): string {
  const name = agent ? agent.type : (peers.find(({ session }) => session === id)?.name ?? actor);
  const shown = inline(name ?? id.slice(0, 8), NAME_CHARS);
  // A session can have any name in the host's registry.
  return shown === PERSON ? id.slice(0, 8) : shown;
}

function notTaken({ session }: HookEvent, { to }: SentMessage, { settings }: Known, peers: readonly PeerFound[]): Text {
  const { roles } = settings;
  const name = inline(to, 40);
  if (roles.preset !== "off" && actorsNamed(to, roles).length > 0) {
    return text(
      `Nothing was sent: the host knows no ${name}. Use \`sekisho inbox send ${name} "…"\`.`,
      `送られていません。ホストは ${name} を知りません。\`sekisho inbox send ${name} "…"\` を使ってください。`,
    );
  }
  const others = peers.filter((peer) => peer.session !== session).map((peer) => inline(peer.name, 40));
  const near = nearest(to, [...new Set([...others, ...(roles.preset === "off" ? [] : allNames(roles))])]).slice(0, 5);
  const known =
    near.length === 0
      ? ["No other agent is running.", "他のエージェントは動いていません。"]
      : [`Nearest: ${near.join(", ")}.`, `近い名前: ${near.join(", ")}。`];
  return text(
    `Nothing was sent: there is no agent "${name}". ${known[0]}`,
    `送られていません。「${name}」というエージェントはいません。${known[1]}`,
  );
}

/** A message that arrives is recorded, and does nothing else. */
export function arrivals(
  event: HookEvent<"UserPromptSubmit" | "Stop" | "SubagentStop">,
  heard: readonly HeardMessage[],
  notice?: DeliveryNotice,
): Ruling {
  const { session } = event;
  const arrived = heard.slice(0, BODIES_MAX).map(({ from, body }): MailRecord => {
    const arrival = { ...marksOf(body), from: inline(from, NAME_CHARS), reader: session };
    return { kind: "mail", do: "arrive", box: "", arrival, session };
  });
  const fate: readonly MailRecord[] = notice
    ? [{ kind: "mail", do: "fate", box: "", ids: notice.refs.slice(0, BODIES_MAX), why: notice.fate, session }]
    : [];
  return { ...pass, jobs: [{ job: "mail", records: [...arrived, ...fate] }] };
}
