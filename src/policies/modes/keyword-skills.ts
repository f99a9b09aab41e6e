/** Maps a keyword to its skill if the session has it, otherwise to a short instruction. Never names a missing skill. */
import type { KeywordName } from "../../language/keywords/keywords.ts";
import { own } from "../../lib/keyed.ts";
import { type Text, text } from "../../lib/text.ts";
import { nameable } from "./nameable.ts";

interface Led {
  readonly skill: string;
  /** Used if the skill is not available. */
  readonly instead: Text;
}

export function keywordNote(keyword: KeywordName, skills: readonly string[]): Text {
  const { en, ja } = order(KEYWORD_SKILLS[keyword], skills);
  return text(`Sekisho: the prompt says ${keyword}. ${en}`, `関所: この依頼は ${keyword} です。${ja}`);
}

/**
 * Returns a single text, so that several keywords do not read as several requests. A person's own keywords are handled
 * elsewhere.
 */
export function keywordNotes(keywords: readonly string[], skills: readonly string[]): readonly Text[] {
  const known = [...new Set(keywords)].filter(isKnown);
  const [first] = known;
  if (first === undefined) return [];
  if (known.length === 1) return [keywordNote(first, skills)];
  const orders = known.map((name) => ({ name, ...order(KEYWORD_SKILLS[name], skills) }));
  return [
    text(
      ["Sekisho: the prompt says several things. In this order:", ...orders.map(({ name, en }) => `${name}. ${en}`)]
        .map(numbered)
        .join("\n"),
      ["関所: この依頼には次のものが含まれます。この順に:", ...orders.map(({ name, ja }) => `${name}。${ja}`)]
        .map(numbered)
        .join("\n"),
    ),
  ];
}

/** Numbers every line but the heading. */
function numbered(line: string, at: number): string {
  return at === 0 ? line : `${at}. ${line}`;
}

function isKnown(keyword: string): keyword is KeywordName {
  return own(KEYWORD_SKILLS, keyword) !== undefined;
}

function order({ skill, instead }: Led, skills: readonly string[]): Text {
  const [named] = nameable([skill], skills);
  if (named === undefined) return instead;
  return text(
    `Take up the skill ${named} now, with the Skill tool, before anything else.`,
    `ほかの作業より先に、今すぐ Skill ツールでスキル ${named} を使ってください。`,
  );
}

export const KEYWORD_SKILLS: Readonly<Record<KeywordName, Led>> = {
  cancel: {
    skill: "cancel",
    instead: text(
      "Begin nothing new; finish only a step that would leave something broken, and stop the background work that you started. " +
        "Undo nothing unasked. Then say what is done, what is half done and what was not begun, and stop.",
      "新しいことは始めないでください。途中でやめると壊れる一手だけ終え、自分が始めたバックグラウンド作業を止めてください。" +
        "頼まれずに元へ戻さないでください。完了・途中・未着手を報告して終了してください。",
    ),
  },
  persistent: {
    skill: "persistent-mode",
    instead: text(
      "Work until the whole request is done. Keep a plan with boxes (the prompt's, or .tmp/plans/*.md) and tick what was seen to be done. " +
        "It ends when all are ticked, or without a plan by <promise>DONE</promise>, and the checks have passed. " +
        "Real questions go through AskUserQuestion. Only the person cancels.",
      "依頼全体が終わるまで続けてください。チェック欄つきの計画（依頼で指定のもの、または .tmp/plans/*.md）を、確かめたものから埋めてください。" +
        "全部埋まるか、計画がなければ <promise>DONE</promise> で、検査が通っていれば終わります。" +
        "本当の質問は AskUserQuestion で。取り消せるのは人だけです。",
    ),
  },
  turbo: {
    skill: "turbo-mode",
    instead: text(
      "Cut the work into pieces with files of their own, give them to parallel subagents in one message, and join and check the whole yourself. " +
        "It ends when all tasks of the run are completed, or by <promise>DONE</promise> if that is true. Only the person cancels.",
      "作業を、触るファイルが重ならない部分に分け、一度にまとめて並列のサブエージェントに渡し、統合と全体の検査は自分で行ってください。" +
        "全タスクの完了、または事実であれば <promise>DONE</promise> で終わります。取り消せるのは人だけです。",
    ),
  },
  "research-pilot": {
    skill: "research-pilot",
    instead: text(
      "State the question in a sentence. Look in the project first, then at primary sources; try the riskiest assumption. " +
        "Give at least two options and doing nothing, with cost and risk, recommend one, and mark what is seen, inferred and unknown. Build nothing.",
      "問いを一文で書き、まずプロジェクト内、次に一次資料を調べ、最も危うい前提を試してください。" +
        "何もしない案を含む複数案を費用と危険とともに示し、一つを推し、確認・推測・不明を区別してください。まだ何も作らないでください。",
    ),
  },
  "feature-pilot": {
    skill: "feature-pilot",
    instead: text(
      "Write down what must be true when it is done, and what is left out. Follow the nearest thing that exists; first the thinnest way through, then breadth. " +
        "A test for each point, the failures too. Use it once for real and run the project's checks.",
      "完成時に成り立つことと、対象外を書いてください。最も近い既存の作りに倣い、まず端から端まで細く通し、それから広げてください。" +
        "失敗の場合も含め、各点にテストを。実際に一度使い、プロジェクトの検査を実行してください。",
    ),
  },
  "web-qa": {
    skill: "web-qa",
    instead: text(
      "Run the project's checks (`sekisho verify`), fix the cause of what fails, and go round until all pass on the files as they are; never weaken a check. " +
        "It ends by exit codes; <promise>QA_COMPLETE</promise> counts only where the project has no checks. Only the person cancels.",
      "プロジェクトの検査を実行し（`sekisho verify`）、失敗の原因を直し、今のファイルで全部通るまで繰り返してください。検査は弱めないでください。" +
        "終わりは終了コードで決まり、<promise>QA_COMPLETE</promise> は検査のないプロジェクトでだけ有効です。取り消せるのは人だけです。",
    ),
  },
  security: {
    skill: "security-scan",
    instead: text(
      "List where untrusted input comes in and follow it to where it acts; check rights, secrets (place and kind, never the value), dependencies and limits. " +
        "Each finding: how it happens, where, how bad, the remedy; and what was not looked at. Change nothing unasked.",
      "信頼できない入力の入口を挙げ、作用する所まで追ってください。権限、秘密情報（場所と種類だけ、値は書かない）、依存関係、上限も確認を。" +
        "各指摘に起こり方・場所・重さ・対策を、そして見ていない範囲も示してください。頼まれずに変更しないでください。",
    ),
  },
  "bug-fix": {
    skill: "bug-fix",
    instead: text(
      "Reproduce it, hold it with a test that fails for the right reason, and name the cause that explains every symptom. " +
        "Fix it where it arises, with the smallest change, look for the same mistake elsewhere, and run the project's checks.",
      "再現し、正しい理由で失敗するテストで押さえ、すべての症状を説明する原因を特定してください。" +
        "発生源を最小の変更で直し、同じ誤りがほかにないか調べ、プロジェクトの検査を実行してください。",
    ),
  },
  "deep-explain": {
    skill: "deep-explain",
    instead: text(
      "Read it and follow one real case from end to end. Explain from the top down: in two sentences, the parts, the case with file and line, why it is so, the edges, the traps. " +
        "Mark what is inferred. Change nothing.",
      "実際に読み、具体的な一例を端から端まで追ってください。二文の要約、構成、ファイルと行つきの一例、理由、境界、落とし穴の順に説明を。" +
        "推測はそうと示し、何も変更しないでください。",
    ),
  },
  "analyze-pipeline": {
    skill: "analyze-what-to-build",
    instead: text(
      "Find the aim, what is there and what is wanted, with evidence. Weigh ten to twenty candidates by reach, gain, certainty, effort and risk; " +
        "give the first few in order, what you would not do, and why. Mark guesses. Build nothing.",
      "目的、今あるもの、求められているものを根拠とともに調べてください。十から二十の候補を、範囲・効果・確度・手間・危険で比べ、" +
        "上位を順に、見送るものも理由つきで示してください。推測はそうと示し、まだ作らないでください。",
    ),
  },
  "competitive-tracker": {
    skill: "competitive-tracker",
    instead: text(
      "Go on from an earlier comparison if there is one. Fix the criteria before you look, take primary sources with date and version, measure all alike. " +
        "Each cell has a source or says not known. Then the gaps that matter and what to do about each.",
      "以前の比較があれば引き継いでください。見る前に基準を決め、日付と版のある一次資料を使い、同じ条件で測ってください。" +
        "各欄に出典か「不明」を。そのうえで重要な差と、それぞれへの対応を示してください。",
    ),
  },
  "manual-generator": {
    skill: "manual-generator",
    instead: text(
      "Take stock from the program as it is, compare it with what is written, and order by the reader's tasks. " +
        "Try every command exactly as it stands there; mark what could not be tried. Change a generated document at its source.",
      "今のプログラムから内容を洗い出し、既存の文書と比べ、読者の作業の順に並べてください。" +
        "コマンドは書いたとおりにすべて試し、試せないものは印を。生成される文書は元のほうを変えてください。",
    ),
  },
};
