/** Refusals of attempts on Sekisho's own files, by the way of the attempt. */
import type { Arming, SettingsFile } from "../../../kernel/facts.ts";
import { ask, deny, pass, type Ruling } from "../../../kernel/policy.ts";
import { own } from "../../../lib/keyed.ts";
import { names } from "../../../lib/name-table.ts";
import { inline, type Text, text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import type { Registration } from "../../../state/session/session.ts";
import {
  endsUs,
  handsOver,
  namesUs,
  namesUsUnread,
  passesOnVerb,
  patchesUs,
  reservedVerb,
  writesToUs,
} from "./own-command.ts";
import { type OwnPlace, type OwnPlaces, PLACE_NAMES } from "./own-place.ts";
import { lossIn, marksOf } from "./registration.ts";

/** Whatever caused the change: the hooks that the session began with must remain, and nothing new may disarm them. */
export function onConfigChange(path: string, registration: Registration, files: readonly SettingsFile[]): Ruling {
  for (const [registered, before] of Object.entries(registration)) {
    const file = files.find((candidate) => candidate.path === registered);
    const loss = lossIn(before, file?.now ?? MISSING);
    if (loss) return keepRegistration(registered, loss);
  }
  const changed = files.find((candidate) => candidate.path === path);
  return changed ? keepRegistration(path, lossIn(own(registration, path) ?? [], changed.now)) : pass;
}

const MISSING: Arming = { readable: true, hooks: [], disarms: [], strange: [], runs: [] };

export function onPlace(reached: OwnPlace, effect: Effect, shown: readonly SettingsFile[]): Ruling {
  const spelled = inline(effect.spelled, 80);
  if (reached.kind === "records") return onRecords(effect, spelled);
  const file = reached.kind === "registration" ? shown.find(({ path }) => path === reached.path) : undefined;
  if (!file) return refuse(PLACE_NAMES[reached.kind], spelled);
  const { path, now, after } = file;
  if (!after) return untold(path);
  const loss = lossIn(marksOf(now), after);
  return loss ? keepRegistration(path, loss) : askAboutRuns(path, now, after);
}

/** What the host wrote down is a witness of what happened. A person may well want it deleted, but not changed. */
function onRecords({ kind, by }: Effect, spelled: string): Ruling {
  const words = {
    what: text(
      `This would ${kind === "delete" ? "remove" : "change"} the client's own record of its sessions (${spelled}).`,
      `クライアント自身のセッション記録を${kind === "delete" ? "削除" : "変更"}する操作です (${spelled})。`,
    ),
    fix: text(
      "Reading it is fine. Keep your own notes in a file of the project.",
      "読むのは構いません。自分のメモはプロジェクトのファイルに書いてください。",
    ),
  };
  return kind === "delete" && by !== "mv" ? ask(words) : deny(words);
}

function untold(path: string): Ruling {
  const file = inline(path, 100);
  return deny({
    what: text(
      `What ${file} would become cannot be told: the words to be replaced do not stand in it letter for letter.`,
      `${file} がどう変わるか分かりません: 置き換える文字列がそのままの形では見つかりません。`,
    ),
    fix: text(
      "Read the file again and give the words exactly as they stand there, quotes and escapes included.",
      "ファイルを読み直し、引用符やエスケープも含めてそのままの文字列を指定してください。",
    ),
  });
}

/**
 * The host runs these without asking us: a status line, a helper, another program's hook, a server, a variable that
 * every shell reads.
 */
function askAboutRuns(path: string, now: Arming, after: Arming): Ruling {
  const added = after.runs.filter((run) => !now.runs.includes(run));
  if (added.length === 0) return pass;
  const file = inline(path, 100);
  const what = inline(added[0] ?? "", 120);
  return ask({
    what: text(
      `${file} would get a setting by which the client runs code unasked: ${what}.`,
      `${file} に、クライアントが確認なしにコードを実行する設定が加わります: ${what}。`,
    ),
    fix: text(
      "Let a person confirm it, or leave that key out.",
      "利用者に確認してもらうか、そのキーを外してください。",
    ),
  });
}

/** The effect of such a tool is unknown; a mention of our paths is enough for a question. */
export function onStranger(
  { name, words }: { readonly name: string; readonly words: readonly string[] },
  places: OwnPlaces,
): Ruling {
  const named = namesUs(words, places);
  if (named === undefined) return pass;
  const [tool, word] = [inline(name, 60), inline(named, 80)];
  return ask({
    what: text(
      `${tool} is given a name of Sekisho's own files (${word}).`,
      `${tool} に関所自身のファイルの名前が渡されます (${word})。`,
    ),
    fix: text(
      "Use Read to look at it; let a person confirm anything else.",
      "見るだけなら Read を。それ以外は利用者に確認してもらってください。",
    ),
  });
}

export function onShell(command: string, { shell, effects }: Operation, places: OwnPlaces): Ruling {
  if (!shell) return pass;
  const verb = reservedVerb(shell, places);
  if (verb !== undefined) return refuse(FOR_PEOPLE, `sekisho ${inline(verb, 40)}`);
  const messenger = passesOnVerb(shell);
  if (messenger !== undefined) return refuse(FOR_PEOPLE, inline(messenger, 40));
  const ender = endsUs(shell);
  if (ender !== undefined) return refuse(text("the gatehouse's processes", "ゲートハウスのプロセス"), ender);
  const handed = handsOver(shell, effects, places) ?? patchesUs(shell, places);
  if (handed !== undefined) return refuse(OWN_FILES, inline(handed, 40));
  const edited = handsOver({ ...shell, invocations: shell.invocations.filter(isEditor) }, effects, {
    all: places.records,
  });
  if (edited !== undefined) return refuse(PLACE_NAMES.records, inline(edited, 40));
  if (namesUsUnread(command, shell, places)) return refuse(OWN_FILES, shell.unknown.join(", "));
  const program = shell.programs.find((candidate) => writesToUs(candidate, places));
  return program ? refuse(OWN_FILES, `${program.language} program`) : pass;
}

/** Many programs read the host's records; these change the file that they are given. */
function isEditor({ name = "" }: Invocation): boolean {
  return EDITORS.has(name);
}

const EDITORS = names("ed ex vi vim nvim nano emacs mount umount patch");

/** Refuses a program that names one of our paths and could write there. */
export function refuseOwn(spelled: string): Ruling {
  return refuse(OWN_FILES, spelled);
}

const FOR_PEOPLE = text("a command that is for people only", "人だけが使えるコマンド");
/** The key is the only file of ours that must not be read. */
export function keepKey(spelled: string): Ruling {
  return deny({
    what: text(
      `This would show the key by which the gatehouse is known (${spelled}).`,
      `ゲートハウスの身元を示す鍵を見せる操作です (${spelled})。`,
    ),
    fix: text(
      "`sekisho status` tells how the gatehouse is; leave its directory out of searches.",
      "ゲートハウスの様子は `sekisho status` で分かります。検索からはそのディレクトリを外してください。",
    ),
  });
}

const OWN_FILES = text("one of Sekisho's own files", "関所自身のファイル");

function keepRegistration(path: string, loss: Text | undefined): Ruling {
  if (!loss) return pass;
  const file = inline(path, 100);
  return deny({
    what: text(`${file} would change: ${loss.en}.`, `${file} の変更: ${loss.ja}。`),
    fix: text(
      "Leave Sekisho's entries under `hooks` as they are; other settings may be edited with Edit or Write. A person removes them with `sekisho uninstall`.",
      "`hooks` の関所の項目はそのままに。ほかの設定は Edit や Write で編集できます。外せるのは人の `sekisho uninstall` だけです。",
    ),
  });
}

function refuse(target: Text, spelled: string): Ruling {
  return deny({
    what: text(
      `This would change or use ${target.en} (${spelled}).`,
      `${target.ja}に手を加える操作です (${spelled})。`,
    ),
    fix: text(
      "Look if you must (`sekisho status`, `sekisho explain --last`), and ask the person to make the change in their own terminal.",
      "見るのは構いません (`sekisho status`, `sekisho explain --last`)。変更は利用者に、その人の端末で頼んでください。",
    ),
  });
}
