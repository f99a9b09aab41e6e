/** Ends slow evaluations through V8's timeout, so that one event cannot block all others. */
import { Script } from "node:vm";

let thought: (() => void) | undefined;
const KEY = "__sekisho";
Object.defineProperty(globalThis, KEY, { value: () => thought?.() });
const script = new Script(`${KEY}()`);

/** Throws on timeout, and whatever `think` throws. */
export function withinTime<T>(think: () => T, timeMs: number): T {
  let result: { readonly is: T } | undefined;
  thought = () => {
    result = { is: think() };
  };
  try {
    script.runInThisContext({ timeout: timeMs });
  } catch (error) {
    const isLate = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    throw isLate ? new Error("the internal deadline was reached") : error;
  } finally {
    thought = undefined;
  }
  if (!result) throw new Error("nothing was thought");
  return result.is;
}
