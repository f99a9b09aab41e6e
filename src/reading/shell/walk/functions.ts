/** Calls of functions that the line itself defines. */

import type * as Syntax from "unbash";
import type { Stream, Word } from "../parse/reading.ts";
import { type Call, SILENT } from "./call.ts";
import { deeper, type Scope } from "./scope.ts";

type WalkBody = (body: Syntax.Function["body"], scope: Scope) => Stream;

export function runFunction(call: Call, walkBody: WalkBody): Stream | undefined {
  const name = call.argv[0]?.literal ? call.argv[0].text : "";
  const node = call.scope.functions.get(name);
  return node && enterFunction(node, call, call.argv.slice(1), walkBody);
}

/** Assignments in the body may persist. A function that spawns itself again is a fork bomb. */
export function enterFunction(
  node: Syntax.Function,
  call: Call,
  positional: readonly Word[] | undefined,
  walkBody: WalkBody,
): Stream {
  const { reader } = call.runner;
  reader.called.add(node);
  if (reader.active.has(node)) {
    if (call.scope.spawning) reader.replicates = true;
    return SILENT;
  }
  reader.active.add(node);
  const { scope } = call;
  const inner: Scope = { ...scope, positional, maybe: true, stdin: call.stdin, spawning: false };
  const output = deeper(reader, () => walkBody(node.body, inner)) ?? SILENT;
  scope.cwd = inner.cwd;
  reader.active.delete(node);
  return output;
}
