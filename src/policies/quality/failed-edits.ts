/** Edits that failed or never ran: the kind of failure and the advice for it. */
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import { absolute, baseName } from "../../lib/paths.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { REFUSED_CALL } from "./refused-call.ts";

type Kind = "missing" | "ambiguous" | "no-file" | "unread" | "changed";

export interface FailedEdit {
  readonly kind: Kind;
  /** As the tool named it; empty when it named none. */
  readonly path: string;
}

/** Advice on more files in one batch would be cut. */
const FILES_MAX = 2;

type Ended = HookEvent<"PostToolUse" | "PostToolUseFailure" | "PostToolBatch">;

/** Each file once. In a batch only calls that have not ended yet, because the others had their own event. */
export function failedEdits(event: Ended, { settled }: Facts["session"]): readonly FailedEdit[] {
  const told =
    event.name === "PostToolBatch"
      ? event.calls
          .filter(({ id, tool, response }) => isEdit(tool) && isRefused(response) && !settled.includes(id))
          .map(({ response, path = "" }) => ({ words: response, path }))
      : [{ words: event.error ?? "", path: "path" in event.tool ? (event.tool.path ?? "") : "" }];
  const failed = told.flatMap(({ words, path }) => {
    const kind = kindOf(words);
    return kind === undefined ? [] : [{ kind, path }];
  });
  return failed.filter(({ path }, at) => failed.findIndex((one) => one.path === path) === at).slice(0, FILES_MAX);
}

function isEdit(tool: string): boolean {
  return /^(?:multi|notebook)?edit$|^write$/i.test(tool);
}

function isRefused(response: string): boolean {
  return response.startsWith(REFUSED_CALL);
}

/** Only the host's own wording is matched; the agent's text that it quotes afterwards could contain anything. */
const KINDS: readonly (readonly [RegExp, Kind | undefined])[] = [
  [/InputValidationError|exactly the same/i, undefined],
  [/not unique|multiple occurrences|matches of the string/i, "ambiguous"],
  [/modified since|unexpectedly modified/i, "changed"],
  [/not been read/i, "unread"],
  [/does not exist|file (?:was )?not found|ENOENT/i, "no-file"],
  [/not found|no match|did not match|old_string/i, "missing"],
];

function kindOf(words: string): Kind | undefined {
  const [own = ""] = words.split(/\nString: /, 1);
  return KINDS.find(([pattern]) => pattern.test(own))?.[1];
}

const ADVICE: Readonly<Record<Kind, (name: string) => Text>> = {
  missing: (name) =>
    text(
      `Sekisho: what should be replaced is not in ${name}. Read it again, then edit with the text that stands there.`,
      `関所: 置き換える文字列が ${name} にありません。読み直して、いまある文字列で編集してください。`,
    ),
  ambiguous: (name) =>
    text(
      `Sekisho: what should be replaced stands more than once in ${name}. Give more of the surrounding text, or set replace_all.`,
      `関所: 置き換える文字列が ${name} に複数あります。前後の行を足して一つに絞るか、replace_all を使ってください。`,
    ),
  "no-file": (name) =>
    text(
      `Sekisho: there is no ${name} at that path. Check the path, or make the file with Write.`,
      `関所: そのパスに ${name} はありません。パスを確かめるか、Write で作ってください。`,
    ),
  unread: (name) =>
    text(
      `Sekisho: ${name} has to be read before it is changed. Read it, then edit.`,
      `関所: ${name} は変更の前に読む必要があります。読んでから編集してください。`,
    ),
  changed: (name) =>
    text(
      `Sekisho: ${name} is not as it was when it was read. Read it again, then edit.`,
      `関所: ${name} は読んだ時から変わっています。読み直してから編集してください。`,
    ),
};

type Known = Pick<Facts, "session" | "targets">;

export function adviceOn({ kind, path }: FailedEdit, cwd: string, known: Known): Text {
  const { en, ja } = ADVICE[kind](path === "" ? "the file" : inline(baseName(path), 60));
  const cause = kind === "missing" || kind === "changed" ? causeOf(absolute(path, cwd) ?? path, known) : undefined;
  return cause ? text(`${en} ${cause.en}`, `${ja}${cause.ja}`) : { en, ja };
}

/** Why the file may differ from the agent's memory. */
function causeOf(spelled: string, { session, targets }: Known): Text | undefined {
  const path = targets[spelled] ?? spelled;
  const formatted = session.formatted?.find((one) => one.path === path);
  if (formatted) {
    const by = inline(formatted.by, 40);
    return text(`It was reformatted by ${by} after an edit.`, `編集のあと ${by} で整形されています。`);
  }
  return session.written?.includes(path)
    ? text("It was written to in this session.", "このセッションで書き換えられています。")
    : undefined;
}
