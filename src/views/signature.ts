/** How people see their key, and records that were not signed with it. */
import type { VoidReason } from "../state/signed.ts";

export const VOID_WORDS: Readonly<Record<VoidReason, string>> = {
  unsigned: "no signature",
  forged: "wrong signature",
  replayed: "repeats an earlier record",
  "no-key": "your key is missing",
};

/** Where your key stands. `pinned`: the hooks name it. */
export type KeyState = "none" | "off" | "pinned" | "unpinned" | "other" | "gone" | "broken";

export const KEY_WORDS: Readonly<Record<KeyState, string>> = {
  none: "no passphrase; `sekisho init` sets one",
  off: "no passphrase, as you chose; `sekisho init` sets one",
  pinned: "passphrase set; the hooks name your key",
  unpinned: "passphrase set; the hooks here do not name your key, so an exchanged key file would go unnoticed",
  other: "THE FILE WITH YOUR KEY WAS EXCHANGED: see `sekisho doctor`",
  gone: "THE FILE WITH YOUR KEY IS GONE: see `sekisho doctor`",
  broken: "THE FILE WITH YOUR KEY CANNOT BE READ: see `sekisho doctor`",
};
