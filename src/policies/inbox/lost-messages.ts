/** What is said and recorded of messages that went through the host and did not arrive. */
import type { HookEvent } from "../../kernel/event.ts";
import type { LostMessage, ReceiptsFound } from "../../kernel/facts.ts";
import { deny, pass, type Ruling } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { offerId } from "../../state/inbox/part.ts";
import type { MailRecord, MessageRecord } from "../../state/inbox/records.ts";
import type { RoleSettings } from "../../state/roles/names.ts";

const LINES_MAX = 5;

export function toldOf(event: HookEvent, { settled, lost }: ReceiptsFound, roles: RoleSettings): Ruling {
  const changes = [{ record: "session", do: "receipt", ids: [...settled, ...lost.map(({ id }) => id)] }] as const;
  if (lost.length === 0) return { ...pass, changes };
  const offers = lost.flatMap((message) => (roles.preset === "off" ? [] : offerOf(message)));
  const records = [...fatesOf(lost, event.session), ...offers];
  if (event.name !== "Stop") return { ...pass, changes, notes: [lineOf(lost)], jobs: [{ job: "mail", records }] };
  return { ...deny({ what: lineOf(lost), fix: fixFor(lost, offers) }), changes, jobs: [{ job: "deliver", records }] };
}

function fatesOf(lost: readonly LostMessage[], session: string): readonly MailRecord[] {
  return (["gone", "unread"] as const).flatMap((why) => {
    const ids = lost.filter((message) => message.why === why).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ kind: "mail", do: "fate", box: "", ids, why, session } as const];
  });
}

/** The same words in the reader's inbox here. They wait there until its next session. */
function offerOf({ id, actor, from, subject, body, blob }: LostMessage): readonly MessageRecord[] {
  if (actor === undefined) return [];
  const text = { ...(body !== undefined && { body }), ...(blob && { blob }) };
  return [{ kind: "message", id: offerId(id), to: actor, from, type: "message", subject, of: id, ...text }];
}

function lineOf(lost: readonly LostMessage[]): Text {
  const said = lost.slice(0, LINES_MAX).map(({ to, subject, why }) => {
    const [name, about] = [inline(to, 40), inline(subject, 40)];
    return why === "gone"
      ? text(`"${about}" to ${name}: its session has ended`, `${name} 宛て「${about}」: セッションが終了しています`)
      : text(`"${about}" to ${name}: idle, and has not got it`, `${name} 宛て「${about}」: 待機中ですが届いていません`);
  });
  const more =
    lost.length > LINES_MAX
      ? [`; and ${lost.length - LINES_MAX} more`, `、ほか ${lost.length - LINES_MAX} 件`]
      : ["", ""];
  return text(
    `Sent, but not arrived: ${said.map(({ en }) => en).join("; ")}${more[0]}.`,
    `送信済みですが届いていません: ${said.map(({ ja }) => ja).join("、")}${more[1]}。`,
  );
}

function fixFor(lost: readonly LostMessage[], offers: readonly MessageRecord[]): Text {
  if (offers.length === lost.length) {
    const names = [...new Set(offers.map(({ to }) => to))].join(", ");
    return text(
      `Don't report it as delivered. Sekisho has put it into the inbox of ${names}, to be read at its next turn.`,
      `届いたと報告しないでください。${names} の受信箱に入れたので、次のターンで読まれます。`,
    );
  }
  return text(
    "Don't report it as delivered, and don't wait for an answer. Tell the person, or write it where the reader will look.",
    "届いたと報告せず、返事も待たないでください。利用者に伝えるか、相手が見る場所に書いてください。",
  );
}
