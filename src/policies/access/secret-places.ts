/** Where key material lies, by the letters of a path. */
import { shellPattern, within } from "../../kernel/paths.ts";
import {
  added,
  cloudKeys,
  clusterKeys,
  deployment,
  envFile,
  forgeTokens,
  history,
  keyFile,
  passwords,
  privateKey,
  type Secret,
  serviceAccount,
  systemSecret,
  toolTokens,
} from "./secret-kinds.ts";

/** What the settings say about places. */
export interface PlaceRules {
  readonly home: string;
  readonly places: readonly string[];
  readonly exempt: readonly string[];
  readonly envFiles: "ask" | "deny" | "pass";
}

type Row = readonly [where: RegExp, secret: Secret];

/** Below somebody's home, which is written `~`. The first row that fits decides. */
const AT_HOME: readonly Row[] = [
  [/^~\/\.ssh\/(?!config|known_hosts|authorized_keys|allowed_signers|.*\.pub$|rc$|environment$)./, privateKey],
  [/^~\/\.gnupg\/(?:private-keys-v1\.d|secring\.gpg|openpgp-revocs\.d)/, privateKey],
  [/^~\/\.aws\/(?:credentials|sso\/cache|cli\/cache)/, cloudKeys],
  [/^~\/\.config\/gcloud\/.*(?:credential|access_token|legacy)/, cloudKeys],
  [/^~\/\.azure\/(?:accessTokens|msal_token_cache|service_principal)/, cloudKeys],
  [/^~\/\.kube\/config$/, clusterKeys],
  [
    /^~\/(?:\.git-credentials|\.config\/git\/credentials|\.config\/gh\/hosts\.yml|\.config\/(?:hub|glab-cli\/config\.yml))$/,
    forgeTokens,
  ],
  [
    /^~\/[._]netrc$|^~\/\.(?:pgpass|vault-token|cargo\/credentials(?:\.toml)?|gem\/credentials|terraform\.d\/credentials\.tfrc\.json)$/,
    passwords,
  ],
  [/^~\/\.(?:claude\/\.credentials|codex\/auth|gemini\/oauth_creds)\.json$/, passwords],
  [
    /^~\/(?:\.password-store|\.local\/share\/keyrings|Library\/Keychains|Library\/Cookies|\.config\/op|\.config\/sops\/age)(?:\/|$)/,
    passwords,
  ],
  [
    /^~\/(?:\.mozilla|\.config\/(?:google-chrome|chromium|BraveSoftware|microsoft-edge)|Library\/Application Support\/(?:Google|Firefox|BraveSoftware))\/.*(?:logins\.json|key[34]\.db|[Cc]ookies(?:\.sqlite)?|Login Data|Web Data)$/,
    passwords,
  ],
  [/^~\/\.(?:bitcoin|ethereum|electrum)\/.*(?:wallet|keystore)/, passwords],
  [
    /^~\/\.(?:npmrc|pypirc|s3cfg|boto|docker\/config\.json|config\/rclone\/rclone\.conf|config\/pip\/pip\.conf)$/,
    toolTokens,
  ],
  [/^~\/\.(?:\w+_history|node_repl_history|local\/share\/fish\/fish_history)$/, history],
];

/** Wherever they lie. */
const ANYWHERE: readonly Row[] = [
  [
    /^\/etc\/(?:g?shadow-?|master\.passwd|ssh\/ssh_host_\w+_key)$|^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/,
    systemSecret,
  ],
  [/^(?:\/var)?\/run\/secrets\/./, systemSecret],
  [/\/id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/, privateKey],
  [/\.kdbx$/, passwords],
  [
    /\/\.env(?:\.(?!(?:example|sample|template|tpl|dist|defaults?|test|testing|ci|schema|vault)(?:$|\.))[^/]+)?$|\/(?:prod|production|staging|secrets?)\.env$/,
    envFile,
  ],
  [/[^/]\.(?:key|p12|pfx|jks|keystore|ppk)$|\/[^/]*(?:priv|key)[^/]*\.pem$/, keyFile],
  [/\/(?:[^/]*service[-_]?account[^/]*|client_secret[^/]*|[^/]*credentials)\.json$|\/credentials$/, serviceAccount],
  [/\/\.envrc$|\/secrets?\.(?:ya?ml|json|toml)$|\.tfvars$|\.tfstate(?:\.backup)?$|\/wp-config\.php$/, deployment],
];

/** Directories that are nothing but key material to whoever takes all of them. */
const KEY_DIRECTORIES =
  /^~\/(?:\.ssh|\.gnupg(?:\/private-keys-v1\.d)?|\.aws(?:\/(?:sso|cli)(?:\/cache)?)?|\.config\/gcloud|\.azure|\.kube|\.password-store|\.mozilla|\.config\/op|\.local\/share\/keyrings|Library\/Keychains)$/;

/** Without one of these no row fits: most paths are done with here. */
const MAY_BE =
  /\/[._]|key|priv|cred|secret|shadow|passwd|environ|id_|\/run\/|\.(?:env|p12|pfx|jks|ppk|kdbx)$|\.tf|wp-config|service|Library\//;

/** Keys that were made to be seen. */
const MADE_UP = /\/(?:tests?|spec|fixtures?|testdata|__tests__|__fixtures__|examples?|node_modules|vendor)\//;

/** What a path holds, if it is key material. A directory counts where all of it would be taken. */
export function secretAt(path: string, rules: PlaceRules, whole = false): Secret | undefined {
  if (isListed(path, rules.places, rules.home)) return added;
  const found = builtIn(path, rules, whole);
  if (!found || !isListed(path, rules.exempt, rules.home)) return found;
  // What a setting makes free to be looked at is still not free to be sent.
  return found.floor ? { ...found, shown: "pass" } : undefined;
}

function builtIn(path: string, { home, envFiles }: PlaceRules, whole: boolean): Secret | undefined {
  if (!MAY_BE.test(path)) return undefined;
  const short = fromSomeHome(path, home);
  if (short !== path) {
    if (whole && KEY_DIRECTORIES.test(short)) return allOf(short);
    const atHome = AT_HOME.find(([where]) => where.test(short));
    if (atHome) return atHome[1];
  }
  const copied = OF_SOME_HOME.exec(path);
  const elsewhere = copied && !MADE_UP.test(path) && builtInHome(`~${copied[0]}`, whole);
  if (elsewhere) return elsewhere;
  const row = ANYWHERE.find(([where]) => where.test(path));
  if (!row) return undefined;
  const [, secret] = row;
  if (secret !== systemSecret && MADE_UP.test(path)) return undefined;
  return secret === envFile && envFiles !== "ask" ? { ...envFile, shown: envFiles } : secret;
}

/** What only a home has, wherever it may have been mounted, copied or linked to. */
const OF_SOME_HOME =
  /\/\.(?:ssh|gnupg|aws|azure|kube|netrc|git-credentials|password-store|pgpass|vault-token|config\/(?:gcloud|gh|git|hub|op)|claude\/\.cred)(?:[/.\w-].*)?$/;

function builtInHome(short: string, whole: boolean): Secret | undefined {
  if (whole && KEY_DIRECTORIES.test(short)) return allOf(short);
  const secret = AT_HOME.find(([where]) => where.test(short))?.[1];
  return secret?.floor ? secret : undefined;
}

/** A directory is called after the best-known thing in it. */
function allOf(directory: string): Secret {
  const names = ["credentials", "config", "private-keys-v1.d"].map((name) => `${directory}/${name}`);
  return AT_HOME.find(([where]) => names.some((name) => where.test(name)))?.[1] ?? passwords;
}

/** Every home counts: `/root`, and those of other people. */
function fromSomeHome(path: string, home: string): string {
  if (within(path, home)) return `~${path.slice(home.length)}`;
  return path.replace(/^(?:\/root|\/(?:home|Users)\/[^/]+)(?=\/)/, "~");
}

/** A path, everything below it, or a pattern of the shell's; `~` is the home, a bare name any file of that name. */
function isListed(path: string, listed: readonly string[], home: string): boolean {
  return listed.some((entry) => {
    const place = entry.replace(/^~(?=\/|$)/, home).replace(/\/+$/, "");
    if (!place.includes("/")) return shellPattern(place).test(path.slice(path.lastIndexOf("/") + 1));
    return within(path, place) || shellPattern(place).test(path);
  });
}

/** Stand for their kind where a pattern is held against them. */
export function samples(home: string, cwd: string | undefined): readonly string[] {
  const atHome = [".ssh/id_rsa", ".ssh/id_ed25519", ".aws/credentials", ".netrc", ".git-credentials", ".kube/config"];
  const found = atHome.map((name) => `${home}/${name}`);
  return [...found, "/etc/shadow", "/proc/1/environ", ...(cwd === undefined ? [] : [`${cwd}/.env`])];
}
