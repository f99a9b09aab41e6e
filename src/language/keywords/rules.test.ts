import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growsFaster } from "../../../test/growth.ts";
import { vocabularyProblem } from "../../state/settings/vocabulary.ts";
import { keywordsIn } from "./keywords.ts";
import { piecesOf } from "./phrase-pattern.ts";
import { readPrompt } from "./text.ts";
import { GLOBAL_VETOES } from "./vetoes.ts";

describe("cleaning a prompt", () => {
  const said = (prompt: string): string =>
    readPrompt(prompt)
      .sentences.map((one) => one.said)
      .join(" / ");

  it.each([
    ["1 fenced code", "before\n```\nturbo\n```\nafter"],
    ["1 fenced code that never ends", "before after\n```ts\nturbo"],
    ["1 fenced code within a line", "before ```turbo``` after"],
    ["2 inline code", "before `turbo` after"],
    ["3 table rows", "before\n| turbo | on |\nafter"],
    ["4 quoted lines", "before\n> turbo\nafter"],
    ["5 round brackets", "before (turbo (mode)) after"],
    ["5 full-width brackets", "before （turbo） after"],
    ["5 corner brackets", "before 「turbo」 after"],
    ["5 square brackets", "before [turbo] after"],
    ["6 bold", "before **turbo** after"],
    ["6 italic", "before *turbo* and _turbo_ after"],
    ["7 files", "before turbo.json after"],
    ["7 files with Japanese names", "before ターボturbo.md after"],
    ["8 double quotes", 'before "turbo" after'],
    ["8 quotes over lines", 'before "a\nturbo\nb" after'],
    ["8 single quotes", "before 'turbo' after"],
    ["9 JSON objects", 'before {"a": {"mode": turbo}} after'],
    ["9 JSON arrays", 'before ["turbo", [turbo]] after'],
    ["10 paths with an extension", "before src/turbo/x.ts after"],
    ["10 paths without one", "before lib/turbo after"],
    ["11 comments", "before <!-- turbo --> after"],
    ["11 elements", "before <x-y a='b'>turbo</x-y> after"],
  ])("MD-21 TS-35 removes %s, and nothing else", (_, prompt) => {
    expect(said(prompt)).not.toContain("turbo");
    expect(said(prompt)).toContain("before");
    expect(said(prompt)).toContain("after");
    expect(readPrompt(prompt).original).toContain("turbo");
  });

  it("MD-21 TS-35 removes 7 files with purely Japanese names too", () => {
    expect(said("before ターボ.md after")).not.toContain("ターボ");
  });

  it("MD-21 keeps apostrophes inside words", () => {
    expect(said("don't stop until it's done")).toBe("don't stop until it's done");
    expect(said("don\u2019t stop")).toBe("don't stop");
  });

  it("MD-21 does not create an order by removing something", () => {
    for (const prompt of [
      'cancel "the order"',
      "cancel `job 5`",
      "cancel (order)",
      "「注文」をキャンセルして",
      "turbo `x`",
    ])
      expect(keywordsIn(prompt)).toEqual([]);
  });

  it("MD-21 reads a last line below pasted text, but not in a mail", () => {
    const text = "Something is broken since Monday.\n\nIt was fine before.";
    expect(keywordsIn(`Look at the report below.\n\n${text}\n\nuse turbo mode`)).toEqual(["turbo"]);
    expect(keywordsIn(`Look at the mail below.\n\nFrom: a\n\n${text}\n\nuse turbo mode`)).toEqual([]);
  });

  it("MD-21 reads both ends of a long prompt, but not its middle", () => {
    const long = "Some paragraph of a long text that says nothing special at all.\n\n".repeat(40);
    expect(keywordsIn(`turbo: build the page\n\n${long}`)).toEqual(["turbo"]);
    expect(keywordsIn(`${long}use turbo mode`)).toEqual(["turbo"]);
    expect(keywordsIn(`${long}use turbo mode\n\n${long}`)).toEqual([]);
    expect(keywordsIn(`${long.repeat(10)}use turbo mode`)).toEqual(["turbo"]);
  });
});

describe("vetoes", () => {
  it("MD-20 an empty prompt or a slash command names no keyword", () => {
    for (const prompt of ["", "  ", "/turbo", "  /cancel", "/x turbo: build it", "/review it\nuse turbo mode"])
      expect(keywordsIn(prompt)).toEqual([]);
  });

  it("MD-22 a veto anywhere in the original text applies to weak phrases only", () => {
    expect(keywordsIn("バグ修正")).toEqual(["bug-fix"]);
    expect(keywordsIn("バグ修正。バグの一覧")).toEqual([]);
    expect(keywordsIn("バグ修正 「バグの一覧」")).toEqual([]);
    expect(keywordsIn("バグ修正。急ぎの場合")).toEqual([]);
    expect(keywordsIn("キャンセル。")).toEqual(["cancel"]);
    expect(keywordsIn("キャンセル。（ボタン）")).toEqual([]);
    expect(keywordsIn("ターボモードで実装して。エラーの場合は教えて。")).toEqual(["turbo"]);
  });

  it("MD-22 a global veto applies to strong phrases in the same sentence, even if it was removed by cleaning", () => {
    expect(keywordsIn("ターボモードで実装して")).toEqual(["turbo"]);
    expect(keywordsIn("ターボモードで実装して（という冗談）")).toEqual([]);
    expect(keywordsIn("turbo: build the page (for example)")).toEqual([]);
  });

  it.each(
    "について に関して に関する という といった なのか ですか でしょうか できる すべき 場合 状況 シナリオ".split(" "),
  )("MD-23 %s vetoes strong and weak phrases", (veto) => {
    expect(keywordsIn(`ターボモード${veto}、ターボモードで実装して`)).toEqual([]);
    expect(keywordsIn(`バグ修正。${veto}`)).toEqual([]);
  });

  it("MD-23 とは vetoes when followed by white space", () => {
    expect(keywordsIn("ターボモードとは ターボモードで実装して")).toEqual([]);
  });

  it.each([
    ["について", ["about", "regarding", "concerning"]],
    ["という", ["called", "named", "the word", "the phrase"]],
    ["とは", ["what is", "what's", "what are", "what does"]],
    ["なのか", ["whether", "is it", "are there"]],
    ["ですか", ["why", "which", "how to", "how does"]],
    ["できる", ["can i", "can we"]],
    ["すべき", ["should i", "should we", "shall we"]],
    ["場合", ["in case", "for example", "for instance"]],
    ["状況", ["situation", "situations"]],
    ["シナリオ", ["scenario", "scenarios"]],
  ])("MD-32 the English equivalents of %s are vetoes too", (_, words) => {
    for (const word of words)
      expect([word, keywordsIn(`use turbo mode to build the page ${word} x`)]).toEqual([word, []]);
  });

  it("MD-32 every English global veto applies to strong phrases", () => {
    const alone = GLOBAL_VETOES.map(piecesOf)
      .filter((pieces) => pieces.length === 1)
      .flat(2);
    const english = [...alone.filter((veto) => /^[a-z]/.test(veto)), "how to", "how does", "was the", "were a"];
    expect(english.length).toBeGreaterThan(80);
    expect(english.filter((veto) => keywordsIn(`use turbo mode to build the page ${veto} x`).length > 0)).toEqual([]);
    expect(keywordsIn("turbo: build the page of x")).toEqual(["turbo"]);
  });
});

describe("TS-35 conflicts", () => {
  const own = [{ name: "cancel-own", strong: ["キャンセルして"], weak: [], veto: [] }];

  it("MD-25 cancel overrides all others", () => {
    expect(keywordsIn("バグを修正して。キャンセルして。", own)).toEqual(["cancel"]);
  });

  it("MD-25 research before feature, feature before bug, pipeline before competition", () => {
    expect(keywordsIn("市場を調査して。検索機能を追加して。")).toEqual(["research-pilot"]);
    expect(keywordsIn("検索機能を追加して。バグを修正して。")).toEqual(["feature-pilot"]);
    expect(keywordsIn("ポートフォリオを分析して。競合他社と比較して。")).toEqual(["analyze-pipeline"]);
  });

  it("MD-25 an overridden keyword still overrides others", () => {
    expect(keywordsIn("市場を調査して。検索機能を追加して。バグを修正して。")).toEqual(["research-pilot"]);
  });

  it("MD-25 all others are combined, each once", () => {
    expect(
      keywordsIn("マニュアルを更新して。マニュアルを生成して。ターボモードで進めて。セキュリティスキャンして。"),
    ).toEqual([...["turbo", "security", "manual-generator"]]);
  });
});

describe("the skill keywords", () => {
  it.each([
    ...[
      "The research pilot is over",
      "調査の結果を書いて",
      "調査しました",
      "バグの原因を調査して",
      "機能一覧を表示して",
      "検索機能を追加しました",
    ],
    ...[
      "Add a new feature flag",
      "実装してくださいました",
      "security policy page",
      "Security scan results are in the log",
    ],
    ...[
      "セキュリティ設定のページを直して",
      "bug-fix branch を消して",
      "Fix the bug report template",
      "バグ報告の画面を作って",
      "エラー処理を修正して",
    ],
    ...[
      "クラッシュレポートを送る機能",
      "deep copy を説明して",
      "explain this",
      "マニュアルを読んで",
      "Update the manual approval step",
    ],
    ...[
      "CIパイプラインを分析して",
      "競合を解決して",
      "このAPIのベンチマークを回して",
      "次の機能ボタン",
      "web qa team",
      "QA mode toggle",
    ],
    ...["Fix bugs label colour", "Fix the bug counter on the board", "ターボモードについて教えて", "新しい機能って"],
    ...["Run the tests", "look for the bug", "investigate this crash"],
  ])("MD-22 TS-35 are not triggered by: %j", (prompt) => {
    expect(keywordsIn(prompt)).toEqual([]);
  });
});

describe("a condition before an order", () => {
  it("MD-22 defers the order; a condition inside or after it does not", () => {
    expect(keywordsIn("マージしたらセキュリティスキャンして")).toEqual([]);
    expect(keywordsIn("終わったらターボモードで実装して")).toEqual([]);
    expect(keywordsIn("これからターボモードで実装して")).toEqual(["turbo"]);
    expect(keywordsIn("次はターボモードで実装して")).toEqual(["turbo"]);
    expect(keywordsIn("押したら開くように完了まで実装して")).toEqual(["persistent"]);
    expect(keywordsIn("完了まで実装して、終わったらコミットして")).toEqual(["persistent"]);
    expect(keywordsIn("ボタンを押したらクラッシュする")).toEqual(["bug-fix"]);
  });
});

describe("an order in title form", () => {
  it("MD-24 counts for any work, and can be vetoed", () => {
    expect(keywordsIn("turbo mode: build the engine of the card game")).toEqual(["turbo"]);
    expect(keywordsIn("persistent mode: migrate the storage")).toEqual(["persistent"]);
    for (const prompt of [
      "turbo mode: build the engine?",
      "turbo mode: disabled",
      "persistent: true",
      "turbo: command not found",
      "turbo: fix cache key (#1234)",
      "persistent mode: what does it do",
      "turbo mode: build the engine, for example",
      "- turbo mode: build the engine",
    ])
      expect(keywordsIn(prompt)).toEqual([]);
  });
});

describe("custom keywords", () => {
  const own = [
    { name: "ship", strong: ["ship~it now", "^(出荷|リリース)して$"], weak: ["shipping"], veto: ["cost"] },
    { name: "tidy", strong: ["片付け…5して"], weak: [], veto: [] },
  ];

  it("MD-24 come after the built-in ones, in their order", () => {
    expect(keywordsIn("机を片付けをして。ship it now. turbo mode.", own)).toEqual(["turbo", "ship", "tidy"]);
    expect(keywordsIn("ＳＨＩＰ　ＩＴ　ＮＯＷ", own)).toEqual(["ship"]);
    expect(keywordsIn("リリースしてください", own)).toEqual(["ship"]);
  });

  it("MD-24 match English as whole words in any case, ~ as an optional space, …5 as at most five characters", () => {
    for (const prompt of ["SHIP IT NOW", "shipit now", "ship  it now", "片付けして", "片付けをすぐにして"])
      expect([prompt, keywordsIn(prompt, own).length]).toEqual([prompt, 1]);
    for (const prompt of ["worship it now", "ship it nowhere", "ship-it now", "片付けを全部すぐにして"])
      expect([prompt, keywordsIn(prompt, own)]).toEqual([prompt, []]);
  });

  it("MD-22 use the same cleaning, vetoes and whole-word matching", () => {
    for (const prompt of [
      '"ship it now"',
      "what is ship it now",
      "worship it now",
      "ship it nowhere",
      "リリースしてから寝る",
    ])
      expect(keywordsIn(prompt, own)).toEqual([]);
    expect(keywordsIn("shipping", own)).toEqual(["ship"]);
    expect(keywordsIn("shipping. cost", own)).toEqual([]);
  });

  it("an unusable phrase is skipped without side effects", () => {
    const bad = [{ name: "bad", strong: ["(", "", "a", "((x|y)|z)", "…99x"], weak: ["*"], veto: [")"] }, ...own];
    expect(keywordsIn("ship it now ( a x", bad)).toEqual(["ship"]);
  });

  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["a", "too short"],
    ["go", "too short"],
    ["犬", "too short"],
    ["(a|longer)", "too short"],
    ["(|turbo)", "too short"],
    ["x".repeat(121), "longer than"],
    ["(turbo", "pairs"],
    ["turbo)", "pairs"],
    ["((aaa|bbb)|ccc)", "outside"],
    ["(turbo)", "one alternative"],
    ["aaa|bbb", "outside"],
    ["turbo…", "number"],
    ["turbo…99x", "gap of more"],
    ["turbo〜99999999999x", "before a number"],
    ["aaa…1b…1c…1d", "gaps"],
    ["turbo…5", "begins or ends"],
    ["…5turbo", "begins or ends"],
    ["(aaa…3b|ccc)", "within a group"],
    ['say "turbo"', "quoted"],
    ["tur*bo", "quoted"],
    ["/turbo", "commands"],
    ["tur^bo", "beginning"],
    ["tur$bo", "its end"],
    ["turbo\nmode", "line break"],
    ["turbo. now", "end of a sentence"],
    [`(${"aaa|".repeat(24)}bbb)`, "alternatives"],
  ])("explains why %j cannot be used", (phrase, why) => {
    expect(vocabularyProblem(phrase)).toContain(why);
  });

  it.each(["ship it", "^ship~it$", "(出荷|リリース)して", "片付け…5して", "don't wait", "犬を", "Ｓｈｉｐ"])(
    "%j can be used",
    (phrase) => {
      expect(vocabularyProblem(phrase)).toBeUndefined();
    },
  );
});

describe("any prompt", () => {
  const ORDERS = [
    "turbo: build the page",
    "cancel",
    "ターボモードで実装して",
    "完了まで実装して",
    "use autopilot to fix it",
    "キャンセルして",
  ];
  const order = fc.constantFrom(...ORDERS);
  const WRAPS: readonly (readonly [string, string])[] = [
    ...([
      ['"', '"'],
      ["`", "`"],
      ["```\n", "\n```"],
      ["~~~\n", "\n~~~"],
      ["「", "」"],
      ["『", "』"],
      ["\u201c", "\u201d"],
    ] as const),
    ...([
      ["(", ")"],
      ["（", "）"],
      ["[", "]"],
      ["<x>", "</x>"],
      ["<!-- ", " -->"],
      ["> ", ""],
      ["**", "**"],
      ["'", "'"],
    ] as const),
    ...([
      ["/", ""],
      ["    ", ""],
      ["# ", ""],
      ["user: ", ""],
      ["- ", ""],
      ["| ", " |"],
      ["what is ", ""],
      ["", "という"],
    ] as const),
  ];

  it("TS-35 names no keyword inside quotes, code or brackets", () => {
    fc.assert(
      fc.property(order, fc.constantFrom(...WRAPS), (text, [open, close]) => {
        expect(keywordsIn(`${open}${text}${close}`)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("TS-35 never contains an order inside a fence", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), order, (noise, text) => {
        const inner = `${noise}\n${text}`.replace(/[`~]/g, "");
        expect(keywordsIn(`\`\`\`\n${inner}\n\`\`\``)).toEqual([]);
      }),
    );
  });

  it("TS-35 is read independent of case and width", () => {
    const wide = (text: string): string =>
      text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
    fc.assert(
      fc.property(
        order,
        fc.constantFrom(wide, (text: string) => text.toUpperCase()),
        (text, change) => {
          expect(keywordsIn(change(text))).toEqual(keywordsIn(text));
        },
      ),
    );
  });

  it("TS-35 never makes the reader throw or repeat a keyword", () => {
    const piece = fc.oneof(
      order,
      fc.string({ unit: "binary" }),
      fc.constantFrom(..."\"'`(){}[]<>|*_~/.:\n \t…^$".split("")),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(new Set(keywordsIn(pieces.join(""))).size).toBe(keywordsIn(pieces.join("")).length);
      }),
      { numRuns: 300 },
    );
  });

  it("vocabularyProblem never throws, and every accepted phrase compiles", () => {
    const sign = fc.oneof(
      fc.constantFrom(..."()|~…^$9abcあい漢-'.*+?[]\\ ".split("")),
      fc.string({ unit: "binary", maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 20 }), (signs) => {
        const phrase = signs.join("");
        vocabularyProblem(phrase);
        keywordsIn("abc あい漢 abc", [{ name: "own", strong: [phrase], weak: [phrase], veto: [] }]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(
    "<a> ( \" ` ([{ 完了まで turbo: ターボモードで a.b a/ _a *a and_don't_stop please ください <!-- [SYSTEM 1: \ufdfa ' 「 ^ worker_to_and_keep it_to_,_keep_until fix_:_and_not_until テストが通るまで make_me_a_x_for_app until_it's_all が中断るい".split(
      " ",
    ),
  )("is read in linear time: 100 KB of %j", (piece) => {
    const hostile = (size: number): string => `x ${piece.replaceAll("_", " ")} `.repeat(size / (piece.length + 3));
    expect(
      keywordsIn(hostile(100_000), [{ name: "own", strong: ["a…30b…30c", "完了…30turbo…30x"], weak: [], veto: [] }]),
    ).toEqual([]);
  });

  it.each(["The fox mends it until it is done. ", "a", "(", "{[", "完了まで実装し、ターボモードで、"])(
    "is read only at both ends: 1 MB of %j",
    (piece) => {
      const found = (size: number) => keywordsIn(piece.repeat(size / piece.length));
      expect(found(1_000_000)).toEqual([]);
      expect(growsFaster(found, 1_000_000)).toBeUndefined();
    },
  );
});
