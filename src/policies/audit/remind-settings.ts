import { isOwnProcess } from "../../kernel/binding.ts";
import { loosened, OPTED_OUT, released, switchedOff, tightened } from "../../kernel/loosening.ts";
import { definePolicy, remember } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { problemWords, type SettingsProblem } from "../../state/settings/settings.ts";

/** Shows a person every setting that does not work as written, or that loosens protection. */
export const remindSettings = definePolicy({
  id: "remind-settings",
  on: ["SessionStart", "UserPromptSubmit"],
  needs: ["session", "settings", "settingsProblems", "caller"],
  floor: true,
  evenWhenOff: true,
  why: text(
    "A guard that is off or misread must not look like one that is on.",
    "切れている番人が、働いているように見えてはならない。",
  ),

  check({ event, facts }) {
    const off = switchedOff(facts.settings);
    const gone = released(facts.settings, facts.session.held);
    const isUnseen = ({ en }: Text): boolean => !facts.session.shown.includes(en);
    const wrong = facts.settingsProblems
      .map((problem) => both(`setting ${problemWords(inlined(problem))}`))
      .filter(isUnseen);
    const loose = [facts.settings.enabled ? undefined : OPTED_OUT, off, loosened(facts.settings), gone]
      .flatMap((word) => word ?? [])
      .filter(isUnseen);
    // A running session also starts anew, after compaction or by a forged event, and nobody reads that.
    const isTold = event.name !== "SessionStart" || !isOwnProcess(facts.session, facts.caller);
    const held = tightened(facts.settings);
    const isHeld = JSON.stringify(held) === JSON.stringify(facts.session.held ?? {});
    const isKept = isHeld || (!isTold && gone !== undefined);
    return {
      ...remember(
        ...[...wrong, ...(isTold ? loose : [])].map(
          ({ en }) => ({ record: "session", do: "show", notice: en }) as const,
        ),
        ...(isKept ? [] : [{ record: "session", do: "hold", settings: held } as const]),
      ),
      notices: [...wrong, ...loose],
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
