/** How plans name their steps and boxes. */

const WORD = "(?:(?:phase|step|task|stage|フェーズ|ステップ|タスク)\\s*)?";
const STEP = new RegExp(
  `^${WORD}(p_final|p_self_update|[pT]?\\d{1,4}(?:\\.\\d{1,3})*)(?:[.:：)）]|\\s|$)\\s*[-–—:：]?\\s*(.*)$`,
  "i",
);

/** The id and title in a heading like `1 Component`, `p1: component` or `Phase 2: Setup`. */
export function stepNamed(heading: string): { readonly id: string; readonly title: string } | undefined {
  const [, id, title = ""] = STEP.exec(heading) ?? [];
  return id === undefined ? undefined : { id, title: title.trim() };
}

const BOX_ID = /^(T\d{1,5}|p[a-z_]*\d*\.\d{1,3}(?:\.\d{1,3})*|ft\d{1,2}|\d{1,4}(?:\.\d{1,3})*)[.:：)]?(?:\s|$)\s*/i;
/** In bold, any word with a digit is an id. */
const BOLD_ID = /^\*\*(?=[^\s*]*\d)([\w.-]{1,16})\*\*[.:：)]?(?:\s|$)\s*/;
const LABELS = /^(?:\[([A-Za-z]{1,4}\d{0,3})\]\s*)+/;
const DEPENDS = /\((?:depends on|依存)[:：]?\s*([^)]{0,400})\)/i;

export interface BoxWords {
  readonly id?: string;
  readonly criterion: string;
  readonly depends: readonly string[];
  readonly parallel?: true;
  readonly optional?: true;
}

/** The words of a box: its id, labels like `[P]`, the criterion, and what it depends on. */
export function boxWords(words: string): BoxWords {
  const optional = /^\*(?!\*)/.test(words);
  const plain = words.replace(/^\*(?!\*)\s*/, "");
  const [whole = "", id] = BOX_ID.exec(plain) ?? BOLD_ID.exec(plain) ?? [];
  const rest = plain.slice(whole.length);
  const [labels = ""] = LABELS.exec(rest) ?? [];
  const [, needs = ""] = DEPENDS.exec(rest) ?? [];
  return {
    ...(id !== undefined && { id }),
    criterion: rest
      .slice(labels.length)
      .replace(DEPENDS, "")
      .replace(/^\*\*(.*)\*\*$/, "$1")
      .trim(),
    depends: needs.match(/[A-Za-z_]*\d+(?:\.\d+)*/g) ?? [],
    ...(/\[P\]/.test(labels) && { parallel: true }),
    ...(optional && { optional: true }),
  };
}

/** `1` of `1.2` and `p1` of `p1.2`; undefined for an id without parts. */
export function stepOfId(id: string): string | undefined {
  const dot = id.indexOf(".");
  return dot > 0 ? id.slice(0, dot) : undefined;
}
