/**
 * What the last message of a turn says about its task: finished, broken off, or nothing. Words are a hint and no evidence, so
 * a sentence that denies, asks, plans or quotes them doesn't count.
 */

export type TurnEnd = "report_completed" | "error_report";

const GAP = "[^.!?。！？\\n]{0,60}";

/** Tested first, like in the original. */
const COMPLETED = new RegExp(
  [
    "任務完了",
    "完了でござる",
    `報告YAML${GAP}(?:更新|記入)`,
    `\\breport\\b${GAP}\\bupdated\\b`,
    "\\btask (?:is |has been |was )?completed\\b",
    "タスク完了",
    "roju_reports[^。！？\\n]{0,60}更新",
  ].join("|"),
  "i",
);

/** In Japanese the words name the cause and the end together. */
const BROKEN_OFF = new RegExp(
  [`(?:エラー|失敗|見つから(?:ない|ず))${GAP}中断`, `\\bfailed\\b${GAP}\\bstop(?:ped|ping)?\\b`].join("|"),
  "i",
);

/** `abort` alone also stands in "aborted the plan" and "abort signal": it counts with a cause, or when the task is its object. */
const ABORT = /\babort(?:s|ed|ing)?\b/i;
const CAUSE =
  /\b(?:errors?|fail(?:s|ed|ure)?|cannot|can't|could not|couldn't|unable|missing|not found|crash(?:ed)?)\b/i;
const ABORTED_TASK =
  /\b(?:task|work|run|job)\b(?: \w+){0,3} (?:was |is |has been )?abort(?:ed|ing)\b|\babort(?:ed|ing)? (?:the |this |my )?(?:task|work|run|job)\b|^\W*(?:i (?:must |have to |had to )?)?abort(?:ed|ing)?\W*$/i;

/** A decision about how to work, or the name of a thing. */
const OTHER_ABORT =
  /--abort\b|\babort(?:ed|ing)? (?:the |a |an |my |that |this )?(?:plan|idea|approach|attempt|signals?|controllers?|handlers?|merge|rebase|transaction|request|button|code|flag|option)\b|\babort(?:controller|signal|error)\b/i;

const DENIED =
  /\b(?:not|never|isn't|wasn't|hasn't|haven't|no|until|unless|before|once|when|if|will|would|should|to be)\b|n't\b/i;
const DENIED_JA = /(?:ていない|ていません|してない|ではない|未完了|未了|したら|すれば|するまで|予定|たら|れば)/;

export function turnEndIn(lastMessage: string): TurnEnd | undefined {
  const sentences = sentencesOf(lastMessage).filter((one) => !one.endsWith("?") && !one.endsWith("？"));
  if (sentences.some((one) => holds(one, COMPLETED))) return "report_completed";
  return sentences.some(isBrokenOff) ? "error_report" : undefined;
}

function holds(sentence: string, words: RegExp): boolean {
  const found = words.exec(sentence);
  if (!found) return false;
  const before = sentence.slice(0, found.index);
  const after = sentence.slice(found.index);
  return !DENIED.test(before) && !DENIED_JA.test(after) && !/\bnot yet\b/i.test(after);
}

function isBrokenOff(sentence: string): boolean {
  if (holds(sentence, BROKEN_OFF)) return true;
  if (!ABORT.test(sentence) || OTHER_ABORT.test(sentence) || isDeniedAbort(sentence)) return false;
  return CAUSE.test(sentence) || ABORTED_TASK.test(sentence);
}

function isDeniedAbort(sentence: string): boolean {
  const before = sentence.slice(0, sentence.search(ABORT));
  return /\b(?:not|never|without|instead of|did ?n't|no need to|would|if|when|unless)\b(?: \w+){0,3}\s*$/i.test(before);
}

const CHARS_MAX = 20_000;

/** Without code and quotations: what stands there is said about something else. */
function sentencesOf(message: string): readonly string[] {
  const plain = message
    .slice(-CHARS_MAX)
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .replace(/`[^`\n]*`/g, " ")
    .replace(/^\s*>.*$/gm, "")
    .replace(/"[^"\n]{0,200}"|「[^」\n]{0,200}」|“[^”\n]{0,200}”/g, " ");
  return plain
    .split(/(?<=[.!?。！？])(?:\s+|(?=[^\s\w]))|\n+/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
