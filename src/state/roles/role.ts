/** A role: what an agent of that name may do among others. */
import { type Fields, fieldsOf, someOf, unknownKey } from "../settings/field-problems.ts";

export const CLAIM_RULES = ["tell", "ask", "deny"] as const;
export type ClaimRule = (typeof CLAIM_RULES)[number];

export const FORBIDDABLE = ["publish", "polling", "subagents", "edit"] as const;
export type Forbidden = (typeof FORBIDDABLE)[number];

export interface Role {
  /** A name; `#` stands for a number, as in `worker#`. */
  readonly name: string;
  /** Other names for the same agent, with `#` for the same number. */
  readonly aliases?: readonly string[];
  /** The highest number of a name with `#`. */
  readonly most?: number;
  /** Who is told when this agent doesn't answer, and what it reports. */
  readonly supervisor?: string;
  /** Names or roles that it may write to. Absent: everyone. */
  readonly writes_to?: readonly string[];
  /** Messages don't keep it from ending its turn. */
  readonly exempt?: boolean;
  /** Gets the requests to audit finished tasks. */
  readonly audits?: boolean;
  readonly forbid?: readonly Forbidden[];
  /** In place of the setting `inbox.claims`: a write to a file that another agent works on. */
  readonly claims?: ClaimRule;
}

export const ROLES_MAX = 50;
const NAMES_MAX = 20;

const KEYS = ["name", "aliases", "most", "supervisor", "writes_to", "exempt", "audits", "forbid", "claims"];

/** Names that messages and file names may have. */
export const ACTOR_NAME = /^[A-Za-z0-9_-]{1,40}$/;
const ROLE_NAME = /^[A-Za-z0-9_-]{1,38}#?$/;

/** Why a value is no role, with the key; undefined when it is one. */
export function problemInRole(value: unknown): string | undefined {
  const role = fieldsOf(value);
  if (!role) return "must be a map with a name";
  return (
    unknownKey(role, "", KEYS) ??
    (ROLE_NAME.test(String(role["name"])) ? undefined : "name must be letters, digits, _ and -, with # for a number") ??
    textsProblem(role, "aliases") ??
    textsProblem(role, "writes_to") ??
    someOf("forbid", role["forbid"], FORBIDDABLE) ??
    (role["supervisor"] === undefined || ACTOR_NAME.test(String(role["supervisor"]))
      ? undefined
      : "supervisor must be the name of an agent") ??
    (role["claims"] === undefined || CLAIM_RULES.some((rule) => rule === role["claims"])
      ? undefined
      : `claims must be one of ${CLAIM_RULES.join(", ")}`) ??
    switchProblem(role, "exempt") ??
    switchProblem(role, "audits") ??
    (role["most"] === undefined ||
    (Number.isInteger(role["most"]) && Number(role["most"]) > 0 && Number(role["most"]) < 100)
      ? undefined
      : "most must be a whole number from 1 to 99")
  );
}

export function roleOf(value: unknown): Role {
  return value as Role;
}

function textsProblem(role: Fields, key: string): string | undefined {
  const list = role[key];
  if (list === undefined) return undefined;
  const holds =
    Array.isArray(list) &&
    list.length <= NAMES_MAX &&
    list.every((one) => typeof one === "string" && one !== "" && one.length <= 40);
  return holds ? undefined : `${key} must be a list of at most ${NAMES_MAX} names`;
}

function switchProblem(role: Fields, key: string): string | undefined {
  return role[key] === undefined || typeof role[key] === "boolean" ? undefined : `${key} must be true or false`;
}
