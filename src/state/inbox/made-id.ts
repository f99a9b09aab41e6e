/** Ids of messages that Sekisho itself writes. Nobody else can use one and so keep such a message from being stored. */
import { markOf } from "../../lib/sha256.ts";

const PREFIX = "sekisho.";

/** The same for the same occasion, so that it is told once. */
export function madeId(occasion: string): string {
  return `${PREFIX}${markOf(occasion).slice(0, 16)}`;
}

export function isMadeId(id: string): boolean {
  return id.startsWith(PREFIX);
}
