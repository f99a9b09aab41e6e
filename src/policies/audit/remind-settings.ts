import { bindingOf } from "../../kernel/binding.ts";
import {
  isBeginning,
  isPushedOut,
  loosened,
  OPTED_OUT,
  PUSHED_OUT,
  pinOf,
  switchedOff,
  withheld,
} from "../../kernel/loosening.ts";
import { definePolicy, remember } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { processName } from "../../state/session/session.ts";
import { pinnedIn, stricter } from "../../state/settings/pinned.ts";
import { problemWords, type SettingsProblem } from "../../state/settings/settings.ts";

/** Shows a person every setting that does not work as written, or that loosens protection. */
export const remindSettings = definePolicy({
  id: "remind-settings",
  on: ["SessionStart", "UserPromptSubmit"],
  needs: ["session", "settings", "writtenSettings", "settingsProblems", "caller"],
  floor: true,
  evenWhenOff: true,
  why: text(
    "A guard that is off or misread must not look like one that is on.",
    "切れている番人が、働いているように見えてはならない。",
  ),

  check({ event, facts }) {
    const { session, caller, settings, writtenSettings: written } = facts;
    const begins = isBeginning(event.name, session, caller.process);
    const isUnseen = ({ en }: Text): boolean => !session.shown.includes(en);
    const wrong = facts.settingsProblems
      .map((problem) => both(`setting ${problemWords(inlined(problem))}`))
      .filter(isUnseen);
    const loose = begins
      ? [written.enabled ? undefined : OPTED_OUT, switchedOff(written), loosened(written)]
      : [isPushedOut(session, caller.process) ? PUSHED_OUT : undefined, withheld(written, settings)];
    const news = loose.flatMap((word) => word ?? []).filter(isUnseen);
    // A running session also starts anew, after compaction or by a forged event, and nobody reads that.
    const isTold = begins || event.name !== "SessionStart";
    const values = pinnedIn(written);
    const known = pinOf(session, caller.process);
    const isPinned = known ? JSON.stringify(stricter(known, values)) === JSON.stringify(known) : !begins;
    const isHeld = isPinned || bindingOf(session, caller) === "unbound";
    return {
      ...remember(
        ...[...wrong, ...(isTold ? news : [])].map(
          ({ en }) => ({ record: "session", do: "show", notice: en }) as const,
        ),
        ...(isHeld
          ? []
          : [{ record: "session", do: "pin", by: processName(caller.process), settings: values } as const]),
      ),
      notices: [...wrong, ...news],
    };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "hello" },
      given: { settingsProblems: [{ key: "language", message: 'must be "auto"' }] },
    },
  ],
});

/** Shortens each part separately, so that a long value does not hide the file name. */
function inlined({ key, message, file, line }: SettingsProblem): SettingsProblem {
  return {
    key: inline(key),
    message: inline(message, 300),
    ...(file !== undefined && { file: inline(file, 300) }),
    ...(line !== undefined && { line }),
  };
}

function both(words: string): Text {
  return text(words, words);
}
