/** Says what changed under a check, and who can put it right. */
import type { CheckStanding } from "../../evidence/verification.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { SEARCHED } from "../../state/session/checks.ts";

export function groundWords(ran: string, ground: string): Text {
  const what = changedGround(ground);
  return text(
    `\`${ran}\` passed, but ${what.en}, so it doesn't count`,
    `\`${ran}\` は通りましたが、${what.ja}ため数えません`,
  );
}

function changedGround(ground: string): Text {
  const name = inline(ground, 120);
  if (ground === SEARCHED)
    return text("a directory in PATH changed while it ran", "実行中に PATH のディレクトリが変わった");
  return text(`${name} changed since the session began`, `${name} がセッション開始後に変わった`);
}

/** The agent can put back a program of the project; only a person can vouch for anything else. */
export function fixGround(ground: string): Text {
  return /^(?:node_modules|\.?venv|vendor)\//.test(ground)
    ? text(
        " Reinstall the dependencies with the package manager alone (for example `npm ci`), then run the check again.",
        " パッケージマネージャだけで依存関係を入れ直し (例: `npm ci`)、検証をもう一度実行してください。",
      )
    : text(
        " Ask the user to run `sekisho verify` in a terminal of their own.",
        " 利用者に、自分の端末で `sekisho verify` を実行してもらってください。",
      );
}

export function groundOf({ standing, result }: Pick<CheckStanding, "standing"> & { result?: CheckStanding["result"] }) {
  return standing === "unproven" ? result?.ground : undefined;
}

/** What to do about checks on changed ground, and about those whose files could not be looked at. */
export function groundSteps(open: readonly CheckStanding[]): readonly Text[] {
  const fixes = open.flatMap((one) => groundOf(one) ?? []).map(fixGround);
  const large = open.some(({ standing }) => standing === "unbound")
    ? [
        text(
          " Remove or ignore what makes the project too large to read first.",
          " 先に、プロジェクトを大きくしているファイルを取り除くか、無視の対象にしてください。",
        ),
      ]
    : [];
  return [...new Map([...fixes, ...large].map((one) => [one.en, one])).values()];
}
