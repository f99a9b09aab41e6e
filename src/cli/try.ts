import { here } from "../app/project.ts";
import { type Moment, playTry, type Recorded } from "../app/rehearsal/try.ts";
import { type Language, type Text, text } from "../lib/text.ts";
import { subject } from "../views/audit.ts";
import { defineCommand } from "./command.ts";
import { paint, paintDecision, say, sayWords, table, terminalColumns, wrap } from "./print.ts";

export const tryIt = defineCommand({
  name: "try",
  summary:
    "Watch a scripted agent work, slip, misbehave, and be told to continue until its work is proven. No account, nothing left behind.",
  options: {},
  run() {
    const place = here(process.cwd(), "none");
    const { language } = place;
    say(paint.bold(TITLE[language]));
    say(wrap(ABOUT[language], terminalColumns()));
    let isAsTold = false;
    for (const moment of playTry(place)) {
      print(moment, language);
      if (moment.is === "recorded") isAsTold = moment.isAsTold;
    }
    return isAsTold ? 0 : 1;
  },
});

const TITLE = text("Sekisho — a checkpoint for coding agents", "関所 — エージェントのための検問所");
const ABOUT = text(
  "Before a coding agent like Claude Code does anything, it asks a small program, a hook, whether it may. Sekisho is that hook. Below, a scripted agent works in a throw-away project; every decision is made by the real checkpoint.",
  "コーディングエージェントは、何かをする前に必ず「フック」と呼ばれる小さなプログラムに尋ねます。関所はそのフックです。ここでは台本どおりのエージェントが、使い捨てのプロジェクトで働きます。判断はすべて本物です。",
);
const YOU = text("you", "あなた");

const RULED = { refused: text("refused", "止めた"), allowed: text("passed", "通した") };
const STOPPED = { refused: text("told to continue", "続けさせた"), allowed: text("let go", "終わらせた") };

function print(moment: Moment, language: Language): void {
  if (moment.is === "scene") say(`\n${paint.bold(moment.words)}`);
  if (moment.is === "words") say(`${paint.cyan("agent")}  ${moment.words}`);
  if (moment.is === "attempt") say(`       ${paint.dim(moment.tool)} ${moment.what}`);
  if (moment.is === "prompt") {
    say(`\n${paint.bold(YOU[language])}    ${moment.words}`);
    sayLines(moment.message);
  }
  if (moment.is === "ruled" || moment.is === "stopped") {
    const words = (moment.is === "ruled" ? RULED : STOPPED)[moment.decision][language];
    const surprise = moment.is === "ruled" && moment.decision === "allowed" && !moment.isExpected;
    say(`  ${mark(moment, words)}${surprise ? paint.red("  ?!") : ""}`);
    sayLines(moment.message);
  }
  if (moment.is === "recorded") printRecord(moment, language);
}

function mark({ decision, ms }: Extract<Moment, { readonly ms: number }>, words: string): string {
  const painted = decision === "refused" ? paintDecision("deny", `✖ ${words}`) : paintDecision("pass", `✔ ${words}`);
  return `${painted} ${paint.dim(`${Math.round(ms)} ms`)}`;
}

function sayLines(words = ""): void {
  for (const line of words.split("\n").filter((one) => one !== ""))
    say(`    ${wrap(line, terminalColumns(), "      ")}`);
}

const RECORD = text("The checkpoint's own record:", "関所の記録:");
const NEXT = text(
  "To use it in a project of yours: install it (npm pack && npm install -g ./sekisho-*.tgz), then cd <project> && sekisho init",
  "自分のプロジェクトで使うには: npm pack && npm install -g ./sekisho-*.tgz でインストールし、cd <プロジェクト> && sekisho init",
);

function printRecord(recorded: Recorded, language: Language): void {
  say(`\n${RECORD[language]}`);
  say(
    table(
      recorded.entries.map((entry) => [
        entry.decision ? paintDecision(entry.decision) : entry.kind,
        entry.outcome ?? "",
        subject(entry).replaceAll(`${recorded.project}/`, ""),
      ]),
      "  ",
    ),
  );
  say();
  say(endWords(recorded)[language]);
  sayWords(NEXT[language]);
}

function endWords({ isKept, integrity, records }: Recorded): Text {
  return text(
    `${isKept ? "Home and hooks are still there" : "Something was lost"}; the journal is ${integrity}, ${records} records.`,
    `ホームもフックも無事です。記録は${integrity === "intact" ? "無傷" : integrity}、${records} 件。`,
  );
}
