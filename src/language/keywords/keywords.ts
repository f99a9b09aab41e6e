/**
 * Finds the keywords in a person's prompt. Avoiding false starts matters more than catching everything, because a slash
 * command always works.
 */
import { normal, type OwnKeyword, vocabularyProblem } from "../../state/settings/vocabulary.ts";
import { saidIn } from "../activity/activity.ts";
import { ASIDE } from "../activity/said.ts";
import type { KeywordWords } from "./orders.ts";
import { foundAt, isFound, withoutPhrase, withoutPoliteStart } from "./phrase-pattern.ts";
import { type ReadPrompt, readPrompt, type Sentence } from "./text.ts";
import { explicitVeto, GLOBAL_VETOES, NO_VETOES, NOT_NOW, TALK_VETOES } from "./vetoes.ts";
import { MODE_WORDS } from "./words.ts";
import { SKILL_WORDS } from "./words-skills.ts";

export type KeywordName = keyof typeof MODE_WORDS | keyof typeof SKILL_WORDS;

/** In order of priority. */
export const KEYWORDS: readonly KeywordName[] = [
  ...(["cancel", "persistent", "turbo", "research-pilot", "feature-pilot", "web-qa", "security", "bug-fix"] as const),
  ...(["deep-explain", "analyze-pipeline", "competitive-tracker", "manual-generator"] as const),
];

/** The left keyword overrides the right one. */
const CONFLICTS: readonly (readonly [KeywordName, KeywordName])[] = [
  ["research-pilot", "feature-pilot"],
  ["feature-pilot", "bug-fix"],
  ["analyze-pipeline", "competitive-tracker"],
];

const OWN_MAX = 50;
const PHRASES_MAX = 50;

/** Conflicts resolved, sorted by priority; custom keywords come last. */
export function keywordsIn(prompt: string, own: readonly OwnKeyword[] = []): readonly string[] {
  // A slash command needs no keyword.
  if (prompt.trimStart().startsWith("/")) return [];
  const words: Readonly<Record<KeywordName, KeywordWords>> = { ...MODE_WORDS, ...SKILL_WORDS };
  const rough = normal(prompt.slice(0, LOOKED_AT_MAX) + prompt.slice(LOOKED_AT_MAX).slice(-LOOKED_AT_MAX));
  const likely = KEYWORDS.filter((name) => words[name].stems.split(" ").some((stem) => rough.includes(stem)));
  if (likely.length === 0 && own.length === 0) return [];
  const context = contextOf(readPrompt(prompt));
  const inClauses = { ...context, sentences: context.sentences.flatMap(clausesOf) };
  const named = [
    ...likely.filter((name) => isNamed(words[name], context) || (isSkill(name) && isNamed(words[name], inClauses))),
    ...own.slice(0, OWN_MAX).flatMap((one) => (isNamed(usable(one), context) ? one.name : [])),
  ];
  // Whoever takes an order back in the same prompt has ordered nothing.
  const isOrder = (name: KeywordName): boolean =>
    named.includes(name) ||
    inClauses.sentences.some((clause) => isNamed(words[name], { ...context, sentences: [clause] }));
  const isOrdered = (): boolean => likely.some((name) => name !== "cancel" && isOrder(name));
  const isTakenBack = prompt.length <= TAKEN_BACK_CHARS_MAX && takesBack(context.sentences) && isOrdered();
  return isTakenBack ? ["cancel"] : inOrder(withoutConflicts(named));
}

const TAKEN_BACK_CHARS_MAX = 400;

/** Web-qa is a mode, although it stands among the skills. */
function isSkill(name: KeywordName): boolean {
  return Object.hasOwn(SKILL_WORDS, name) && name !== "web-qa";
}

/** At least as much as prose.ts reads of each end. */
const LOOKED_AT_MAX = 4000;

function withoutConflicts(named: readonly string[]): readonly string[] {
  if (named.includes("cancel")) return ["cancel"];
  return named.filter((name) => !CONFLICTS.some(([holds, yields]) => yields === name && named.includes(holds)));
}

function inOrder(named: readonly string[]): readonly string[] {
  const ours = KEYWORDS.filter((name) => named.includes(name));
  return [...new Set([...ours, ...named])];
}

/** Unusable phrases are skipped here; the settings check reports them. */
function usable({ strong, weak, veto }: OwnKeyword): KeywordWords {
  const good = (phrases: readonly string[]): readonly string[] =>
    phrases.slice(0, PHRASES_MAX).filter((phrase) => vocabularyProblem(phrase) === undefined);
  return { stems: "", strong: good(strong), weak: good(weak), veto: good(veto) };
}

interface Context extends ReadPrompt {
  readonly isTalk: () => boolean;
  readonly isVetoed: () => boolean;
}

/** Evaluated lazily, because most prompts contain no keyword. */
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
  const isOnly = context.sentences.length === 1;
  const strong = [...words.strong, ...((isLine && words.alone) || []), ...((isLine && isOnly && words.only) || [])];
  const isAsked = (one: Sentence): boolean =>
    !one.isItem && !isVetoed(one.original) && !isQuestion(one) && !context.isTalk();
  const isOrder = (one: Sentence): boolean => isAsked(one) && !hasAny(words.unless ?? [], one.original);
  if (isExplicit(words.explicit ?? [], context)) return true;
  if (context.sentences.some((one) => isSaid(strong, one) && isOrder(one))) return true;
  const isWeak = (phrases: readonly string[]): boolean =>
    context.sentences.some((one) => isSaid(phrases, one) && isOrder(one));
  const isBeside = (): boolean =>
    !words.isBesideWork || context.sentences.some(({ said }) => isWork(words.weak.reduce(withoutPhrase, said)));
  if (!(isWeak(words.mention ?? []) || (isWeak(words.weak) && isBeside()))) return false;
  return !context.isVetoed() && !hasAny(words.veto, context.original);
}

/** The title stands at the beginning, so what follows is its task, whatever words are in it. */
function isExplicit(phrases: readonly string[], { sentences }: Context): boolean {
  const [first] = sentences;
  return first !== undefined && !first.isItem && isSaid(phrases, first) && !explicitVeto().test(first.original);
}

const SHORT_CHARS_MAX = 80;

/** The parts of a sentence that commas separate; vetoes still go by the whole sentence. */
function clausesOf(sentence: Sentence): readonly Sentence[] {
  const parts = sentence.said.split(/[\u3001,;]\s*|\s(?:and then|then)\s/);
  return parts.map((said) => ({ ...sentence, said: withoutPoliteStart(said) }));
}

/** A clause that cancels; the lone English word only as a sentence of its own or after "no" or "wait". */
function takesBack(sentences: readonly Sentence[]): boolean {
  return sentences.some((sentence) => {
    const clauses = clausesOf(sentence).map(({ said }) => said.trim());
    return clauses.some((clause, at) => {
      const isAfterNo = at > 0 && /^(?:no|nope|no wait|forget it|)$/.test(clauses[at - 1] ?? "");
      return hasAny(TAKES_BACK, clause) || ((clauses.length === 1 || isAfterNo) && isFound("^cancel$", clause));
    });
  });
}

const TAKES_BACK = [
  "^cancel (it|that|this|everything|all|all of it|all of that)$",
  "^(全部|全て|すべて|それ|それは|今の|)(キャンセル|中断|中止)(して|に|)$",
  "^(全部|全て|すべて|)(止めて|やめて)$",
];

/** A condition before a request postpones it, so it does not count now. */
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

/** `Can you run it?` is still an order. */
function isQuestion({ said, original }: Sentence): boolean {
  return said.endsWith("?") && !hasAny(ASKED_ORDERS, original);
}

const ASKED_ORDERS = ["(くれ|もらえ|いただけ|頂け|くださ)…8?", "(can you|could you)"];

/** Uses the activity classifier to recognise orders; requests in passing do not count. */
function isWork(said: string): boolean {
  const kinds = ["implement", "debug", "design", "plan", "review"];
  const plain = said.replace(/^[\ue000-\uf8ff\s]+/, "");
  return (
    isFound(DOING, plain) ||
    saidIn(plain).some(({ activity, isCommand, weight }) => isCommand && weight > ASIDE && kinds.includes(activity))
  );
}

/** Work without a specific activity, on something that exists. */
const DOING = "^(do|finish|complete|carry out|work through|go through) (the|all|all the|every|these|my|our)";

function hasAny(phrases: readonly string[], text: string): boolean {
  return phrases.some((phrase) => isFound(phrase, text));
}
