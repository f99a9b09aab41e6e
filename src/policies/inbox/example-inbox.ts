/** Facts of examples: a worker in a team, and what waits for it. */
import type { Gathered, InboxFound } from "../../kernel/facts.ts";
import { newBox } from "../../state/inbox/box.ts";
import { message } from "../../state/inbox/example-mail.ts";
import { type Inbox, inbox } from "../../state/inbox/part.ts";
import { foldPart, type PartRecord } from "../../state/part.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";

export const leadSettings: Settings = { ...defaultSettings, roles: { preset: "lead", own: [] } };
export const armySettings: Settings = { ...defaultSettings, roles: { preset: "army", own: [] } };

export function exampleInbox(found: Partial<InboxFound> = {}, settings: Settings = leadSettings): Gathered {
  const actor = found.actor ?? "worker1";
  return {
    settings,
    session: boundSession({ actor }),
    inbox: { actor, box: newBox, asked: {}, working: [], ...found },
  };
}

export function boxAfter(actor: string, ...records: readonly PartRecord[]): Partial<InboxFound> {
  return { actor, box: (foldPart(inbox, records) as Inbox).boxes[actor] ?? newBox };
}

export function withMessages(...ids: readonly string[]): Partial<InboxFound> {
  return boxAfter("worker1", ...ids.map((id) => message(id)));
}
