import { describe, expect, it } from "vitest";
import { KEYWORDS, type KeywordName, keywordsIn } from "./keywords.ts";
import { piecesOf } from "./phrase-pattern.ts";
import { MODE_WORDS } from "./words.ts";
import { SKILL_WORDS } from "./words-skills.ts";

const NAMED: Readonly<Record<KeywordName, readonly string[]>> = {
  cancel: [
    "cancel",
    "Cancel!",
    "CANCEL",
    "please cancel",
    "ok, cancel it",
    "cancel everything",
    "no, cancel that",
    "cancel turbo mode",
    "stop the persistent mode",
    "turn off autopilot",
    "exit turbo mode please",
    "cancel all modes",
    "cancel persistent",
    "Cancel QA please",
    "cancel mode",
    "cancelomc please",
    "stopomc now",
    "ｃａｎｃｅｌ",
    "キャンセルして",
    "キャンセルしてください",
    "キャンセル",
    "ｷｬﾝｾﾙして",
    "中断して",
    "中断してくれ",
    "中止",
    "中止してください。",
    "止めて",
    "やっぱり止めて",
    "全部キャンセルして",
    "ターボモードをキャンセルして",
    "ターボモードを解除して",
    "モードを終了してください",
    "作業を中断して",
    ...["stop the qa cycle", "abort turbo mode", "cancel the current mode", "持続モードを止めて"],
    ...["今の作業を止めて", "QAサイクルを止めて", "やっぱりいいや。キャンセルして。", "ストップ、作業を止めて"],
  ],
  persistent: [
    "Implement the login page and don't stop until it is done",
    "Implement the login page and don't stop until it is done; then commit",
    "Rewrite the parser and keep going until all tests pass, then open a pull request",
    "Fix all type errors. Don't stop until everything passes.",
    "Refactor the parser, and keep going until everything is done",
    "Migrate the tests to vitest. You must complete everything.",
    "Write the exporter, then keep working until it works",
    "Build the settings page. Do not give up until it's finished.",
    "Could you implement the importer and not stop until it's done?",
    "- implement login\n- write tests\n\nDon't stop until everything is done.",
    "設定画面を作って、テストも書いて、完了まで止まらないで",
    "plan.mdのタスクを全部完了まで進めて",
    "`plan.md` の内容を完了まで実装してください",
    "完了まで実装して、最後にコミットして",
    "persistent mode",
    "use persistent mode to fix the parser",
    "persistent mode: implement the importer",
    "persistent mode: tidy the readme",
    "完了までログインを実装して",
    "ralph these tasks",
    "Please ralph this issue",
    "run ralph on the task",
    "ralph fix the failing tests",
    "ralph: build the importer",
    "完了まで実装して",
    "完了まで実装してください",
    "ログイン画面を完了まで実装して",
    "完了まで修正して。",
    "完了するまで続けて",
    "止まらないで最後まで直して",
    "止まらずに実装して",
    "途中で止まらないで全部修正して",
    "諦めないで直して",
    "ログイン画面を実装して。終わるまで止まらないで。",
    "永続モードで実装して",
    "永続モードを開始して",
    "ユーザーがログインできるように完了まで実装して",
    ...["Implement the payment service and don't stop until it is done"],
    ...["Fix the session state and do not stop until everything is green"],
    ...["Port the client to fetch, without stopping until it's done"],
    ...["Do the whole upgrade and keep working until everything is done"],
    ...["I want you to rewrite the lexer and keep going until it's finished"],
    ...["Don't stop until all 12 modules are ported to ESM"],
    ...["persistent mode: refactor the router and its storage", "persistent mode please, rewrite the lexer"],
    ...["ralph the remaining tasks", "let's ralph this cleanup", "Work through the backlog in persistent mode"],
    ...["run this in persistent mode", "完了まで止まらないで実装して", "完了するまで開発を続けて"],
    ...["テストが全部通るまで止まらないで修正を続けて", "警告がなくなるまで諦めずに直して"],
    ...["設定画面を完了まで作って", "計画書の内容を最後まで止まらずに実装して", "完了まで実装をお願いします"],
    ...["Convert the remaining files. Keep going until all of them are converted."],
    ...["Work through the checklist in persistent mode"],
  ],
  turbo: [
    "turbo",
    "Turbo!",
    "turbo mode",
    "turbo: build the page",
    "turbo: rename foo to bar",
    "Turbo: implement the login page",
    "autopilot this",
    "now autopilot this, please",
    "autopilot: fix the login page",
    "autopilot build a todo list",
    "use autopilot to fix the flaky test",
    "Use turbo mode.",
    "use turbo mode to build the page",
    "go into autopilot mode",
    "activate auto-pilot mode",
    "start ultrawork on the rest",
    "ulw",
    "ultrawork refactor the store",
    "Can you use turbo mode to build this?",
    "Build the dashboard in turbo mode",
    "build me a recipe website",
    "ターボモードで実装して",
    "ターボモードでお願いします",
    "ターボモードでこのissueを対応して",
    "ターボモードで、設定画面にダークモードを追加してください",
    "ターボモード",
    "ﾀｰﾎﾞﾓｰﾄﾞで実装して",
    "ターボ モードで進めて",
    "ターボモードを開始して",
    "ターボモードに切り替えてください",
    "ログイン画面をターボモードで実装して",
    "ターボで実装して",
    "オートパイロットで直して",
    "並列で実行して",
    "turbo modeで実装して",
    ...["ターボモードで作って", "ターボモードでこの一覧を作って", "ターボモードでやって", "ターボモードに入って"],
    ...["この2つのタスクを並列で実行して", "残りの作業を同時に実行してください", "go turbo on this"],
    ...["run autopilot on the backlog", "put this on autopilot", "do ultrawork on the lexer"],
    ...["turbo mode, fix the failing tests", "turbo mode: implement the engine of the card game"],
    ...["Do this in turbo mode", "Fix this in turbo mode", "Please build me a landing page for a bakery"],
    ...["Can you build me a browser extension that counts tabs?", "create me a REST API for bookings"],
    ...["ターボモードで修正をお願いします", "build me a habit tracker app for the team"],
    ...["autopilot the rest of the migration"],
  ],
  "research-pilot": [
    "認証ライブラリを調査して",
    "市場をリサーチしてください",
    "妥当性を検証して",
    "ゼロベースで検討して",
    "最初から設計して",
    "run a feasibility study",
    "research-pilot: offline mode",
    "リサーチ",
    "feasibility",
    ...["決済手段について調査して"],
  ],
  "feature-pilot": [
    "新しい機能を追加して",
    "検索機能を追加して",
    "実装してください",
    "add a new export feature",
    "feature-pilot",
    "新機能",
    ...["新しい機能を作って", "検索機能の追加をお願いします"],
  ],
  "web-qa": [
    "QAサイクルを回して",
    "QAを回してください",
    "品質検査をして",
    "lintとテストを回して",
    "テストが通るまで修正して",
    "web-qa",
    "run a QA cycle",
    "Fix the code until all tests pass",
    "品質検査",
    ...["start web-qa", "Run the QA cycle on the checkout page", "run the qa cycle until all tests pass"],
    ...["Run the tests and fix the code until all tests pass", "テストが全部通るまで直して"],
    ...["run the tests and fix until everything is green", "keep fixing until the tests pass", "QA開始", "QA実行"],
    ...["run lint and tests until they pass", "Please fix the types until all checks are green"],
  ],
  security: [
    "セキュリティ検査をして",
    "セキュリティスキャンして",
    "シークレットをチェックして",
    "RLSを確認して",
    "run a security scan",
    "security-scan",
    "セキュリティ検査",
    ...["セキュリティスキャンをお願いします"],
  ],
  "bug-fix": [
    "バグを修正して",
    "バグを直してください",
    "エラーを修正して",
    "fix the bug",
    "fix this login bug",
    "bug-fix",
    "ボタンが動かない",
    "アプリがクラッシュする",
    "バグ修正",
    ...["fix the crash bug in the editor", "ログインのバグ修正をお願いします"],
  ],
  "deep-explain": ["deep-explain the scheduler", "深層分析して", "深層説明をしてください", "深層説明"],
  "analyze-pipeline": [
    "次に何を作るか決めて",
    ...["次は何を作るか考えて"],
    "パイプラインを分析して",
    "ポートフォリオを分析してください",
    "what to build",
    "analyze-what-to-build",
    "次の機能",
  ],
  "competitive-tracker": [
    "競合他社と比較して",
    "ベンチマークを回して",
    "業界標準を確認して",
    "ギャップを分析して",
    "competitive-tracker",
    "run a competitive analysis",
    "業界標準",
  ],
  "manual-generator": [
    "マニュアルを更新して",
    "マニュアルを生成してください",
    "update the manual",
    "manual-generator",
    "マニュアル更新",
  ],
};

/** For each keyword a strong phrase, a weak one, and vetoes for the weak one. */
const LAYERS: Readonly<Record<KeywordName, { strong: string; weak: string; vetoes: string }>> = {
  cancel: {
    strong: "作業を中断して",
    weak: "キャンセル",
    vetoes:
      "中断は遅い 中断が遅い 中断の話 中断を書く 中断に使う 中断も使う キャンセル機能 キャンセル処理 キャンセルロジック キャンセルボタン " +
      "キャンセル動作 キャンセルパターン キャンセル方法 キャンセル過程 キャンセル手順 キャンセル有無",
  },
  persistent: {
    strong: "完了まで実装して",
    weak: "画面を実装して。完了まで止まらないで",
    vetoes: "完了までの時間を書く 完了までは遠い",
  },
  turbo: {
    strong: "ターボモードで実装して",
    weak: "ターボ",
    vetoes: "ターボは遅い ターボが遅い ターボの話 ターボを書く ターボモードは遅い ターボ機能を書く ターボ設定に書く",
  },
  "research-pilot": {
    strong: "市場を調査して",
    weak: "リサーチ",
    vetoes:
      "リサーチの話 妥当性は低い リサーチ結果を書く リサーチ文書を書く リサーチ記録を書く リサーチキャッシュを書く リサーチファイルを書く 妥当性検証の話",
  },
  "feature-pilot": {
    strong: "検索機能を追加して",
    weak: "新機能",
    vetoes: "機能は多い 機能リスト 機能一覧 機能現況 機能状態 機能文書",
  },
  "web-qa": { strong: "QAを回して", weak: "品質検査", vetoes: "QAは遅い QAモードは遅い QAサイクルを書く QA機能に書く" },
  security: {
    strong: "セキュリティスキャンして",
    weak: "セキュリティ検査",
    vetoes:
      "セキュリティは弱い セキュリティ政策を書く セキュリティルールを書く セキュリティ設定を書く セキュリティ機能を書く セキュリティ検査を書く",
  },
  "bug-fix": {
    strong: "バグを修正して",
    weak: "バグ修正",
    vetoes:
      "バグの話 エラーは多い バグ修正の話 バグレポートを書く バグリストを書く バグパターンを書く バグタイプを書く",
  },
  "deep-explain": { strong: "深層分析して", weak: "深層説明", vetoes: "分析の話 説明は長い" },
  "analyze-pipeline": {
    strong: "次に何を作るか決めて",
    weak: "次の機能",
    vetoes: "パイプラインの話 ポートフォリオを書く パイプライン分析の話",
  },
  "competitive-tracker": {
    strong: "競合他社と比較して",
    weak: "業界標準",
    vetoes: "競合他社は強い ベンチマークの話 業界標準を書く",
  },
  "manual-generator": {
    strong: "マニュアルを更新して",
    weak: "マニュアル更新",
    vetoes: "マニュアルの話 マニュアル更新は遅い マニュアル生成を書く",
  },
};

describe("TS-35 each keyword", () => {
  for (const [name, prompts] of Object.entries(NAMED))
    it.each(prompts)(`MD-24 ${name} is triggered by: %j`, (prompt) => {
      expect(keywordsIn(prompt)).toContain(name);
    });

  it.each(Object.entries(LAYERS))("MD-22 MD-24 %s, strong: triggers despite vetoes", (name, words) => {
    expect(keywordsIn(words.strong)).toEqual([name]);
    for (const veto of words.vetoes.split(" "))
      expect([veto, keywordsIn(`${words.strong}。${veto}`)]).toEqual([veto, [name]]);
  });

  it.each(Object.entries(LAYERS))("MD-22 MD-24 %s, weak: triggers", (name, { weak }) => {
    expect(keywordsIn(weak)).toEqual([name]);
    expect(keywordsIn(`${weak}。お茶の話`)).toEqual([name]);
  });

  it.each(Object.entries(LAYERS))("MD-22 MD-24 %s, vetoed: does not trigger", (_, { weak, vetoes }) => {
    for (const veto of vetoes.split(" ")) expect([veto, keywordsIn(`${weak}。${veto}`)]).toEqual([veto, []]);
  });

  it("MD-24 keywords are ordered by priority", () => {
    expect(KEYWORDS).toEqual(Object.keys(NAMED));
    expect(keywordsIn("バグを修正して。マニュアルを更新して。ターボモードで進めて。完了まで実装して")).toEqual([
      ...["persistent", "turbo", "bug-fix", "manual-generator"],
    ]);
  });

  it.each(Object.entries({ ...MODE_WORDS, ...SKILL_WORDS }))(
    "MD-24 %s has a stem in each of its phrases",
    (_, words) => {
      const stems = words.stems.split(" ");
      const holdsStem = (text: string): boolean => stems.some((stem) => text.includes(stem));
      const lacking = [...words.strong, ...words.weak, ...("alone" in words ? words.alone : [])].filter(
        (phrase) => !piecesOf(phrase).some((one) => one.every(holdsStem)),
      );
      expect(lacking).toEqual([]);
    },
  );
});
