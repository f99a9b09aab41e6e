/** What decides in a step: the kind of its gate, and the condition under which it runs. */
import { nearestNames } from "../../lib/did-you-mean.ts";
import { inline } from "../../lib/text.ts";
import { namesIn } from "../condition/names.ts";
import { parseCondition } from "../condition/parse.ts";
import { type Condition, type Gate, type Step, VERIFIERS, type Verifier } from "../definition.ts";
import type { Complaint } from "../problem.ts";
import type { StepRead } from "./table.ts";

type Complain = (complaint: Complaint) => void;

const SIDE: Readonly<Record<Verifier, number>> = { machine: 0, ai: 1, human: 2 };

export function gateOf(
  id: string,
  { gate = {}, commands = [] }: StepRead,
  { checks, requiresUser }: Pick<Step, "checks" | "requiresUser">,
  complain: Complain,
): Gate {
  const written = gate.type?.toLowerCase();
  const decidedBy = checks.map(
    (check): Verifier => (check.by === "agent" ? "ai" : check.by === "dod" ? check.items : "machine"),
  );
  const derived = requiresUser
    ? "human"
    : strictest([...decidedBy, ...(commands.length > 0 ? ["machine" as const] : [])]);
  const type = VERIFIERS.find((one) => one === written) ?? derived;
  if (written !== undefined && type !== written) {
    const isSlip = nearestNames(written, VERIFIERS).length > 0;
    const at = { path: `steps.${id}.gate.type`, word: inline(written, 60) };
    if (isSlip) complain({ ...at, rule: "not-one-of", more: VERIFIERS.join(", ") });
    else complain({ ...at, rule: "unknown-gate-type", more: type });
  }
  return { type, failAction: gate.fail_action ?? null, options: gate.options ?? (type === "human" ? ANSWERS : []) };
}

/** What a person may answer where the file does not say. */
const ANSWERS = ["approve", "reject"] as const;

function strictest(all: readonly Verifier[]): Verifier {
  return all.reduce((one, other) => (SIDE[other] > SIDE[one] ? other : one), "machine");
}

export function conditionOf(id: string, read: StepRead, complain: Complain): Condition | null {
  const { when, trigger_condition: told } = read;
  // `true` only says that there is a condition.
  const said = typeof read.conditional === "string" ? read.conditional : undefined;
  const written = when ?? said;
  if (written !== undefined && told !== undefined) complain({ rule: "two-conditions", path: `steps.${id}`, word: id });
  const words = told ?? (read.conditional === true ? "" : undefined);
  if (written === undefined) return words === undefined ? null : { kind: "judged", source: words };
  const parsed = parseCondition(written);
  const isRead = "expression" in parsed && (when !== undefined || namesIn(parsed.expression).every(isOurName));
  if (isRead) return { kind: "expression", source: written, ...parsed };
  if (when === undefined) return { kind: "judged", source: written };
  const word = inline("unreadAt" in parsed ? parsed.unreadAt : "", 40);
  complain({ rule: "bad-condition", path: `steps.${id}.when`, word });
  return null;
}

/** `conditional` may hold words as well as an expression. */
function isOurName({ path: [root = ""] }: { readonly path: readonly string[] }): boolean {
  return ["tier", "files", "lines", "inputs", "steps"].includes(root);
}
