/** The kinds of key material: the decision on showing and sending each, and an alternative that needs no secret. */

import { type Text, text } from "../../../lib/text.ts";
import type { SecretKind } from "../../../reading/operation/secret-file.ts";

export interface Secret {
  readonly name: Text;
  /** An alternative that needs no secret. */
  readonly instead: Text;
  /** The decision on showing it to the model; "pass" if work would be impossible otherwise. */
  readonly shown: "deny" | "ask" | "pass";
  /** The decision on sending it off the machine. */
  readonly sent: "deny" | "ask";
  /** The secret opens other machines or accounts: no grant allows sending it. */
  readonly floor?: true;
  /** Set for tokens that are normally sent with requests; the name or shape tells their owner. */
  readonly token?: string;
  /** The files that hold it, by their real paths; absent if one of them can't be named. Only for files a yes opens. */
  readonly files?: readonly string[];
}

function key(name: Text, instead: Text): Secret {
  return { name, instead, shown: "deny", sent: "deny", floor: true };
}

function doubtful(name: Text, instead: Text): Secret {
  return { name, instead, shown: "ask", sent: "deny" };
}

function quiet(name: Text, instead: Text): Secret {
  return { name, instead, shown: "pass", sent: "ask" };
}

export const LET_IT_BE_USED = text(
  "Let the program it belongs to use it where it lies; what must be seen of it, a person shows.",
  "それを使うプログラムに、その場所のまま使わせてください。中身が必要なら利用者に示してもらってください。",
);

export const privateKey = (): Secret =>
  key(
    text("a private key", "秘密鍵"),
    text(
      "`ssh-keygen -y -f <key>` prints its public half, `ssh-keygen -l -f <key>` its fingerprint, `ssh-add -l` the keys in use.",
      "公開鍵は `ssh-keygen -y -f <鍵>`、指紋は `ssh-keygen -l -f <鍵>`、使用中の鍵は `ssh-add -l` で分かります。",
    ),
  );
export const cloudKeys = (): Secret =>
  key(
    text("the credentials of a cloud account", "クラウドの認証情報"),
    text(
      "`aws sts get-caller-identity`, `aws configure list`, `gcloud auth list` and `az account show` tell who you are without the keys.",
      "`aws sts get-caller-identity`、`aws configure list`、`gcloud auth list`、`az account show` なら鍵を見せずに確認できます。",
    ),
  );
const clusterKeys = (): Secret =>
  key(
    text("the credentials of a cluster", "クラスターの認証情報"),
    text("`kubectl config view` shows it with the keys left out.", "`kubectl config view` なら鍵を伏せて表示します。"),
  );
const forgeTokens = (): Secret =>
  key(
    text("stored tokens of a code host", "コードホストのトークン"),
    text(
      "`gh auth status` tells who is signed in; git and gh use the token by themselves.",
      "`gh auth status` で確認できます。トークンは git と gh が自分で使います。",
    ),
  );
const passwords = (): Secret =>
  key(text("stored passwords or sessions", "保存されたパスワードやセッション"), LET_IT_BE_USED);
const systemSecret = (): Secret =>
  key(text("secrets of the system or of a process", "システムまたはプロセスの秘密"), LET_IT_BE_USED);

const envFile = (): Secret =>
  doubtful(
    text("the values in an env file", "env ファイルの値"),
    text(
      "`cut -d= -f1 .env` shows the names without the values; to use them, `set -a; . ./.env; set +a` in the same line as the command.",
      "名前だけなら `cut -d= -f1 .env`。使うだけなら、同じ行で `set -a; . ./.env; set +a` としてください。",
    ),
  );
const keyFile = (): Secret =>
  doubtful(
    text("a file that looks like a private key", "秘密鍵とみられるファイル"),
    text(
      "`openssl pkey -in <key> -pubout` prints the public half, `openssl x509 -noout -text -in <cert>` a certificate.",
      "公開鍵は `openssl pkey -in <鍵> -pubout`、証明書は `openssl x509 -noout -text -in <証明書>` で分かります。",
    ),
  );
const toolTokens = (): Secret =>
  doubtful(
    text("a tool's settings with tokens in them", "トークンを含む設定ファイル"),
    text(
      "`npm config list`, `pip config list` and `docker info` show the settings without the tokens.",
      "`npm config list`、`pip config list`、`docker info` ならトークンを伏せて表示します。",
    ),
  );
const history = (): Secret => doubtful(text("a shell's history", "シェルの履歴"), LET_IT_BE_USED);
const serviceAccount = (): Secret =>
  doubtful(text("the key of a service account", "サービスアカウントの鍵"), LET_IT_BE_USED);
const deployment = (): Secret =>
  quiet(text("a file that often holds secrets", "秘密を含むことの多いファイル"), LET_IT_BE_USED);

export const added = (): Secret =>
  doubtful(text("a place the settings call secret", "設定で秘密とされた場所"), LET_IT_BE_USED);

/** The secret for a kind of file; created on demand, because few commands need one. */
export function secretOf(kind: SecretKind): Secret {
  switch (kind) {
    case "cloudKeys":
      return cloudKeys();
    case "clusterKeys":
      return clusterKeys();
    case "deployment":
    case "infrastructure":
      return deployment();
    case "envFile":
      return envFile();
    case "forgeTokens":
      return forgeTokens();
    case "history":
      return history();
    case "keyFile":
      return keyFile();
    case "passwords":
      return passwords();
    case "privateKey":
      return privateKey();
    case "serviceAccount":
      return serviceAccount();
    case "systemSecret":
      return systemSecret();
    case "toolTokens":
      return toolTokens();
  }
}
