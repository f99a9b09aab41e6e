/** Recognizes files with secrets by their paths. One table for showing, sending and copying files. */

export type SecretKind =
  | "cloudKeys"
  | "clusterKeys"
  | "deployment"
  | "envFile"
  | "forgeTokens"
  | "history"
  | "infrastructure"
  | "keyFile"
  | "passwords"
  | "privateKey"
  | "serviceAccount"
  | "systemSecret"
  | "toolTokens";

type Row = readonly [where: RegExp, kind: SecretKind];

let home: readonly Row[] | undefined;
let elsewhere: readonly Row[] | undefined;

/** Paths below a home directory, written `~`. The first matching row decides. */
const atHome = (): readonly Row[] => [
  [/^~\/\.ssh\/(?!config|known_hosts|authorized_keys|allowed_signers|.*\.pub$|rc$|environment$)./, "privateKey"],
  [/^~\/\.gnupg\/(?:private-keys-v1\.d|secring\.gpg|openpgp-revocs\.d)/, "privateKey"],
  [/^~\/\.aws\/(?:credentials|sso\/cache|cli\/cache)/, "cloudKeys"],
  [/^~\/\.config\/gcloud\/.*(?:credential|access_token|legacy)/, "cloudKeys"],
  [/^~\/\.azure\/(?:accessTokens|msal_token_cache|service_principal)/, "cloudKeys"],
  [/^~\/\.kube\/config$/, "clusterKeys"],
  [
    /^~\/(?:\.git-credentials|\.config\/git\/credentials|\.config\/gh\/hosts\.yml|\.config\/(?:hub|glab-cli\/config\.yml))$/,
    "forgeTokens",
  ],
  [
    /^~\/[._]netrc$|^~\/\.(?:pgpass|vault-token|cargo\/credentials(?:\.toml)?|gem\/credentials|terraform\.d\/credentials\.tfrc\.json)$/,
    "passwords",
  ],
  [/^~\/\.(?:claude\/\.credentials|codex\/auth|gemini\/oauth_creds)\.json$/, "passwords"],
  [
    /^~\/(?:\.password-store|\.local\/share\/keyrings|Library\/Keychains|Library\/Cookies|\.config\/op|\.config\/sops\/age)(?:\/|$)/,
    "passwords",
  ],
  [
    /^~\/(?:\.mozilla|\.config\/(?:google-chrome|chromium|BraveSoftware|microsoft-edge)|Library\/Application Support\/(?:Google|Firefox|BraveSoftware))\/.*(?:logins\.json|key[34]\.db|[Cc]ookies(?:\.sqlite)?|Login Data|Web Data)$/,
    "passwords",
  ],
  [/^~\/\.(?:bitcoin|ethereum|electrum)\/.*(?:wallet|keystore)/, "passwords"],
  [
    /^~\/\.(?:npmrc|pypirc|s3cfg|boto|docker\/config\.json|config\/rclone\/rclone\.conf|config\/pip\/pip\.conf)$/,
    "toolTokens",
  ],
  [/^~\/\.(?:\w+_history|node_repl_history|local\/share\/fish\/fish_history)$/, "history"],
];

/** Paths in any directory. */
const anywhere = (): readonly Row[] => [
  [
    /^\/etc\/(?:g?shadow-?|master\.passwd|ssh\/ssh_host_\w+_key)$|^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/,
    "systemSecret",
  ],
  [/^(?:\/var)?\/run\/secrets\/./, "systemSecret"],
  [/\/id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/, "privateKey"],
  [/\.kdbx$/, "passwords"],
  [
    /\/\.env(?:\.(?!(?:example|sample|template|tpl|dist|defaults?|test|testing|ci|schema|vault)(?:$|\.))[^/]+)?$|\/(?:prod|production|staging|secrets?)\.env$/,
    "envFile",
  ],
  [/[^/]\.(?:key|p12|pfx|jks|keystore|ppk)$|\/[^/]*(?:priv|key)[^/]*\.pem$/, "keyFile"],
  [/\/(?:[^/]*service[-_]?account[^/]*|client_secret[^/]*|[^/]*credentials)\.json$|\/credentials$/, "serviceAccount"],
  [/\/\.envrc$|\/secrets?\.(?:ya?ml|json|toml)$/, "deployment"],
  [/\.tfvars$|\.tfstate(?:\.backup)?$|\/wp-config\.php$/, "infrastructure"],
];

/** Directories that count as key material if taken as a whole. */
const KEY_DIRECTORIES =
  /^~\/(?:\.ssh|\.gnupg(?:\/private-keys-v1\.d)?|\.aws(?:\/(?:sso|cli)(?:\/cache)?)?|\.config\/gcloud|\.azure|\.kube|\.password-store|\.mozilla|\.config\/op|\.local\/share\/keyrings|Library\/Keychains)$/;

/** A quick check: no row matches a path without one of these. */
export function mayBeSecret(path: string): boolean {
  return MARKS.some((mark) => path.includes(mark)) || ENDS.some((end) => path.endsWith(end));
}

const MARKS = "/. /_ key priv cred secret shadow passwd environ id_ /run/ .tf wp-config service Library/".split(" ");
const ENDS = ".env .p12 .pfx .jks .ppk .kdbx".split(" ");

/** The kind of a path below a home, written `~`. A directory counts if all of it would be taken. */
export function kindAtHome(path: string, whole: boolean): SecretKind | undefined {
  if (whole && KEY_DIRECTORIES.test(path)) return allOf(path);
  home ??= atHome();
  return home.find(([where]) => where.test(path))?.[1];
}

/** A directory has the kind of its best-known file. */
function allOf(directory: string): SecretKind {
  const names = ["credentials", "config", "private-keys-v1.d"].map((name) => `${directory}/${name}`);
  home ??= atHome();
  return home.find(([where]) => names.some((name) => where.test(name)))?.[1] ?? "passwords";
}

export function kindAnywhere(path: string): SecretKind | undefined {
  elsewhere ??= anywhere();
  return elsewhere.find(([where]) => where.test(path))?.[1];
}

/** Files that may be read without a question, but must not end up in a copy that others may see. */
const NOT_COPIED =
  /\.env$|\/\.env\.[^/]+$|[^/]\.(?:pem|age|asc|gpg)$|\/\.(?:npmrc|pypirc|netrc|pgpass|git-credentials|htpasswd)$/;
const NOT_COPIED_BELOW = /\/\.(?:ssh|gnupg|aws|kube|docker)\//;
/** Templates that list secrets without containing any. */
const SPECIMEN = /(?:^|[._-])(?:example|sample|template|dist|defaults?)(?:$|\.)/;

/**
 * True for a file of the work tree that must not be copied. Infrastructure files are copied, since losing them is
 * worse.
 */
export function isSecretFile(path: string): boolean {
  const place = `/tree/${path.toLowerCase()}`;
  if (NOT_COPIED_BELOW.test(place)) return true;
  if (SPECIMEN.test(place.slice(place.lastIndexOf("/") + 1))) return false;
  return NOT_COPIED.test(place) || (kindAnywhere(place) ?? "infrastructure") !== "infrastructure";
}
