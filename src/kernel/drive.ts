/** Runs steps to their end, performing each effect on the way. Both lanes use this loop. */
import type { Effect, ProgramRun, Steps } from "./effect.ts";

/** Returns the effect's result, or a promise of it where the lane can wait. */
export type Perform = (effect: Effect) => unknown;

/** Runs one stretch of steps between two effects; a lane may put a time limit around it. */
export type Watch = <R>(stretch: () => R) => R;

/** The result itself as long as no effect was a promise: most events of the daemon never wait. */
export function drive<T>(steps: Steps<T>, perform: Perform, watch: Watch = unwatched): T | Promise<T> {
  const go = (first: () => IteratorResult<Effect, T>): T | Promise<T> => {
    let step = watch(first);
    while (!step.done) {
      let resume: () => IteratorResult<Effect, T>;
      try {
        const result = perform(step.value);
        if (result instanceof Promise) {
          return result.then(
            (value) => go(() => steps.next(value)),
            (error) => go(() => steps.throw(error)),
          );
        }
        resume = () => steps.next(result);
      } catch (error) {
        resume = () => steps.throw(error);
      }
      step = watch(resume);
    }
    return step.value;
  };
  return go(() => steps.next());
}

/** For a caller that cannot wait: every effect must have its result at once. */
export function driveNow<T>(steps: Steps<T>, perform: Perform, watch?: Watch): T {
  const result = drive(steps, perform, watch);
  if (result instanceof Promise) throw new Error("an effect was left unfinished");
  return result;
}

/** For steps that need nothing but programs. */
export function running(run: (program: ProgramRun) => unknown): Perform {
  return (effect) => {
    if (effect.do !== "run") throw new Error(`nothing here performs "${effect.do}"`);
    return run(effect.program);
  };
}

function unwatched<R>(stretch: () => R): R {
  return stretch();
}
