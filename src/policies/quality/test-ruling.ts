/** Rulings on tool uses that would weaken tests or rewrite generated files. */

import { countIn, readTest } from "../../evidence/test-text.ts";
import { type Weakening, weakeningOf } from "../../evidence/weakening.ts";
import { ask, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { generatedEdit } from "./generated-edit.ts";
import { testChanges } from "./test-change.ts";
import type { TestChange, TestContext } from "./test-ground.ts";
import type { Grade, TestCase } from "./test-guard.ts";

/** MD-71: a test is deleted, moved away or nearly emptied. */
export function removalRuling({ tool, operation, ground, grade }: TestCase): Ruling {
  for (const change of testChanges(tool, operation, ground)) {
    const file = inline(change.spelled, 80);
    if (change.kind === "removed") {
      const held = heldIn(change.path, ground);
      return said(
        grade,
        text(`This would take the test ${file} away${held.en}.`, `テスト ${file} を取り除く操作です${held.ja}。`),
      );
    }
    if (change.kind === "written" && isEmptied(change)) {
      const left = change.after.trim().length;
      return said(
        grade,
        text(
          `This would leave ${left} characters of the test ${file}, which is as good as deleting it.`,
          `テスト ${file} を ${left} 文字だけ残す操作で、削除と変わりません。`,
        ),
      );
    }
  }
  return pass;
}

function heldIn(path: string, { standing }: TestContext): Text {
  const held = standing[path]?.text;
  if (held === undefined) return text("", "");
  const { lines, language } = readTest(path, held);
  const { tests, assertions } = countIn(lines, language);
  return text(` (cases: ${tests}, assertions: ${assertions})`, `(ケース ${tests} 件、アサーション ${assertions} 件)`);
}

const EMPTY_BELOW = 50;

/** A file that was already this short has lost nothing. */
function isEmptied(change: TestChange): boolean {
  if (change.kind !== "written" || change.part) return false;
  const left = change.after.trim().length;
  return left < EMPTY_BELOW && (change.before === undefined || change.before.trim().length > left);
}

/** MD-72: assertions or cases are removed, commented out, made trivially true or skipped. */
export function weakeningRuling({ tool, operation, ground, grade }: TestCase): Ruling {
  for (const change of testChanges(tool, operation, ground)) {
    if (change.kind === "unread") return unreadRuling(grade, inline(change.spelled, 80));
    if (change.kind !== "written" || change.before === undefined || isEmptied(change)) continue;
    const found = weakeningOf(change.path, change.before, change.after);
    if (found) return said(grade, weakeningWords(found, inline(change.spelled, 80)));
  }
  return pass;
}

function unreadRuling(grade: Grade, file: string): Ruling {
  return said(
    grade,
    text(
      `This would write over the test ${file}, and the line does not show with what.`,
      `テスト ${file} を上書きしますが、何を書くのかコマンドから読み取れません。`,
    ),
    text(
      "Use Edit or Write, where it can be seen what the test says afterwards.",
      "変更後の内容が見える Edit か Write を使ってください。",
    ),
  );
}

function weakeningWords({ before, after, takesAway, markers }: Weakening, file: string): Text {
  if (!takesAway) {
    const named = inline(markers.slice(0, 3).join(", "), 80);
    return text(
      `This would keep cases of ${file} from running: ${markers.length} marker(s) added (${named}).`,
      `${file} のケースを実行させない操作です: 印が ${markers.length} 件増えます (${named})。`,
    );
  }
  return text(
    `This would weaken the test ${file}: assertions ${before.assertions} → ${after.assertions}, cases ${before.tests} → ${after.tests}, and nothing that examines anything comes in their place.`,
    `テスト ${file} を弱める操作です: アサーション ${before.assertions} → ${after.assertions}、ケース ${before.tests} → ${after.tests}。代わりに何かを確かめるものもありません。`,
  );
}

/** MD-70: a generated file is edited by hand. */
export function generatedRuling({ tool, operation, ground, grade }: TestCase): Ruling {
  const spelled = generatedEdit(tool, operation, ground);
  if (spelled === undefined) return pass;
  const file = inline(spelled, 80);
  return said(
    grade,
    text(
      `This would write ${file} by hand, which a program makes.`,
      `プログラムが生成する ${file} を手で書き換える操作です。`,
    ),
    text(
      "Change what it is made from and run what makes it (`npm run build`, `tsc`, the project's code generation). If it is written by hand here, say so and let the person decide.",
      "元になるファイルを変え、生成コマンド (`npm run build`、`tsc`、プロジェクトのコード生成) を実行してください。手書きのファイルなら、そう伝えて利用者に判断してもらってください。",
    ),
  );
}

function said(grade: Grade, what: Text, fix: Text = FIX_THE_CODE): Ruling {
  return grade === "ask" ? ask({ what, fix }) : deny({ what, fix });
}

const FIX_THE_CODE = text(
  "Fix the code that the test examines. If the test itself is wrong or no longer needed, say which and why, and let the person decide. A test that moves keeps a test's name (`git mv`).",
  "テストではなく、テスト対象のコードを直してください。テストが誤りまたは不要なら、どれがなぜかを伝え、利用者に判断してもらってください。移動するときはテストと分かる名前のまま `git mv` してください。",
);
