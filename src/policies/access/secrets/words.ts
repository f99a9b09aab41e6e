/** The message about a leak. */
import { ask, deny, pass, type Ruling } from "../../../kernel/policy.ts";
import { inline, type Text, text } from "../../../lib/text.ts";
import { readable, showing } from "../../../state/agreements.ts";
import { shown } from "../danger/danger.ts";
import type { Leak } from "./leak.ts";

/** The strictest leak decides; if any leak is floor, the whole ruling is floor. */
export function refused(leaks: readonly Leak[], isOnce = false): Ruling {
  if (leaks.length === 0) return pass;
  const [worst] = [...leaks].sort((a, b) => weight(b) - weight(a));
  if (!worst) return pass;
  const agreement = isOnce ? agreementOn(leaks) : undefined;
  const words = {
    what: wordsOf(worst),
    fix: worst.secret.instead,
    ...(leaks.some(isFloor) && { floor: true as const }),
    ...(agreement && { agreement }),
  };
  return worst.decision === "deny" ? deny(words) : ask(words);
}

/** A yes covers showing the same files again; what is sent or copied is asked about each time. */
function agreementOn(leaks: readonly Leak[]): readonly string[] | undefined {
  const isCovered = leaks.every(({ way, decision, secret }) => way === "shown" && decision === "ask" && secret.files);
  return isCovered ? readable(leaks.flatMap(({ secret: { files = [] } }) => files.map(showing))) : undefined;
}

function weight(leak: Leak): number {
  return (leak.decision === "deny" ? 4 : 0) + (isFloor(leak) ? 2 : 0) + (leak.way === "sent" ? 1 : 0);
}

/** Keys that leave the machine. A person may allow showing them. */
function isFloor({ way, decision, secret }: Leak): boolean {
  return way === "sent" && decision === "deny" && secret.floor === true;
}

function wordsOf({ way, secret: { name }, by }: Leak): Text {
  const who = typeof by === "string" ? inline(by, 60) : shown(by);
  switch (way) {
    case "sent":
      return text(
        `This would send ${name.en} off this machine (${who}).`,
        `${name.ja}をマシンの外に送る操作です (${who})。`,
      );
    case "shown":
      return text(`This would show ${name.en} to the model (${who}).`, `${name.ja}をモデルに見せる操作です (${who})。`);
    case "copied":
      return text(
        `This would copy ${name.en} to where it is not known as one (${who}).`,
        `${name.ja}を、それと分からない場所に写す操作です (${who})。`,
      );
    case "handed":
      return text(`This would hand ${name.en} to ${who}.`, `${name.ja}を ${who} に渡す操作です。`);
    case "added":
      return text(
        `This would put ${name.en} into the repository, and so wherever it is pushed (${who}).`,
        `${name.ja}をリポジトリに入れ、push 先に渡す操作です (${who})。`,
      );
  }
}
