/** Tells which secret a path holds, by the table of secret files and the settings. */
import { shellPattern, within } from "../../../lib/paths.ts";
import { kindAnywhere, kindAtHome, mayBeSecret } from "../../../reading/operation/secret-file.ts";
import { added, type Secret, secretOf } from "./kinds.ts";

/** The settings about secret files. */
export interface PlaceRules {
  readonly home: string;
  readonly places: readonly string[];
  readonly exempt: readonly string[];
  readonly envFiles: "ask" | "deny" | "pass";
}

/** Keys made for tests and examples. */
const madeUpPattern = (): RegExp =>
  /\/(?:tests?|spec|fixtures?|testdata|__tests__|__fixtures__|examples?|node_modules|vendor)\//;

/** The secret at a path, if any. A directory counts if all of it would be taken. */
export function secretAt(path: string, rules: PlaceRules, whole = false): Secret | undefined {
  if (isListed(path, rules.places, rules.home)) return added();
  const found = builtIn(path, rules, whole);
  if (!found || !isListed(path, rules.exempt, rules.home)) return found;
  // A setting that allows showing a file does not allow sending it.
  return found.floor ? { ...found, shown: "pass" } : undefined;
}

function builtIn(path: string, { home, envFiles }: PlaceRules, whole: boolean): Secret | undefined {
  if (!mayBeSecret(path)) return undefined;
  const short = fromSomeHome(path, home);
  const atHome = short === path ? undefined : kindAtHome(short, whole);
  if (atHome) return secretOf(atHome);
  const copied = ofSomeHomePattern().exec(path);
  const elsewhere = copied && !madeUpPattern().test(path) ? kindAtHome(`~${copied[0]}`, whole) : undefined;
  const copy = elsewhere && secretOf(elsewhere);
  if (copy?.floor) return copy;
  const kind = kindAnywhere(path);
  if (!kind) return undefined;
  if (kind !== "systemSecret" && madeUpPattern().test(path)) return undefined;
  const secret = secretOf(kind);
  return kind === "envFile" && envFiles !== "ask" ? { ...secret, shown: envFiles } : secret;
}

/** Files that only a home directory has, even if it was mounted, copied or linked elsewhere. */
const ofSomeHomePattern = (): RegExp =>
  /\/\.(?:ssh|gnupg|aws|azure|kube|netrc|git-credentials|password-store|pgpass|vault-token|config\/(?:gcloud|gh|git|hub|op)|claude\/\.cred)(?:[/.\w-].*)?$/;

/** Every home counts: `/root`, and those of other users. */
function fromSomeHome(path: string, home: string): string {
  if (within(path, home)) return `~${path.slice(home.length)}`;
  return path.replace(/^(?:\/root|\/(?:home|Users)\/[^/]+)(?=\/)/, "~");
}

/**
 * An entry is a path with everything below it, or a shell pattern; `~` is the home, a bare name matches any file of
 * that name.
 */
function isListed(path: string, listed: readonly string[], home: string): boolean {
  return listed.some((entry) => {
    const place = entry.replace(/^~(?=\/|$)/, home).replace(/\/+$/, "");
    if (!place.includes("/")) return shellPattern(place).test(path.slice(path.lastIndexOf("/") + 1));
    return within(path, place) || shellPattern(place).test(path);
  });
}

/** Sample paths of each kind, to test patterns against. */
export function samples(home: string, cwd: string | undefined): readonly string[] {
  const atHome = [".ssh/id_rsa", ".ssh/id_ed25519", ".aws/credentials", ".netrc", ".git-credentials", ".kube/config"];
  const found = atHome.map((name) => `${home}/${name}`);
  return [...found, "/etc/shadow", "/proc/1/environ", ...(cwd === undefined ? [] : [`${cwd}/.env`])];
}
