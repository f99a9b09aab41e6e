/** Everything a shell line would let out. */

import type { Operation } from "../../kernel/operation.ts";
import type { Ruling } from "../../kernel/policy.ts";
import { interpreterOf } from "../../kernel/shell-interpreters.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import type { ReadScript } from "../with-scripts.ts";
import { outwardOf } from "./outward.ts";
import { type Flow, keep, newFlow, readBy, receivedBy } from "./secret-flow.ts";
import { type Leak, strictest } from "./secret-leak.ts";
import { programLeaks } from "./secret-programs.ts";
import type { SecretGround } from "./secret-reach.ts";
import { sentBy } from "./secret-sending.ts";
import { handedBy, shownBy } from "./secret-showing.ts";
import { secretFrom } from "./secret-sources.ts";
import { tellsLittle } from "./secret-use.ts";
import { refused } from "./secret-words.ts";

/** Left out of the bundle for events that are not about a shell. */
export function leaksOf({ shell, effects }: Operation, ground: SecretGround): readonly Leak[] {
  if (!shell) return [];
  const flow = newFlow(shell.invocations, effects, ground);
  const leaks = shell.invocations.flatMap((invocation) => follow(invocation, flow));
  if (shell.programs.length === 0) return leaks;
  const fed = shell.invocations.map((each) => (interpreterOf(each.name ?? "") ? flow.tainted.get(each) : undefined));
  return [...leaks, ...programLeaks(shell.programs, ground, strictest(fed))];
}

/** A program in a file speaks of many places, and an application's own env file is one of them: only keys count there. */
export function leakingScript(ground: SecretGround): (script: ReadScript) => Ruling {
  return ({ operation, targets }) => {
    const leaks = leaksOf(operation, { ...ground, targetOf: (path) => targets[path] });
    return refused(leaks.filter(({ by, secret }) => typeof by !== "string" || secret.floor));
  };
}

/** Commands are followed in the order in which they run. */
function follow(invocation: Invocation, flow: Flow): readonly Leak[] {
  const read = readBy(invocation, flow);
  if (invocation.remote || invocation.contained) {
    // Another machine's keys, or a container's: whose they are is not known here.
    return read?.floor ? [{ way: "shown", decision: "ask", secret: read, by: invocation }] : [];
  }
  const received = receivedBy(invocation, flow);
  const held = strictest([read, received, secretFrom(invocation)]);
  // With nothing in its hands it can show nothing, and how little it would tell is not asked.
  const little = held !== undefined && tellsLittle(invocation);
  if (held && !little) keep(invocation, held, flow);
  const to = outwardOf(invocation);
  if (to) {
    const source = secretFrom(invocation);
    const shown = source && to.signs ? shownBy(invocation, undefined, source, flow) : [];
    return [...sentBy(invocation, to, { read, received }, flow), ...shown];
  }
  const handed = handedBy(invocation, read, received, flow);
  return held && !little ? [...shownBy(invocation, read, held, flow), ...handed] : handed;
}
