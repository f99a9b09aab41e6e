/** English vocabulary of the activities. Patterns are built on first use. */

import { names } from "../../lib/name-table.ts";
import type { Kind } from "./said.ts";

/** Verbs whose activity depends on their object. */
type Verb = Kind | "fix" | "investigate" | "inspect" | "ask";

const VERBS = (): Readonly<Record<Verb, string>> => ({
  implement:
    "implement build add develop code refactor rename remove delete replace migrate port convert extend update change " +
    "modify move extract integrate support wire introduce apply enable disable upgrade bump rewrite improve simplify " +
    "scaffold finish complete install translate optimize optimise handle turn inline deduplicate split " +
    "adjust adapt expose hook rework restructure automate configure speed parallelize cache validate print consolidate hide " +
    "drop sort group unify combine align reduce increase decrease swap revert wrap mock append insert include exclude " +
    "strip trim tweak polish register inject embed deprecate allow prevent",
  fix: "fix resolve repair correct address patch solve",
  debug: "debug diagnose troubleshoot bisect reproduce",
  investigate: "investigate analyze analyse find identify locate trace understand determine",
  research:
    "research explore compare study survey evaluate assess read search learn benchmark collect gather sweep scan",
  design: "design architect redesign",
  plan: "plan schedule prioritize prioritise estimate roadmap strategize",
  review: "review critique audit proofread vet",
  compound: "compound reflect retrospect",
  inspect: "inspect check examine verify confirm",
  ask: "explain describe tell show summarize summarise list clarify",
});

/** The activity follows from the object; without a known object it is implementing. */
const MAKING = names("write create make draft generate document writing creating making");
/** The same, but without a known object the activity stays open. */
const OFFERING = names(
  "provide propose suggest outline sketch define decide do perform conduct give prepare produce record capture save " +
    "note think summarize summarise share start",
);

export function isMaker(verb: string): boolean {
  return MAKING.has(verb) || OFFERING.has(verb);
}

export function madeBy(verb: string, after: string): Kind | undefined {
  if (PROCEDURE().test(after)) return undefined;
  const open = THOUGHT_UP().test(after) ? "design" : undefined;
  return objectAt(after) ?? (MAKING.has(verb) ? "implement" : open);
}

/** Steps of the way of working, which need no advice. */
const PROCEDURE = (): RegExp =>
  /^ (?:an? |the |another |new |draft |me )*(?:[\w/-]+ ){0,2}(?:branch|prs?|pull requests?|commits?(?: messages?)?|tags?|worktree|issues?|tickets?|summary)\b(?! (?:list|page|view|names?|templates?|picker|hooks?))/;

/** Matches the head noun of the object, its last word. */
const OBJECTS = (): readonly (readonly [Kind, string])[] => [
  ["plan", "plans?|roadmap|strategy|milestones?|tasks? list|todo list|breakdown|timeline|schedule|steps|estimates?"],
  ["design", "designs?|designs? (?:doc|document|proposal)s?|architecture|specs?|specifications?|requirements|rfc|adr"],
  ["design", "schemas?|data models?|interfaces? design"],
  ["review", "reviews?|feedback|critique|audit|second opinion"],
  ["research", "comparisons?|research|survey|investigation|analysis|overview"],
  ["compound", "learnings?|lessons|retrospectives?|retro|post-?mortem|takeaways"],
  ["implement", "fix(?:es)?|patch|changes|refactor(?:ing)?|implementation|rename|split|migration|clean-?up"],
  ["debug", "root cause analysis|bug analysis|diagnosis|debugging"],
];

/** The object of a making verb: the words after it up to the first preposition or similar word. */
export function objectAt(after: string): Kind | undefined {
  const [made = ""] = after.split(
    /(?<=^|\s)(?:for|of|that|which|to|in|into|with|based|from|using|on|about|before|after|by|how|and|or|so|first|now|please|you|you'd|we|i)(?=\s|$)|[.?!,(]/,
  );
  const [what = "", as] = made.split(/(?<=^|\s)as(?=\s|$)/);
  return kindNamed(as ?? what) ?? kindNamed(what);
}

function kindNamed(phrase: string): Kind | undefined {
  return OBJECTS().findLast(([, nouns]) => new RegExp(`(?:^|\\s)(?:${nouns})$`).test(phrase.trim()))?.[0];
}

/** Conceptual objects, which are not code yet. */
const THOUGHT_UP = (): RegExp => /^ (?:an? |the )?(?:\w+ )?(?:apis?|interfaces?|approach|solution)\b/;

let verbs: ReadonlyMap<string, Verb> | undefined;

/** Accepts the base form or the -ing form. */
export function verbActivity(word: string): Verb | undefined {
  verbs ??= new Map(
    Object.entries(VERBS()).flatMap(([activity, line]) =>
      line.split(" ").map((verb) => [verb, activity as Verb] as const),
    ),
  );
  const stem = word.endsWith("ing") ? word.slice(0, -3) : undefined;
  if (stem === undefined) return verbs.get(word);
  return verbs.get(stem) ?? verbs.get(`${stem}e`) ?? verbs.get(stem.slice(0, -1));
}

/** Multi-word verbs and the short forms they are replaced by. */
export const PHRASES = (): readonly (readonly [RegExp, string])[] => [
  [
    /\b(?:figur(?:e|ing) out|find(?:ing)? out|look(?:ing)? into|investigat(?:e|ing)) (?:why|what(?:'s| is) (?:wrong|causing|failing|broken))\b/g,
    "debug",
  ],
  [/\bwhat(?:'s| is) (?:wrong|causing|failing|going wrong|broken|the (?:problem|matter|issue))\b/g, "debug"],
  [
    /\b(?:find|identify|determine|locate|establish|explain)(?:ing)? (?:the |its |a )?(?:root |underlying |actual |real )?(?:causes?|culprit|bugs?)\b/g,
    "debug",
  ],
  [/\b(?:track(?:ing)? down|get(?:ting)? to the bottom of|root[- ]cause(?! analysis))\b/g, "debug"],
  [/\b(?:look(?:ing)?|dig(?:ging)?|div(?:e|ing)) (?:deeper )?into\b/g, "investigate"],
  [/\b(?:find(?:ing)?|figur(?:e|ing)) out\b/g, "investigate"],
  [
    /\b(?:read up on|look up|get familiar with|get an overview of|familiarize yourself with|walk me through|look around|learn about)\b/g,
    "research",
  ],
  [/\b(?:look(?:ing)?(?: at)?|see|check) how\b/g, "investigate how"],
  [
    /\b(?:see|check|tell me) (?:if|whether) (?:you agree|(?:it|that|this)(?:'s| is) valid)\b|\bwhat do you think\b/g,
    "review",
  ],
  [
    /\b(?:see|validate|confirm|make sure)(?: first)? (?=(?:if|whether|what|which|any(?:thing)?|where)\b)/g,
    "investigate if ",
  ],
  [/\b(?:look|hunt|search|grep) (?:around )?for\b/g, "investigate if"],
  [/\bproof read\b/g, "proofread"],
  [/\bbreak(?:ing)? (?:[\w-]+ ){0,6}(?:down|into)\b|\bbreak(?:ing)? down\b/g, "plan"],
  [
    /\b(?:split|divide)(?:ting|ing)? (?:[\w-]+ ){0,6}into (?:[\w-]+ ){0,3}(?:steps|tasks|phases|stages|milestones|issues|tickets|subtasks)\b/g,
    "plan",
  ],
  [/\b(?:map|lay) out\b/g, "plan"],
  [/\bwhat (?:we|you|i)(?:'ve| have)? (?:just )?learn(?:ed|t)\b|\blessons(?: learn(?:ed|t))?\b/g, "learnings"],
  [/\bwrap(?:ping)? (?:this |it |things )?up\b|\bclose out\b|\blook(?:ing)? back (?:on|at)\b/g, "compound"],
  [
    /\b(?:go|going|look|looking) over\b|\b(?:have|take) a (?:\w+ )?look at\b|\blook(?:ing)? at\b|\bgo through\b|\bdouble[- ]check\b/g,
    "inspect",
  ],
  [/\b(?:set|hook|wire|clean)(?:ting|ing)? up\b|\bget rid of\b|\broll out\b/g, "build"],
  [
    /\b(?:com(?:e|ing) up with|draw(?:ing)? up|put(?:ting)? together|write (?:up|down)|jot down|think (?:about|through|of)|sketch out|write (?:it|this|that) up)\b/g,
    "propose",
  ],
  [/\bpropos(?:e|ing) (?:(?:a|some|the) )?(?:changes?|something|improvements?|what)\b/g, "design"],
  [
    /(?<!\bdo )\b(?:i|we) (?:need|want|would like)(?! to\b| you\b| this\b| it\b)|^need(?= an? )|\b(?:i|we)'d like(?! to\b| you\b)/g,
    "provide",
  ],
];

/** Polite openings before the actual request. */
export const LEAD_IN = (): RegExp =>
  /^(?:[-*+\u2022#\s\d.)]+|please|kindly|hi|hello|hey|ok|okay|alright|great|good|thanks|thank you|claude|now|next|first|finally|also|and|just|maybe|instead|rather|actually|consider|perhaps|let's|lets|let us|i would|i'd(?: prefer to| rather)?|is there (?:a|any) way (?:for us )?to|(?:couldn't|can't|shouldn't|why don't) (?:you|we)|(?:can|could|would|will) (?:you|we)|(?:i|we) (?:want|need|would like)(?: you)? to|(?:i|we)'d like(?: you)? to|(?:you|we) (?:should|must|can|need to|have to)|(?:your|my|the|our) (?:task|goal|job|idea)(?: now)? is to|help (?:me|us)(?: to| with)?|go ahead(?: and)?|go and|try to|try|time to|it's time to|i think we should|(?:start|begin|continue|keep|proceed|finish|get started)(?: by| with| on| to)?(?= \w+ing\b| (?:implement|build|design|plan|research|review|debug)\b)|quickly|carefully|thoroughly|briefly|remember to|make sure to|be sure to|need to|want to|have to)(?![\w-])[\s,!.]*(?=\S)/;

/** If this follows a word that could be a verb, the word is a noun. */
export const NOT_ACTED = (): RegExp =>
  /^\s*(?:[:)]|(?:is|are|was|were|has|have|had|looks?|seems?|fails?|failed|failing|breaks?|broke|broken|doesn't|does|did|didn't|isn't|passes|passed|works?|worked|keeps|took|takes|needs|errors?|docs?|documents?|comments?|mode|time|approved|done|phase|output|logs?|results?)\b)/;

/** Actions that the prompt excludes or postpones. */
/** Where a verb after it belongs to the question. */
export const ASKING = (): RegExp =>
  /^(?:q: ?|hmm,? |but |and |so |ok,? )*(?:is|are|was|were|did|does|do|has|have|why|what|how|when|which|where|who)\b/;

export const REFRAINED = (): RegExp =>
  /\b(?:don't|do not|dont|never|without|instead of|rather than|before|after|not|no need to|no)\s+(?:(?:yet|you|we|i|just|start|starting|to|any|actually)\s+){0,3}(?:implement|build|cod|writ|chang|edit|fix|design|plan|review|research|investigat|debug|add|refactor|creat|modif|updat)\w*/g;

export const PRAISE = (): RegExp =>
  /^(?:thanks|thank you|nice|great|good|perfect|awesome|excellent|cool|lgtm|looks good|well done|sorry|bye|welcome)\b/;

/** Compounds in which the word has another meaning. */
const NEUTRAL = (): RegExp =>
  /\b(?:(?:handl\w+|catch\w*|report\w*|log\w*) (?:of )?(?:errors|exceptions)|error (?:handl\w+|messages?|pages?|codes?|types?|class(?:es)?|boundar\w+|responses?|states?|toasts?|banners?|logs?|logging|reporting|tracking|recovery)|bug (?:reports?|trackers?|bount\w+)|exception (?:handl\w+|class(?:es)?)|fail(?:ure)? (?:modes?|fast|safe)|build (?:scripts?|systems?|steps?|pipelines?|tools?|tooling|config\w*|process|times?|targets?|cache|artifacts?|jobs?|numbers?|servers?)|plan (?:mode|view|page|picker|limits?|tiers?|names?|ids?)|(?:pricing|subscription|billing|data|free|pro|paid|payment) plans?|design (?:system|tokens?|patterns?)|review (?:page|form|screen|section|count|score|model|table|button|comments?|queue|app)|(?:user|customer|product|star|movie) reviews?|(?:machine|deep|reinforcement|transfer) learning|learning rate|feedback (?:form|loop|button|widget|page)|debug (?:mode|logs?|logging|flags?|builds?|output|level|symbols|menu))\b/g;

export function neutral(text: string): string {
  return text.replace(NEUTRAL(), "thing");
}

/** A design that is the basis for the work, not its result. */
export const basis = (): RegExp =>
  /\b(?:based on|according to|following|follow|per|from|as (?:described|specified|laid out|written|defined|outlined|agreed) in|using|against|off) (?:(?:the|this|that|our|my|attached|approved|agreed|existing|above) ){0,3}(?:[\w-]+ ){0,2}(?:design|architecture|spec|specification|rfc|adr|plan)(?: (?:docs?|documents?))?\b/g;

const TROUBLE_WORDS = (): RegExp =>
  /\b(?:bugs?|errors?|crash\w*|fail(?:s|ed|ing|ures?)?|broken|breaks|exceptions?|regress\w*|hangs?|hung|freez\w+|froze|leak(?:s|ing)?|deadlocks?|segfaults?|flaky|stack ?traces?|tracebacks?|times out|timing out|timed out|misbehav\w+|not working|(?:does|do|did|is|are|was)(?:n't| not) (?:\w+ )?(?:work|load|start|render|respond|show|build|compile|run|return|connect|save|display|produc|includ|appear|trigger|updat|match|receiv|creat|generat|fir|sync|detect|recogni[sz]|persist|refresh)e?(?:s|ing|ed|d)?|stopped working|(?:something|anything)(?:'s| is)? wrong|wrong with|no longer works?|won't (?:start|load|build|run|compile|open)|wrong (?:results?|output|values?|answers?)|corrupt\w*|root cause|stuck|went wrong|panics|too slow|so slow|unresponsive|weird|strange|messed up|seems? to be missing|being blocked|not seeing|did(?:n't| not) see|problem is|(?:critical|high|medium|low) severity)\b/;

export function troubleIn(text: string): boolean {
  return TROUBLE_WORDS().test(text);
}

export const MENTIONS = (): readonly (readonly [Kind, RegExp, number])[] => [
  [
    "design",
    /\b(?:architect\w*|design (?:docs?|documents?)|data models?|api design|schema design|system design|feature spec|requirements)\b/,
    2,
  ],
  ["design", /\b(?:designs?|specs?|specification|schemas?)\b/, 1],
  ["plan", /\b(?:roadmap|milestones|step[- ]by[- ]step|(?:action|implementation|migration|release|rollout) plan)\b/, 2],
  ["plan", /\b(?:plans?|steps|strateg\w+)\b/, 1],
  ["design", /\b(?:what if (?:we|i|it|you)|how about|i(?:'m| am) thinking|does (?:that|this|it) make sense)\b/, 2],
  ["review", /\b(?:code review|pr review|second opinion|feedback on)\b/, 2],
  ["review", /\b(?:reviews?|feedback)\b/, 1],
  ["research", /\b(?:pros and cons|trade-?offs?|comparison|alternatives|prior art|state of the art)\b/, 2],
  ["research", /\b(?:research|options)\b/, 1],
  ["compound", /\b(?:retrospective|retro|learnings|post-?mortem)\b/, 2],
  ["implement", /\b(?:implementation|feature|code)\b/, 1],
];
