/** All leaks of a shell line. */

import type { Ruling } from "../../../kernel/policy.ts";
import { hostOfLine } from "../../../reading/operation/families.ts";
import { type Operation, operationOf } from "../../../reading/operation/operation.ts";
import { interpreterOf } from "../../../reading/programs/languages.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import type { ReadScript } from "../../with-scripts.ts";
import { type Flow, keep, newFlow, readBy, receivedBy } from "./flow.ts";
import { handedBy } from "./handing.ts";
import type { Secret } from "./kinds.ts";
import { type Leak, strictest, withFiles } from "./leak.ts";
import { outwardOf } from "./outward.ts";
import { programLeaks } from "./programs.ts";
import type { SecretGround } from "./reach.ts";
import { sentBy } from "./sending.ts";
import { shownBy } from "./showing.ts";
import { secretFrom } from "./sources.ts";
import { shows, tellsLittle } from "./use.ts";
import { refused } from "./words.ts";

/** Loaded on demand, in `shell.cjs`. */
export function leaksOf({ shell, effects }: Operation, ground: SecretGround): readonly Leak[] {
  if (!shell) return [];
  const flow = newFlow(shell.invocations, effects, ground);
  const hostOf = (): string | undefined => hostOfLine(shell);
  const leaks = shell.invocations.flatMap((invocation) => follow(invocation, flow, hostOf));
  if (shell.programs.length === 0) return leaks;
  const fed = shell.invocations.map((each) => (interpreterOf(each.name ?? "") ? flow.tainted.get(each) : undefined));
  return [...leaks, ...programLeaks(shell.programs, ground, strictest(fed))];
}

/** A command in a field of another tool. */
export function commandOperation(command: string, { cwd, rules }: SecretGround): Operation {
  return operationOf({ kind: "bash", name: "Bash", command, background: false }, { cwd, home: rules.home });
}

/** A program file mentions many paths, often the application's own env file, so only keys count there. */
export function leakingScript(ground: SecretGround): (script: ReadScript) => Ruling {
  return ({ operation, targets }) => {
    const leaks = leaksOf(operation, { ...ground, targetOf: (path) => targets[path] });
    return refused(leaks.filter(({ by, secret }) => typeof by !== "string" || secret.floor));
  };
}

/** The keys and env files of another machine or a container, whose owner is unknown here. */
function shownElsewhere(by: Invocation, secret: Secret | undefined, host: string | undefined): readonly Leak[] {
  if (!secret) return [];
  const isShown = secret.floor || (secret.shown !== "pass" && shows(by) && !tellsLittle(by));
  const files = host === undefined || by.contained ? undefined : secret.files?.map((file) => `${host}:${file}`);
  return isShown ? [{ way: "shown", decision: "ask", secret: withFiles(secret, files), by }] : [];
}

/** Must be called in the order in which the commands run. */
function follow(invocation: Invocation, flow: Flow, hostOf: () => string | undefined): readonly Leak[] {
  const read = readBy(invocation, flow);
  if (invocation.remote || invocation.contained) return shownElsewhere(invocation, read, read && hostOf());
  const received = receivedBy(invocation, flow);
  const held = strictest([read, received, secretFrom(invocation)]);
  // Without a secret there is nothing to show, so `tellsLittle` is not called.
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
