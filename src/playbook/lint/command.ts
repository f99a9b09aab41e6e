/** Whether a command can show that a criterion is met: it must run, be able to fail, and pass on its exit code. */
import { names } from "../../lib/name-table.ts";
import { type Proof as LineProof, proofOf } from "../../reading/shell/proof/proof.ts";
import type { Step, Why } from "../../reading/shell/proof/state.ts";
import { expectedIn } from "../expected.ts";
import type { Proof } from "../playbook.ts";
import type { RuleName } from "./rules.ts";

/** The line is judged as text, so any place will do. */
const PLACE = { cwd: "/project", home: "/home", root: "/project", as: "script" } as const;

const TRIVIAL = names("true : echo printf pwd date exit sleep");
const PROXIES = names("ls file stat test [ [[ find");
const READERS = names("cat head tail less more grep egrep rg sed awk wc jq");
const FILTERS = names("grep egrep fgrep rg head tail sed awk wc cut sort uniq tr tee cat less more");
const LEFT_BEHIND = /(?:^|\/)(?:tmp|logs?|reports?|results?|coverage)\/|\.(?:log|out)$/i;
const PLACEHOLDER = /<[a-z][^<>|&;]*>|\.\.\.|…|\b(?:TODO|TBD|FIXME)\b|[ぁ-んァ-ヶ一-龠]{2,}(?![^"'`]*["'`])/;
const PROSE = /^(?:manual(?:ly)?|n\/a|see|open|click|look|verify that|check that|confirm|目視|手動|確認)\b/i;

export function commandFaults({ run, expected }: Proof): readonly RuleName[] {
  const faults: RuleName[] = expectedIn(expected) ? [] : ["unknown-expected"];
  if (PLACEHOLDER.test(run) || PROSE.test(run)) return [...faults, "pseudo-command"];
  return [...faults, ...lineFaults(proofOf(run, PLACE))];
}

function lineFaults({ conclusive, swallowed }: LineProof): readonly RuleName[] {
  const real = conclusive.filter(({ words: [name] }) => name !== "cd");
  const lost = swallowed.filter(({ words: [name = ""] }) => name !== "cd" && !TRIVIAL.has(name));
  const why = (...reasons: readonly Why[]): boolean => lost.some((one) => one.why && reasons.includes(one.why));
  const isOr = swallowed.some((one) => one.why === "or");
  if (isOr || why("sequence", "background", "negated")) return ["exit-swallowed"];
  if (why("pipe") || lost.some(isFilter)) return ["filtered-output"];
  // The shell that would run it cannot be followed any further.
  if (real.length === 0 && lost.length > 0) return why("unread") ? ["pseudo-command"] : [];
  return real.length > 1 ? [tooMany(real)] : alone(real[0]);
}

function tooMany(steps: readonly Step[]): RuleName {
  return steps.some(isFilter) && !steps.every(isReader) ? "filtered-output" : "compound-command";
}

function alone(step: Step | undefined): readonly RuleName[] {
  const [name = "", ...words] = step?.words ?? [];
  if (!step || TRIVIAL.has(name)) return ["trivial-command"];
  if (PROXIES.has(name)) return ["proxy-command"];
  const isStale = READERS.has(name) && words.some((word) => LEFT_BEHIND.test(word));
  return isStale ? ["stale-command"] : [];
}

const isFilter = ({ words: [name = ""] }: Step): boolean => FILTERS.has(name);
const isReader = ({ words: [name = ""] }: Step): boolean => READERS.has(name);
