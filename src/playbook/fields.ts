/** The fields a plan may have, by all names that people give them. Other words before a colon are prose. */

export interface Field {
  readonly key: FieldKey;
  readonly value: string;
}

/** The first name is the one we write. */
const NAMES = {
  what: ["what", "goal", "summary", "何を", "目標", "ゴール"],
  why: ["why", "なぜ", "理由"],
  who: ["who", "誰が"],
  when: ["when", "いつ"],
  where: ["where", "どこで"],
  how: ["how", "どのように"],
  done: ["done when", "done_when", "done_criteria", "完了条件"],
  id: ["id"],
  branch: ["branch", "ブランチ"],
  depends: ["depends on", "depends_on", "depends-on", "depends", "dependencies", "依存", "依存先"],
  executor: ["executor", "担当"],
  iterations: ["max iterations", "max_iterations", "最大回数"],
  status: ["status", "状態"],
  stance: ["stance", "構え"],
  scope: ["scope", "範囲"],
  run: ["run", "command", "test_command", "実行"],
  expected: ["expected", "期待"],
  validations: ["validations", "validation"],
  technical: ["technical"],
  consistency: ["consistency"],
  completeness: ["completeness"],
  validated: ["validated"],
  criterion: ["criterion", "条件"],
} as const;

export type FieldKey = keyof typeof NAMES;

const KEYS = new Map<string, FieldKey>(
  (Object.keys(NAMES) as FieldKey[]).flatMap((key) => NAMES[key].map((name) => [name, key] as const)),
);

/** `Key: value`, `**Key**: value` and `**Key:** value`. */
const FIELD = /^(?:\*\*|__)?([^\s:：*`][^:：*`]{0,23}?)(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(.*)$/;

export function fieldOf(words: string): Field | undefined {
  const [, name = "", value = ""] = FIELD.exec(words) ?? [];
  const key = KEYS.get(name.trim().toLowerCase());
  return key && { key, value: value.trim() };
}

/** Without quotation marks or backticks around the whole. */
export function bare(value: string): string {
  const first = value[0];
  if (first === "`") return withoutTicks(value);
  const isQuoted = value.length > 1 && (first === '"' || first === "'") && value.endsWith(first);
  return isQuoted ? value.slice(1, -1) : value;
}

/** Step by step: one pattern for it would take minutes over a line of a thousand blanks. */
function withoutTicks(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && value[from] === "`") from++;
  while (to > from && value[to - 1] === "`") to--;
  return to === value.length ? value : value.slice(from, to).trim();
}

/** `[a, b]`, `a, b` or one name; brackets and quotation marks are dropped. */
export function listOf(value: string): readonly string[] {
  const inner = /^\[(.*)\]$/.exec(value.trim())?.[1] ?? value;
  const parts = inner.split(/[,、]/).map((part) => bare(part.trim()));
  return parts.filter((part) => part !== "" && !/^(?:none|null|-|–|なし)$/i.test(part));
}
