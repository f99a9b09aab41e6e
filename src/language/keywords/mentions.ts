/** Finds modes that a prompt names without ordering them, so that the person can be told how to start them. */
import { normal } from "../../state/settings/vocabulary.ts";
import { JA_TOLD, OTHER_PRODUCTS } from "./orders.ts";
import { isFound } from "./phrase-pattern.ts";
import { readPrompt } from "./text.ts";

/** Names that are ours with little doubt; `ralph`, `turbo` and `qa` alone are people, programs and teams. */
const NAMES = {
  persistent: "(persistent mode|persistent-mode|永続~モード|パーシステント~モード|継続~モード|持続~モード)",
  turbo: "(turbo mode|turbo-mode|autopilot mode|ultrawork|ターボ~モード|ウルトラワーク)",
  qa: "(qa mode|qa cycle|web-qa|qa~モード|qa~サイクル)",
} as const;

export type MentionedMode = keyof typeof NAMES;

/** Outside of quotations and code, and not where the sentence is about another thing of that name. */
export function modesMentioned(prompt: string): readonly MentionedMode[] {
  const rough = normal(prompt.slice(0, LOOKED_AT_MAX));
  if (!/mode|ultrawork|モード|ワーク|qa/.test(rough)) return [];
  const sentences = readPrompt(prompt).sentences.filter(
    ({ original }) => ![...OTHER_PRODUCTS, ...JA_TOLD].some((phrase) => isFound(phrase, original)),
  );
  const names = Object.keys(NAMES) as readonly MentionedMode[];
  return names.filter((name) => sentences.some(({ said }) => isFound(NAMES[name], said)));
}

const LOOKED_AT_MAX = 4000;
