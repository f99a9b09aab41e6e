/** Why a command is asked about or refused for want of trust: the effect, in a few words. */

import { type Text, text } from "../../lib/text.ts";
import type { Because } from "../../reading/operation/domain.ts";

const CAUSES: Readonly<Record<Because, Text>> = {
  "secret written": text("a secret is written on the line", "コマンドに秘密情報が書かれています"),
  "secret sent": text("it sends a secret in a request", "秘密情報を送信します"),
  "output sent": text("it sends what another command has read", "ほかのコマンドが読んだ内容を送信します"),
  "file sent": text(
    "it uploads a file that holds keys or is not named on the line",
    "鍵を含むファイル、または名前の分からないファイルを送信します",
  ),
  "mail sent": text("it sends mail", "メールを送信します"),
  "network text run": text(
    "it runs text from the network that nobody has read",
    "ネットワークから届いた内容を確認せずに実行します",
  ),
  "place deleted": text("it deletes a whole place that can't be rebuilt", "復元できない場所を丸ごと削除します"),
  "disk written": text("it writes to a disk", "ディスクに書き込みます"),
  "other machine": text("it changes something on another machine", "別のマシンを変更します"),
  service: text("it changes services of this machine", "このマシンのサービスを変更します"),
  "program removed": text("it removes programs from this machine", "このマシンのプログラムを削除します"),
  "foreign package": text(
    "it installs from an address instead of the registry",
    "レジストリではなくアドレスからインストールします",
  ),
  permissions: text(
    "it changes permissions of a whole tree, outside the project or for everybody",
    "ツリー全体・プロジェクト外・全ユーザー向けの権限を変更します",
  ),
  unread: text("it can't be read before it runs", "実行前に内容を読み取れません"),
};

export function causeWords(because: Because): Text {
  return CAUSES[because];
}
