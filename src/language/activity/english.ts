/** Determines what an English sentence asks for: the imperative verb, its object, and mentions. */
import {
  ASKING,
  basis,
  isMaker,
  LEAD_IN,
  MENTIONS,
  madeBy,
  NOT_ACTED,
  neutral,
  objectAt,
  PHRASES,
  PRAISE,
  REFRAINED,
  troubleIn,
  verbActivity,
} from "./english-words.ts";
import { ASIDE, command, FIX, type Kind, LATER, mention, type Said, TROUBLE } from "./said.ts";

export function readEnglish(sentence: string): readonly Said[] {
  const spoken = sentence.toLowerCase().replaceAll("\u2019", "'");
  const phrased = PHRASES().reduce((text, [pattern, word]) => text.replace(pattern, word), spoken);
  const based = phrased.replace(basis(), " as told ");
  const text = neutral(based.replace(REFRAINED(), " "));
  const commands = commandsIn(text);
  const said = [
    ...commands,
    ...(commands.length === 0 ? embeddedIn(text) : []),
    ...(based === phrased ? [] : [mention("implement", FIX)]),
  ];
  return [...said, ...mentionsIn(text, commands)];
}

/** Splits into clauses, because a command stands at the start of its clause. */
function commandsIn(text: string): readonly Said[] {
  const parts = text.split(/[,:\u2014]|\s-+\s|\b(?:then|but|so)\b/);
  const found = parts.flatMap((part) => commandAt(withoutLeadIn(part), text) ?? []);
  return found.map((one, at) => (at === 0 ? one : { ...one, weight: Math.min(one.weight, LATER) }));
}

const LEAD_INS_MAX = 8;

function withoutLeadIn(part: string): string {
  let rest = part.trim();
  for (let round = 0; round < LEAD_INS_MAX; round += 1) {
    const shorter = rest.replace(LEAD_IN(), "");
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

function commandAt(part: string, sentence: string): Said | undefined {
  const [, verb = "", after = ""] = /^([a-z]+(?:-[a-z]+)?)\b(.*)$/.exec(part) ?? [];
  if (verb === "" || NOT_ACTED().test(after)) return undefined;
  const made = isMaker(verb) ? madeBy(verb, after) : undefined;
  if (made !== undefined) return command(made);
  const activity = verbActivity(verb);
  if (activity === "inspect") return inspected(after, sentence);
  if (activity === "ask") return asked(sentence) ? { ...command("research", FIX), isOpen: true } : undefined;
  if (activity === "fix") return command("implement", FIX);
  if (activity === "investigate") return lookedInto(after, sentence);
  return activity === undefined ? undefined : command(activity === "implement" ? built(after) : activity);
}

/** Recording learnings counts as compound, whatever they are added to. */
function built(after: string): Kind {
  return objectAt(after) === "compound" ? "compound" : "implement";
}

/** Investigating counts as debugging if there is trouble, unless the question is how something works. */
function lookedInto(after: string, sentence: string): Said {
  const isHow = /^ (?:how|whether|which|if|what|where|all)\b/.test(after);
  const isTrouble = troubleIn(sentence) || /\b(?:problems?|issues?|incidents?|outages?|why)\b/.test(sentence);
  return isTrouble && !isHow ? command("debug") : { ...command("research"), isOpen: !isHow };
}

function inspected(after: string, sentence: string): Said | undefined {
  if (/^ (?:how|whether|which|if|where|that no|that there)\b/.test(after)) return command("research");
  if (troubleIn(sentence)) return command("debug");
  const isCode = /\b(?:code|prs?|pull requests?|diffs?|changes?|commits?|patch|implementation|branch|modules?|class)\b/;
  return isCode.test(after) ? command("review") : undefined;
}

/** A question about the code is research; a question about the time is not. */
function asked(sentence: string): boolean {
  return (
    MENTIONS().some(([, pattern]) => pattern.test(sentence)) ||
    /\bhow\b.*\bworks?\b|\bwhy\b|\bwhat(?:'s| is) (?:happening|going on)\b/.test(sentence)
  );
}

/** `It would be good to add a flag`, `the parser needs to be reviewed`. */
function embeddedIn(text: string): readonly Said[] {
  const isRequest = /\b(?:can|could|would|will|should|shall) (?:you|we|i)\b|\bplease\b/.test(text);
  if (!isRequest && (ASKING().test(text) || /\?\s*$/.test(text))) return [];
  const last = /(?:^|\s)([a-z]+(?: into)?)\W*$/.exec(text.slice(-40))?.[1] ?? "";
  const isWanted =
    /\b(?:needs?|be|want|wants|get|like|must|should)\b/.test(text) && !/\b(?:was|were|been)\b/.test(text);
  const done = isWanted ? (kindOf(last.replace(/(?:e?d)$/, "")) ?? kindOf(last.replace(/d$/, ""))) : undefined;
  if (done !== undefined) return [command(done, LATER)];
  const after = /\b(?:to|should|must|please|and|also|now|you|we|just|first|let's)\s+([a-z]+)\b(?=(.{0,40}))/g;
  const verbs = [...text.matchAll(after)].flatMap(([, verb = "", rest]) => kindOf(verb, rest) ?? []);
  return verbs.slice(0, 2).map((activity) => command(activity, ASIDE));
}

function kindOf(verb: string, after = ""): Kind | undefined {
  const activity = verbActivity(verb) ?? (isMaker(verb) ? madeBy(verb, after) : undefined);
  if (activity === "fix") return "implement";
  if (activity === "investigate") return "research";
  return activity === "inspect" || activity === "ask" ? undefined : activity;
}

function mentionsIn(text: string, commands: readonly Said[]): readonly Said[] {
  if (
    PRAISE().test(text) ||
    /^(?:what(?:'s| is| are)(?: an?)? |who |when |where )(?!.*\b(?:wrong|causing)\b)/.test(text)
  )
    return [...comparedIn(text), ...wonderedIn(text)];
  const isQuestion =
    commands.length === 0 && /\?\s*$|^(?:is|are|does|do|did|has|have|was|were|should|how)\b/.test(text);
  const nouns = MENTIONS().flatMap(([activity, pattern, weight]) => (pattern.test(text) ? { activity, weight } : []));
  const heard = isQuestion ? nouns.filter(({ activity, weight }) => activity === "review" && weight > 1) : nouns;
  return [
    ...heard.map(({ activity, weight }) => mention(activity, weight)),
    ...(troubleIn(text) ? [mention("debug", troubleWeight(text, commands))] : []),
    ...(commands.length === 0 ? [...comparedIn(text), ...wonderedIn(text)] : []),
  ];
}

/** Trouble counts less when something is to be built, or in a question about the past. */
function troubleWeight(text: string, commands: readonly Said[]): number {
  const isBuilt = commands.some(({ activity, weight }) => activity === "implement" && weight > FIX);
  return isBuilt || /^(?:did|has|have|was|were)\b.*\?/.test(text) ? 1 : TROUBLE;
}

/** A longer question is about the work and wants an answer, not a change; a short one asks for a fact. */
function wonderedIn(text: string): readonly Said[] {
  const isRequest =
    /^(?:\w+,? ){0,2}(?:(?:can|could|would|will|should|shall) (?:you|i|we)|(?:do|did|are|have) (?:you|i))\b/.test(text);
  const isLong = text.split(" ").length >= WONDERED_WORDS;
  return isLong && /\?\s*$/.test(text) && !isRequest ? [mention("research", ASIDE)] : [];
}

const WONDERED_WORDS = 7;

/** Questions that need research: how something works, or which option is better. */
function comparedIn(text: string): readonly Said[] {
  const isHow =
    /\bhow (?:does|do|is|are|did|was|were|could|come)\b(?! (?:i|we|you|it going|things|your)\b)/.test(text) ||
    /\bwhy (?!(?:are|did|do|have|would|don't|didn't) you\b|not\b)\w/.test(text);
  const isWhich =
    /\b(?:differences?|trade-?offs?|pros and cons|alternatives|better|versus|vs)\b/.test(text) &&
    /\?|^what|^which/.test(text);
  return isHow || isWhich ? [mention("research", LATER)] : [];
}
