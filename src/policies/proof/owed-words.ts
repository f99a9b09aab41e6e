/** Says what a changed work tree still needs: which check, why a run does not count, and what to run. */
import type { CheckedTree } from "../../evidence/tree.ts";
import type { CheckStanding } from "../../evidence/verification.ts";
import { own } from "../../lib/keyed.ts";
import { quotedPath } from "../../lib/paths.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import type { BegunCheck } from "../../state/session/checks.ts";
import type { Session } from "../../state/session/session.ts";
import { fixGround, groundOf, groundSteps, groundWords } from "./ground-words.ts";

export interface Owed {
  readonly tree: CheckedTree;
  readonly open: readonly CheckStanding[];
  /** The skill that replaces checks. */
  readonly skill?: string | undefined;
}

export function whatIsOwed(due: readonly Owed[], { work = {} }: Pick<Session, "work">): Text {
  const paths = due.flatMap(({ tree }) => own(work, tree.root)?.paths ?? []);
  const named = paths.length > 0 ? ` (${inline(paths.slice(0, 3).join(", "), 160)})` : "";
  const parts = due.flatMap(({ open, skill }) => [...open.map(standingWords), ...(skill ? [skillWords(skill)] : [])]);
  return text(
    `Code was changed${named}, and not all of it is proven: ${parts.map(({ en }) => en).join("; ")}.`,
    `コードが変更されましたが${named}、検証が済んでいません: ${parts.map(({ ja }) => ja).join("、")}。`,
  );
}

function skillWords(skill: string): Text {
  return text(
    `the project has no checks that we know of, and the skill ${skill} was not taken up since`,
    `既知の検証がなく、変更後にスキル ${skill} も使われていません`,
  );
}

function standingWords({ check, standing, result }: CheckStanding): Text {
  const code = result?.exitCode === undefined ? "" : ` (exit code ${result.exitCode})`;
  const ran = inline(result?.command ?? "", 80);
  switch (standing) {
    case "failed":
      return text(`${check} did not pass${code}`, `${check} は通っていません${code}`);
    case "stale":
      return text(`${check} last ran before the newest change`, `${check} は最後の変更より前の実行です`);
    case "expired":
      return text(`${check} passed too long ago`, `${check} の成功は古くなりました`);
    case "changed":
      return text(`files changed while ${check} ran`, `${check} の実行中にファイルが変わりました`);
    case "redefined":
      return text(
        `${check} was redefined in this session and proves nothing until a person has looked at it`,
        `${check} はこのセッション中に書き換えられたため、人が確かめるまで証拠になりません`,
      );
    case "unseen":
      return text(
        `a passed ${check} was reported, but the session's transcript doesn't show it`,
        `${check} の合格が報告されましたが、会話記録にありません`,
      );
    case "gone":
      return text(`${check} was taken away in this session`, `${check} はこのセッション中に取り除かれました`);
    case "covered":
    case "partial":
      return text(`${check} ran only in part (\`${ran}\`)`, `${check} は一部だけの実行です (\`${ran}\`)`);
    case "unproven": {
      if (result?.ground !== undefined) return groundWords(ran, result.ground);
      const why = WHY[result?.why ?? ""] ?? WHY.unread;
      return text(`${check} ran (\`${ran}\`), but ${why.en}`, `${check} は実行されましたが (\`${ran}\`)、${why.ja}`);
    }
    case "unbound":
      return text(
        `\`${ran}\` passed, but not bound to files, because the project cannot be read in time`,
        `\`${ran}\` は通りましたが、プロジェクトを時間内に読めないため、ファイルと結び付いていません`,
      );
    default:
      return text(`${check} has not run`, `${check} は実行されていません`);
  }
}

/** Tells the agent right after the run why it will not count and which command would. */
export function uncounted({ check, command, why, instead, ground }: BegunCheck): Text {
  if (ground !== undefined) {
    const [what, fix] = [groundWords(inline(command, 80), ground), fixGround(ground)];
    return text(`Sekisho: ${what.en}.${fix.en}`, `関所: ${what.ja}。${fix.ja}`);
  }
  const reason = WHY[why ?? ""] ?? WHY.unread;
  const how =
    instead === undefined
      ? text("", "")
      : text(` \`${inline(instead, 120)}\` would.`, ` \`${inline(instead, 120)}\` なら数えます。`);
  return text(
    `Sekisho: this does not count as a passed ${check}: ${reason.en}.${how.en}`,
    `関所: これは ${check} の合格として数えません: ${reason.ja}。${how.ja}`,
  );
}

/** Why the exit code of the line is not the exit code of the check. */
const WHY: Readonly<Record<string, Text>> & { readonly unread: Text } = {
  or: text("what stands behind `||` hides its exit code", "`||` の後ろが終了コードを隠します"),
  pipe: text("a pipe hides its exit code unless `pipefail` is set", "`pipefail` なしのパイプは終了コードを隠します"),
  reader: text(
    "the command behind its pipe may have failed instead of it",
    "パイプの後ろのコマンドが失敗した可能性があります",
  ),
  sequence: text("what follows hides its exit code", "後続のコマンドが終了コードを隠します"),
  background: text("it runs on in the background", "バックグラウンドで動き続けます"),
  negated: text("`!` turns its exit code round", "`!` が終了コードを反転します"),
  branch: text("it stands in a branch or a loop", "分岐やループの中にあります"),
  environment: text("what it runs in was changed in this session", "このセッション中に実行環境が変えられています"),
  beside: text(
    "another command of the line may have changed what it looked at",
    "同じ行の別のコマンドが対象を変えた可能性があります",
  ),
  substitution: text("it stands in a substitution", "コマンド置換の中にあります"),
  elsewhere: text("it ran in another directory", "別のディレクトリで実行されました"),
  filtered: text("it was run on a part only", "一部だけの実行です"),
  unread: text("the line cannot be read to its end", "行を最後まで読み取れません"),
};

/** `cwd`: the agent's directory; the command for a check elsewhere starts with `cd`. */
export function howTo(due: readonly Owed[], cwd: string): Text {
  const commands = [
    ...new Set(due.flatMap(({ open, tree }) => open.flatMap((one) => commandOf(one, tree.root, cwd)))),
  ].map((one) => `\`${inline(one, 160)}\``);
  const skills = [...new Set(due.flatMap(({ skill }) => skill ?? []))].join(", ");
  const take =
    skills === ""
      ? text("", "")
      : text(
          ` Run what proves the change (type check, lint, tests), then invoke the skill ${skills} (Skill tool) and report by it.`,
          ` 変更を裏付けるもの (型検査、リント、テスト) を実行し、スキル ${skills} を Skill ツールで呼び出して報告してください。`,
        );
  const lost = due.some(({ open }) => open.some(isLost))
    ? text(
        " Its program was not found: install it, or ask the person to name another command in `verify.commands`.",
        " プログラムが見つかりません。導入するか、利用者に `verify.commands` で別のコマンドを指定してもらってください。",
      )
    : text("", "");
  const person = due.some(({ open }) => open.some(({ standing }) => standing === "redefined" || standing === "gone"));
  const unseen = due.some(({ open }) => open.some(({ standing }) => standing === "unseen"))
    ? text(
        " If this session keeps no transcript, ask the person to run `sekisho verify`.",
        " 会話記録を残さないセッションでは、利用者に `sekisho verify` の実行を頼んでください。",
      )
    : text("", "");
  const shown = commands.join(", ");
  const run =
    shown === ""
      ? text("", "")
      : text(
          `Run ${shown}, alone and as it stands, fix what it finds, then finish.`,
          `${shown} をそのまま単独で実行し、見つかった問題を直してから終えてください。`,
        );
  const ask = person
    ? text(
        " Put the check back as it was, or ask the person to run `sekisho verify`.",
        " 検証を元に戻すか、利用者に `sekisho verify` の実行を頼んでください。",
      )
    : text("", "");
  const parts = [run, lost, unseen, take, ask, ...groundSteps(due.flatMap(({ open }) => open))];
  return text(
    parts
      .map(({ en }) => en)
      .join("")
      .trim(),
    parts
      .map(({ ja }) => ja)
      .join("")
      .trim(),
  );
}

/** A shell exits with 127 when it does not find the command. */
function isLost({ standing, result }: CheckStanding): boolean {
  return standing === "failed" && result?.exitCode === 127;
}

/** Prefers the corrected form of a command line that almost counted. */
function commandOf({ standing, command, result }: CheckStanding, root: string, cwd: string): readonly string[] {
  if (standing === "gone" || standing === "redefined" || groundOf({ standing, result }) !== undefined) return [];
  const instead =
    standing === "unproven" || standing === "partial" || standing === "covered" ? result?.instead : undefined;
  const away = cwd === root || cwd === "" ? "" : `cd ${quotedPath(root)} && `;
  const one = instead ?? (command === undefined ? undefined : away + command);
  return one === undefined ? [] : [one];
}
