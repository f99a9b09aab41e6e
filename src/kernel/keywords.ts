/** Which keywords a person's prompt names. A false start drives people away; who is not heard can say it outright. */
import { normal, type OwnKeyword, vocabularyProblem } from "../state/vocabulary.ts";
import { saidIn } from "./activity.ts";
import { ASIDE } from "./activity-said.ts";
import type { KeywordWords } from "./keyword-orders.ts";
import { type ReadPrompt, readPrompt, type Sentence } from "./keyword-text.ts";
import { GLOBAL_VETOES, NO_VETOES, NOT_NOW, TALK_VETOES } from "./keyword-vetoes.ts";
import { MODE_WORDS } from "./keyword-words.ts";
import { SKILL_WORDS } from "./keyword-words-skills.ts";
import { foundAt, isFound, withoutPhrase } from "./phrase-pattern.ts";

export type KeywordName = keyof typeof MODE_WORDS | keyof typeof SKILL_WORDS;

/** In the order in which they are named and hold. */
export const KEYWORDS: readonly KeywordName[] = [
  ...(["cancel", "persistent", "turbo", "research-pilot", "feature-pilot", "web-qa", "security", "bug-fix"] as const),
  ...(["deep-explain", "analyze-pipeline", "competitive-tracker", "manual-generator"] as const),
];

/** Whoever is named left of it rules out what is named right of it. */
const CONFLICTS: readonly (readonly [KeywordName, KeywordName])[] = [
  ["research-pilot", "feature-pilot"],
  ["feature-pilot", "bug-fix"],
  ["analyze-pipeline", "competitive-tracker"],
];

const OWN_MAX = 50;
const PHRASES_MAX = 50;

/** After conflicts, by priority; a person's own after ours. */
export function keywordsIn(prompt: string, own: readonly OwnKeyword[] = []): readonly string[] {
  // An explicit command says itself what it wants.
  if (prompt.trimStart().startsWith("/")) return [];
  const words: Readonly<Record<KeywordName, KeywordWords>> = { ...MODE_WORDS, ...SKILL_WORDS };
  const rough = normal(prompt.slice(0, LOOKED_AT_MAX) + prompt.slice(LOOKED_AT_MAX).slice(-LOOKED_AT_MAX));
  const likely = KEYWORDS.filter((name) => words[name].stems.split(" ").some((stem) => rough.includes(stem)));
  if (likely.length === 0 && own.length === 0) return [];
  const context = contextOf(readPrompt(prompt));
  const named = [
    ...likely.filter((name) => isNamed(words[name], context)),
    ...own.slice(0, OWN_MAX).flatMap((one) => (isNamed(usable(one), context) ? one.name : [])),
  ];
  return inOrder(withoutConflicts(named));
}

/** At least what prose.ts reads of either end. */
const LOOKED_AT_MAX = 4000;

function withoutConflicts(named: readonly string[]): readonly string[] {
  if (named.includes("cancel")) return ["cancel"];
  return named.filter((name) => !CONFLICTS.some(([holds, yields]) => yields === name && named.includes(holds)));
}

function inOrder(named: readonly string[]): readonly string[] {
  const ours = KEYWORDS.filter((name) => named.includes(name));
  return [...new Set([...ours, ...named])];
}

/** The settings tell of the others. */
function usable({ strong, weak, veto }: OwnKeyword): KeywordWords {
  const good = (phrases: readonly string[]): readonly string[] =>
    phrases.slice(0, PHRASES_MAX).filter((phrase) => vocabularyProblem(phrase) === undefined);
  return { stems: "", strong: good(strong), weak: good(weak), veto: good(veto) };
}

interface Context extends ReadPrompt {
  readonly isTalk: () => boolean;
  readonly isVetoed: () => boolean;
}

/** Most prompts name nothing: what speaks against it is asked only where something is named. */
function contextOf(read: ReadPrompt): Context {
  return {
    ...read,
    isTalk: once(() => hasAny(TALK_VETOES, read.original)),
    isVetoed: once(() => isVetoed(read.original)),
  };
}

function once(ask: () => boolean): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= ask();
    return known;
  };
}

function isNamed(words: KeywordWords, context: Context): boolean {
  const isLine = !context.original.trim().includes("\n");
  if (words.isShort && !(isLine && context.original.trim().length <= SHORT_CHARS_MAX)) return false;
  const strong = [...words.strong, ...((isLine && words.alone) || [])];
  const isAsked = (one: Sentence): boolean =>
    !one.isItem && !isVetoed(one.original) && !isQuestion(one) && !context.isTalk();
  const isOrder = (one: Sentence): boolean => isAsked(one) && !hasAny(words.unless ?? [], one.original);
  if (context.sentences.some((one) => isSaid(words.sure ?? [], one) && isAsked(one))) return true;
  if (context.sentences.some((one) => isSaid(strong, one) && isOrder(one))) return true;
  return (
    context.sentences.some((one) => isSaid(words.weak, one) && isOrder(one)) &&
    !context.isVetoed() &&
    !hasAny(words.veto, context.original) &&
    (!words.isBesideWork || context.sentences.some(({ said }) => isWork(words.weak.reduce(withoutPhrase, said))))
  );
}

const SHORT_CHARS_MAX = 80;

/** For now: an order may wait for a case that stands before it, but what is told of a case has come. */
function isSaid(phrases: readonly string[], { said }: Sentence): boolean {
  const isAsking = isFound("(て|で)$", said);
  return phrases.some((phrase) => {
    const at = foundAt(phrase, said);
    return at >= 0 && !(isAsking && hasAny(NOT_NOW, said.slice(0, at)));
  });
}

function isVetoed(original: string): boolean {
  const text = NO_VETOES.reduce((rest, phrase) => rest.replaceAll(phrase, " "), original);
  return hasAny(GLOBAL_VETOES, text);
}

/** `Can you run it?` is an order all the same. */
function isQuestion({ said, original }: Sentence): boolean {
  return said.endsWith("?") && !hasAny(ASKED_ORDERS, original);
}

const ASKED_ORDERS = ["(くれ|もらえ|いただけ|頂け|くださ)…8?", "(can you|could you)"];

/** The reader of activities knows orders; what is only asked by the way is none. */
function isWork(said: string): boolean {
  const kinds = ["implement", "debug", "design", "plan", "review"];
  const plain = said.replace(/^[\ue000-\uf8ff\s]+/, "");
  return (
    isFound(DOING, plain) ||
    saidIn(plain).some(({ activity, isCommand, weight }) => isCommand && weight > ASIDE && kinds.includes(activity))
  );
}

/** No work of a kind, but work: what is to be done is there. */
const DOING = "^(do|finish|complete|carry out|work through|go through) (the|all|all the|every|these|my|our)";

function hasAny(phrases: readonly string[], text: string): boolean {
  return phrases.some((phrase) => isFound(phrase, text));
}
