/** Vocabulary of the skill keywords: an order starts the skill, a mention rarely does. */
import { type KeywordWords, titledByMode } from "./orders.ts";

const PARTICLE = "(は|が|の|を|に|も)";
/** Verbs that start an order in English. */
const DO = "(do|run|start|begin|perform|conduct|execute|launch|use)";
/** The name alone, or with its object. */
const byName = (name: string): readonly string[] => [
  `^(${name})$`,
  `^(${name}):`,
  `^(${name}) (for|on|this|the|these|it|our|my|all|how|why)`,
  `^${DO} (|the |a )(${name})`,
];

const UNTIL_PASSED = [
  "until (all |the |all the |all of the |)(tests|checks) (pass|are green|are passing|succeed)$",
  "until (they pass|they all pass|everything passes|everything is green|all is green|all green|it all passes)$",
];
const QA_RUN =
  "(do|run|start|begin|perform|launch|use|enter) (|the |a |another |a full |the full )(web-qa|web qa|qa cycle|qa mode)";

export const SKILL_WORDS = {
  "research-pilot": {
    stems: "リサーチ 調査 妥当性 ゼロベース フルスクラッチ 最初から research discovery feasibility",
    strong: [
      "(リサーチ|調査)(を|)~(して|しよう|開始して|開始)$",
      "(リサーチ|調査)(を|)して(、|,)",
      "妥当性(を|の|)~(検証|確認|分析)(を|)~して$",
      "(ゼロベース|フルスクラッチ)(で|から)~(リサーチ|調査|分析|検討|開始)(を|)(して|)$",
      "最初から~(リサーチ|調査|分析|検討|設計)(を|)(して|)$",
      ...byName("research-pilot|research pilot"),
      `^${DO} (|a |the |some )(product discovery|feasibility check|feasibility study|feasibility analysis)`,
      "^(product discovery|feasibility check|feasibility study|feasibility analysis)$",
      "^(product discovery|feasibility check|feasibility study|feasibility analysis) (for|of|on)",
    ],
    weak: [
      "^(リサーチ|妥当性検証|妥当性確認|妥当性の検証|ゼロベース|フルスクラッチ)$",
      "(リサーチ|調査)(お願い|頼|から始めて)",
      "^(feasibility|discovery)$",
      "^(check|study|assess|analyze|analyse) the feasibility of",
    ],
    veto: [
      `(リサーチ|妥当性)~${PARTICLE}`,
      `リサーチ~(結果|文書|記録|キャッシュ|ファイル)~${PARTICLE}`,
      `妥当性~(検証|確認|分析)~${PARTICLE}`,
      "(feature|button|page|report|document|file|cache|results|service discovery|device discovery)",
    ],
    unless: ["(ログ|バグ|エラー|不具合|原因|障害|テスト)…15調査"],
  },
  "feature-pilot": {
    stems: "機能 実装して 開発して feature",
    strong: [
      "新(しい|規|)~機能(を|の|)~(追加|開発|実装)(を|)して$",
      "新(しい|規|)~機能(を|)~作って$",
      "機能(を|の|)~(追加|開発)(を|)~して$",
      "(実装して|開発して)(ください|下さい|くれ)$",
      ...byName("feature-pilot|feature pilot"),
      "^(add|implement|build|develop|create) (a |the |this |)new …30feature",
    ],
    weak: [
      "^新(しい|規|)~機能$",
      "^新(しい|規|)~機能(の|)~(追加|開発|実装)$",
      "^機能(の|)~(追加|開発)$",
      "^new feature:",
    ],
    veto: [
      `機能~${PARTICLE}`,
      "機能~(リスト|一覧|現況|状態|文書)",
      "(feature flag|feature branch|feature list|feature request)",
    ],
    unless: ["(feature flag|feature branch|feature list|feature request|feature toggle|feature engineering)"],
  },
  "web-qa": {
    stems: "qa 品質 テスト lint tests quality checks pass green",
    alone: ["^(web-qa|web qa|qa cycle|qa mode)$", "^(qa|品質~検査)(を|)~(実行|開始)$"],
    // One run of the tests is no order for a cycle unless it is all that is said.
    only: [
      "^(全|全ての|すべての|単体|ユニット|結合|e2e|)~(テスト|lint|eslint)(を|)~(全部|全て|すべて|)(回して|実行して)$",
      "^(lint|eslint)して$",
      "^テスト(が|)~(通過|成功)(する|)まで$",
    ],
    explicit: titledByMode("qa mode|web-qa|web qa|qa cycle|qa~モード|qa~サイクル"),
    strong: [
      "^(qa|web-qa|ウェブqa)~(サイクル|モード|)(を|)~(回して|実行して|開始して|始めて)$",
      "^品質~検査(を|)~(して|回して|開始して|実行して)$",
      "^(lint|eslint|静的解析)とテスト(を|)~回して$",
      "テスト(が|)(全部|すべて|全て|)(通過|通|成功|パス)(する|る|)まで(、|)~(修正して|修正を続けて|修正を繰り返して|直して|直し続けて|繰り返して|回して|回し続けて|続けて|対応して|qaを回して|qaサイクルを回して)$",
      // QA is a mode, so its object must be complete, because other things of that name are run too.
      ...[
        "$",
        "(,| and|, and) (then|fix all|fix everything|fix what|fix whatever|fix any|fix the failures|fix the errors)",
        " (on|for) (this|it|these|everything|all of it)$",
        " until (all|everything|the tests|tests|it) …20(pass|passes|passing|green|works|succeed|done)$",
      ].map((end) => `^${QA_RUN}${end}`),
      `^${QA_RUN} (on|for) (the|this|our|my|all) …30(page|pages|app|site|website|form|flow|feature|branch|change|changes|project|repo|module|screen)$`,
      "^(web-qa|web qa) (this|it|these)(| page| app| site| branch| change| changes| feature)$",
      ...UNTIL_PASSED.flatMap((until) => [
        `^(fix|iterate|keep fixing|keep iterating|keep working|work|continue|repair|lint) …40 ${until}`,
        `^(keep fixing|keep iterating|fix|iterate|lint and test|test and fix) ${until}`,
        `^run (|the |all |all the )(tests|test suite|checks|linter|lint) …30${until}`,
      ]),
      "^(run|do|start) (a |the |another |a full )(qa|quality check|qa pass)$",
    ],
    weak: ["^(qa~サイクル|品質~検査)$", "^(run|start) (|the )(quality checks|qa checks)$"],
    veto: [
      `qa~${PARTICLE}`,
      `qa~(モード|サイクル|機能)~${PARTICLE}`,
      "(結果|一度|一回|1回|だけ|のみ|単体|教えて|確認)",
      "(engineer|team|department|environment|server|staging|staff|manager)",
    ],
    unless: [
      "(write|add|create) (a |the )",
      // The thing that continues until then is part of the work, not the agent.
      "(that|which|who|to|job|loop|retry|retries|script|worker|pipeline|workflow|poller|bot|function) …30until",
      "(スクリプト|関数|ボタン|コマンド|ci|パイプライン)(を|に)…12(作|追加|書|実装)",
    ],
  },
  security: {
    stems: "セキュリティ rls シークレット security secret vulnerabilities",
    strong: [
      "セキュリティ(|ー)~検査(を|)~(して|回して|開始して|開始|実行して)$",
      "セキュリティ(|ー)~スキャン(を|)~(して|回して|開始して|実行して|かけて)$",
      "rls(を|の|)~確認(を|)~して$",
      "シークレット(を|の|)~チェック(を|)して$",
      ...byName("security-scan|security scan"),
      `^${DO} (|a |the |another |full |a full )(security scan|security audit|security check|security review)`,
      "^(scan|check|audit) …30for (security issues|vulnerabilities|leaked secrets|secrets|security holes)$",
    ],
    weak: [
      "^セキュリティ(|ー)~(検査|スキャン)$",
      "^シークレット~チェック$",
      "^(security audit|security check|secret scan)$",
    ],
    veto: [
      `セキュリティ(|ー)~${PARTICLE}`,
      `セキュリティ(|ー)~(政策|ポリシー|ルール|設定|機能|検査|スキャン)~${PARTICLE}`,
      "(policy|policies|guard|team|settings|page|headers|camera|airport)",
    ],
  },
  "bug-fix": {
    stems: "バグ エラー bug 動かない 動きません 動作 クラッシュ",
    strong: [
      "バグ(を|の|)~…6(修正して|修正をして|直して)$",
      "エラー(を|の|)~(修正して|修正をして|直して)$",
      "(バグ|エラー)(を|の|)~(修正して|直して)(、|,)",
      ...byName("bug-fix|bugfix"),
      "^(fix|squash|repair) (|the |this |that |these |a |all |all the |some )(bug|bugs)",
      "^(fix|squash|repair) (the |this |that |these |a |)…20 (bug|bugs)$",
      "^(fix|squash|repair) (the |this |that |these |a )…20 (bug|bugs) (in|on|when|where|with)",
      "(動かない|動きません|動作~しない|動作~しません)(です|のです|んです|。|)$",
      "クラッシュ(する|します|した|しました|している|しています|してしまう|してしまいます)$",
    ],
    weak: ["^(バグ|エラー)~修正$", "^クラッシュ$", "^(bug fix|bug fixing|bug fixes)$"],
    veto: [
      `(バグ|エラー)~${PARTICLE}`,
      `バグ~(修正|レポート|リスト|パターン|タイプ)~${PARTICLE}`,
      "(branch|release notes|commit message|label|template)",
    ],
    unless: [
      "(クラッシュ)~(レポート|ログ|テスト|機能)",
      "(bug|bugs) (report|reports|tracker|list|template|bounty|label|labels|count|counter|icon|badge|page|form|field|status|triage|board|column|filter)",
    ],
  },
  "deep-explain": {
    stems: "deep 深層 depth",
    strong: [
      ...byName("deep-explain|deep explain"),
      "深層~(分析|説明)(を|)~して$",
      "^(explain|analyze|analyse) …30 (in depth|in great depth|in full depth)$",
    ],
    weak: ["^深層~(分析|説明)$", "^(in-depth explanation|deep explanation)$"],
    veto: [`(分析|説明)~${PARTICLE}`, "(tooltip|label|page|component|column)"],
  },
  "analyze-pipeline": {
    stems: "作る 機能 パイプライン ポートフォリオ build",
    strong: [
      "何(を|)~作るか(を|)(決め|考え|分析|提案|検討|教え)",
      "^(次に|次は|次|)何(を|)~作る(べき|か|)$",
      "次(の|に|)(作る|)~機能(を|は|の|)~(何|なに|どんな|おすすめ|分析して|教えて|提案して)",
      "(パイプライン|ポートフォリオ)(を|の|)~分析(を|)~(して|回して)$",
      "^(what to build|what to build next|what should we build next)$",
      "^(decide|analyze|analyse|suggest|propose|figure out|tell me) what to build",
      ...byName("analyze-what-to-build"),
    ],
    weak: ["^次(の|)~機能$", "^(パイプライン|ポートフォリオ)~分析$"],
    veto: [`(パイプライン|ポートフォリオ)(|分析)~${PARTICLE}`, "(ci|cd|build pipeline|deploy|デプロイ|ビルド|データ)"],
    unless: ["(ci|cd|デプロイ|ビルド|データ|rag|etl)~(の|/|)(cd|)(パイプライン)"],
  },
  "competitive-tracker": {
    stems: "競合 ベンチマーク 業界 ポートフォリオ ギャップ competit competition industry analysis",
    strong: [
      "(競合他社|競合製品|競合サービス)(と|を|の|との|)~比較(を|)~(して|回して)$",
      "(競合他社|競合製品|競合サービス)(を|の|)~(調べて|チェックして|追跡して)$",
      "ベンチマーク(を|)~回して$",
      "^ベンチマーク(を|)~して$",
      "業界~標準(と|を|の|)~(チェック|確認|比較)(を|)~して$",
      "ポートフォリオ(を|の|)~(チェック|確認)(を|)~して$",
      "ギャップ(を|の|)~(追跡|分析)(を|)~して$",
      ...byName("competitive-tracker|competitive-tracking|competitive tracker|competitive tracking"),
      `^(compare|benchmark) (us|our product|this product|our app|this app|our tool) (with|to|against) (|the |our |its )(competitors|competition|industry standard)`,
      `^${DO} (|a |the )(competitive analysis|competitor analysis|gap analysis)`,
    ],
    weak: [
      "^(競合~比較|競合他社~比較|業界~標準|ポートフォリオ~チェック|ギャップ~追跡)$",
      "^(competitive analysis|competitor analysis)$",
    ],
    veto: [
      `(競合|競合他社|ベンチマーク|業界標準)~${PARTICLE}`,
      "(merge|conflict|マージ|コンフリクト|git|rebase|性能|cpu|gpu)",
    ],
    unless: ["(コード|関数|api|性能|速度|クエリ|cpu|gpu|メモリ)…8ベンチマーク"],
  },
  "manual-generator": {
    stems: "マニュアル manual",
    strong: [
      "マニュアル(を|の|)~(更新|生成|作成)(を|)~して$",
      ...byName("manual-generator|manual update"),
      "^(update|generate|regenerate|create|write) (the |a |our |this |)(user |)manual$",
      "^(update|generate|regenerate|create|write) (the |a |our |)(user |)manual (for|of|with)",
    ],
    weak: ["^マニュアル(の|)~(更新|生成)$", "^(manual generation|user manual)$"],
    veto: [
      `マニュアル~${PARTICLE}`,
      `マニュアル~(更新|生成)~${PARTICLE}`,
      "(test|tests|testing|approval|trigger|step|steps|review|transmission)",
    ],
    unless: ["manual (test|tests|testing|approval|trigger|step|steps|review|mode|override)"],
  },
} as const satisfies Readonly<Record<string, KeywordWords>>;
