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
  none: "not set: a process of yours that an agent left behind could grant itself something. `sekisho init` sets one",
  off: "switched off by you: a process of yours that an agent left behind could grant itself something",
  pinned: "set; the hooks name your key",
  unpinned: "set; the hooks here do not name your key, so exchanging its file would go unnoticed",
  other: "THE FILE WITH YOUR KEY WAS EXCHANGED: see `sekisho doctor`",
  gone: "THE FILE WITH YOUR KEY IS GONE: see `sekisho doctor`",
  broken: "THE FILE WITH YOUR KEY CANNOT BE READ: see `sekisho doctor`",
};
