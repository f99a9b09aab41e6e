/** Whether a criterion is a state that a third person can check. */
import type { Step, Subtask } from "../playbook.ts";
import type { RuleName } from "./rules.ts";

/** The words that break a rule. */
const WORDS: readonly (readonly [RuleName, RegExp])[] = [
  [
    "vague",
    /適切|正しく|正しい|良い|良く|うまく|きちんと|ちゃんと|しっかり|十分に|\b(?:properly|correctly|appropriate(?:ly)?|nice(?:ly)?|good|well|cleanly|reasonabl[ey]|robust(?:ly)?|sufficient(?:ly)?|user-friendly|as expected|seamless(?:ly)?|high[- ]quality)\b/i,
  ],
  [
    "open-ended",
    /(?:完成|対応)(?:する|した|済み|している|である)?[。.]?$|仕上[げが]|改善|最適化|\b(?:(?:is|are|be|been|fully)\s+(?:complete[d]?|finished|done|implemented|handled|supported|polished)|improved?|optimi[sz]ed?)\b/i,
  ],
];

const BARE =
  /動作する|動作している|動く|機能する|機能している|問題ない|問題なく|成功する|\b(?:works?|working|functions|functional|succeeds?|no (?:problems?|issues?))\b/i;
/** Something that makes a bare success observable. */
const CONDITION = /[`"「『\d]|とき|場合|すると|したら|であれば|\b(?:when|if|given|after|with|without|for|on)\b/i;

/** Verbs in the imperative that begin a task. */
const VERBS =
  "add|allow|apply|build|change|check|clean|configure|convert|create|define|delete|design|develop|document|enable|ensure|expose|extend|extract|finish|fix|handle|implement|improve|install|integrate|introduce|investigate|make|migrate|move|optimi[sz]e|prepare|provide|refactor|release|remove|rename|replace|review|set up|setup|support|test|try|update|upgrade|use|validate|verify|wire|write";
const IMPERATIVE = new RegExp(`^(?:please\\s+)?(?:${VERBS})\\s+(?=[\\w\`"'\\[(])`, "i");
/** A sentence whose subject is named tells what something does; without one it is an order. */
const ORDER = /(?:する|した|します|しました|させる|行う|行った|作る|作った|書く|書いた|直す|直した)[。.]?$/;
const SUBJECT = /(?:が|は|も).*[ぁ-ん一-龠]/;

const COMPOUND =
  /かつ|および|及び|ならびに|また、|\band (?:the|a|an|it|its|no|all|every|there)\b|[,;] and\b|;|\band (?:is|are|has|shows?|returns?|lists?|prints?|exits?|contains?|accepts?|rejects?|sends?|stores?|opens?|closes?)\b/i;
/** What one run of a command shows: its exit code and its output. */
const ONE_RUN = /^[^,;]*`[^`]+`[^,;]*\bexits?\b[^,;]*\band\b[^,;]*$/i;
const SEVERAL = /[^、・,]+[、・,][^、・,]+[、・,][^、・,]+/;
const EXISTS = /(?:存在する|存在している|がある|作成されている)[。.]?$|\b(?:exists?|is (?:present|there|created))\.?$/i;
const CLOSES =
  /(?:アーカイブ|マージ)(?:済み|されている|された)[。.]?$|(?:PR|プルリク\S*)が?(?:作成|マージ)|\b(?:archived|pull request|PR) (?:is|was|has|exists)\b|\b(?:is|are|been) (?:archived|merged)\b|\bPR\b.*\b(?:opened|created|merged)\b/i;
const HOLLOW =
  /^(?:[\s.…\-–—?？]*|TBD|TODO|FIXME|xxx|n\/a|未定|なし|\([^)]*\)|（[^）]*）|<[^<>]*>|\[[^\]]*\]|\{\{[^}]*\}\})$/i;
/** Something a person could look at without a command. */
const OBSERVABLE = /[`"「『\d/]|\w\.\w{1,5}\b/;

/** Nothing but a mark that something belongs here. */
export function isHollow(words: string): boolean {
  return HOLLOW.test(words);
}

/** A broken rule, with the word that breaks it where it is one. */
export interface CriterionFault {
  readonly rule: RuleName;
  readonly word?: string;
}

export function criterionFaults(subtask: Subtask, step: Step): readonly CriterionFault[] {
  const { criterion, proofs } = subtask;
  if (isHollow(criterion)) return [{ rule: "hollow" }];
  const said = unquoted(criterion);
  const worded: CriterionFault[] = WORDS.flatMap(([rule, pattern]) => {
    const [word] = pattern.exec(said) ?? [];
    return word === undefined ? [] : [{ rule, word }];
  });
  const [bare] = CONDITION.test(criterion) ? [] : (BARE.exec(said) ?? []);
  if (bare !== undefined && proofs.length === 0) worded.push({ rule: "bare-success", word: bare });
  return [...worded, ...formFaults(subtask, step, said, bare !== undefined).map((rule) => ({ rule }))];
}

function formFaults(
  { criterion, proofs }: Subtask,
  { title, goal }: Step,
  said: string,
  isBare: boolean,
): readonly RuleName[] {
  const faults: RuleName[] = [];
  if (isOrder(said) && !isBare) faults.push("action");
  if (COMPOUND.test(said) && !ONE_RUN.test(criterion)) faults.push("compound");
  else if (SEVERAL.test(said)) faults.push("several");
  if ([title, goal ?? ""].some((name) => name !== "" && same(name, criterion))) faults.push("tautological");
  if (EXISTS.test(said)) faults.push("proxy");
  if (CLOSES.test(said)) faults.push("needs-close");
  if (proofs.length === 0 && !OBSERVABLE.test(criterion)) faults.push("no-proof");
  return faults;
}

/** Words in quotation marks or brackets are named, not said. What is quoted leaves one letter behind. */
function unquoted(criterion: string): string {
  return criterion
    .replace(/`[^`]*`|"[^"]*"|「[^」]*」|『[^』]*』/g, "Q")
    .replace(/\([^)]*\)|（[^）]*）/g, "")
    .trim();
}

function isOrder(criterion: string): boolean {
  return IMPERATIVE.test(criterion) || (ORDER.test(criterion) && !SUBJECT.test(criterion));
}

function same(one: string, other: string): boolean {
  const plain = (words: string): string => words.toLowerCase().replace(/[\s.。、,:：!！]+/g, "");
  return plain(one) === plain(other);
}
