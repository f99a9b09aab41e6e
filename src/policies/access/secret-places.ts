/** What a path holds: the table of secret files, and what the settings say about places. */
import { shellPattern, within } from "../../kernel/paths.ts";
import { kindAnywhere, kindAtHome, MAY_BE_SECRET } from "../../kernel/secret-file.ts";
import { added, type Secret, secretOf } from "./secret-kinds.ts";

/** What the settings say about places. */
export interface PlaceRules {
  readonly home: string;
  readonly places: readonly string[];
  readonly exempt: readonly string[];
  readonly envFiles: "ask" | "deny" | "pass";
}

/** Keys that were made to be seen. */
const madeUpPattern = (): RegExp =>
  /\/(?:tests?|spec|fixtures?|testdata|__tests__|__fixtures__|examples?|node_modules|vendor)\//;

/** What a path holds, if it is key material. A directory counts where all of it would be taken. */
export function secretAt(path: string, rules: PlaceRules, whole = false): Secret | undefined {
  if (isListed(path, rules.places, rules.home)) return added();
  const found = builtIn(path, rules, whole);
  if (!found || !isListed(path, rules.exempt, rules.home)) return found;
  // What a setting makes free to be looked at is still not free to be sent.
  return found.floor ? { ...found, shown: "pass" } : undefined;
}

function builtIn(path: string, { home, envFiles }: PlaceRules, whole: boolean): Secret | undefined {
  if (!MAY_BE_SECRET.test(path)) return undefined;
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

/** What only a home has, wherever it may have been mounted, copied or linked to. */
const ofSomeHomePattern = (): RegExp =>
  /\/\.(?:ssh|gnupg|aws|azure|kube|netrc|git-credentials|password-store|pgpass|vault-token|config\/(?:gcloud|gh|git|hub|op)|claude\/\.cred)(?:[/.\w-].*)?$/;

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
