/** Checks the key with which a person's commands are signed, and records that were not signed with it. */

import { keyName, NOBODYS_KEY } from "../../state/person-key.ts";
import type { State } from "../../state/state.ts";
import { isFault, type StoreFault } from "../../store/store.ts";
import { KEY_WORDS } from "../../views/signature.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { keyHere } from "../person.ts";
import { type Check, type Finding, ok, registered, skip } from "./check.ts";

export const passphrase: Check = {
  id: "passphrase",
  title: "Your key",
  look(premises) {
    const { key = NOBODYS_KEY, state } = keyHere(premises.places.hostSettings, stateRoot(premises.env));
    if (state === "none" || state === "off") return skip(`${KEY_WORDS[state]}. ${UNPROTECTED}`);
    if (state === "pinned")
      return signatures(premises.store.read(), `passphrase set; the hooks name key ${keyName(key)}`);
    if (state === "unpinned") {
      const isPinnable = registered(premises).some(({ ours }) => ours.programs.length > 0);
      return isPinnable ? NOT_NAMED : signatures(premises.store.read(), KEY_WORDS.unpinned);
    }
    return { state: "fail", ...LOST[state], fix: BY_HAND };
  },
};

/** An unreadable journal is reported by its own check. */
function signatures(state: State | StoreFault, words: string): Finding {
  const voided = isFault(state) ? [] : (state.voided ?? []);
  if (voided.length === 0) return ok(words);
  return {
    state: "warn",
    what: `${voided.length} record(s) claim to be yours and are not signed by you: ${voided.map(({ action }) => action).join(", ")}`,
    why: "They do not count, but a process that runs as you has written them.",
    fix: "See `sekisho audit verify` and `sekisho audit --kind action`; find out what wrote them.",
  };
}

const UNPROTECTED =
  "Without it, whatever runs as you can write a pause into the journal; `audit verify` cannot tell it from yours";

const NOT_NAMED: Finding = {
  state: "warn",
  what: "set, but the hooks here do not name your key",
  why: "A process that runs as you could exchange the file with your key, and the hooks would believe the new one.",
  fix: "Run `sekisho init` here again.",
};

const BY_HAND =
  'If you did not do this, look for what did: `sekisho audit`. To start over, see docs/uninstall-by-hand.md, "A lost key".';

const LOST: Readonly<Record<"other" | "gone" | "broken", { readonly what: string; readonly why: string }>> = {
  other: {
    what: "the file with your key is not the one that the hooks name",
    why: "Somebody may have exchanged it. The hooks still believe only the key that they name; commands that sign refuse to work.",
  },
  gone: {
    what: "the hooks name a key, and the file with that key is gone",
    why: "The hooks still believe only that key, and nothing can be signed with it: nothing can be allowed or paused.",
  },
  broken: {
    what: "the file with your key cannot be read",
    why: "Nothing can be signed with it, so nothing can be allowed or paused.",
  },
};
