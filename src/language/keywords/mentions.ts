/** Finds modes that a prompt names without ordering them, so that the person can be told how to start them. */
import { normal } from "../../state/settings/vocabulary.ts";
import { JA_TOLD, OTHER_PRODUCTS } from "./orders.ts";
import { isFound } from "./phrase-pattern.ts";
import { readPrompt } from "./text.ts";

/** Names that are ours with little doubt; `ralph`, `turbo` and `qa` in a sentence are people, programs and teams. */
const NAMES = {
  persistent: [
    "(persistent mode|persistent-mode|ralph mode|永続~モード|パーシステント~モード|継続~モード|持続~モード|persistent~モード)",
    ...asOrder("persistent|ralph"),
  ],
  turbo: [
    "(turbo mode|turbo-mode|autopilot mode|ultrawork|ターボ~モード|ウルトラワーク|turbo~モード)",
    ...asOrder("turbo|autopilot|auto-pilot|ulw"),
  ],
  qa: ["(qa mode|qa cycle|web-qa|qa~モード|qa~サイクル)"],
} as const;

/** The bare word as a title or at the end, where a person might have meant the mode. */
function asOrder(words: string): readonly string[] {
  return [`^(${words}): `, `(in|with|using|on|go) (${words})$`, `, (${words})$`];
}

/** A mode of the program that is being worked on: `a turbo mode`, `add turbo mode to the game`. */
const ANOTHER_THING = [
  "(a|an|another|new|own|its|their|no|old) (|new |simple |separate )(persistent|turbo|qa|autopilot)",
  "(add|implement|build|create|remove|rename|support|design|document|fix|test|style|hide|show|write) (|the |our |my )(persistent mode|turbo mode|turbo-mode|qa mode|autopilot mode|web-qa)",
  "(button|toggle|flag|option|menu|label|icon|checkbox|dialog|state|switch|enum|class|type)",
  "(モード|ワーク|サイクル)~(を|の)~(実装|追加|作成|削除|修正|表示|切り替え|切替|ボタン|ラベル|画面|機能|テスト)",
];

export type MentionedMode = keyof typeof NAMES;

/** Outside of quotations and code, and not where the sentence is about another thing of that name. */
export function modesMentioned(prompt: string): readonly MentionedMode[] {
  const rough = normal(prompt.slice(0, LOOKED_AT_MAX));
  if (!/mode|ultrawork|モード|ワーク|qa|turbo|ralph|pilot|ulw|persistent/.test(rough)) return [];
  const sentences = readPrompt(prompt).sentences.filter(
    ({ original }) => ![...OTHER_PRODUCTS, ...JA_TOLD, ...ANOTHER_THING].some((phrase) => isFound(phrase, original)),
  );
  const names = Object.keys(NAMES) as readonly MentionedMode[];
  return names.filter((name) => sentences.some(({ said }) => NAMES[name].some((phrase) => isFound(phrase, said))));
}

const LOOKED_AT_MAX = 4000;
