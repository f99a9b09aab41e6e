/** Calls for rounds: one at a time, the earliest call counts, and none is lost. */
export interface Schedule {
  later(ms: number): void;
  /** No further round begins. Resolves when the one that runs has ended, so that nobody is left with half a line. */
  end(): Promise<void>;
}

export function scheduleOf(round: () => Promise<void>, onProblem: (problem: unknown) => void): Schedule {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let isEnded = false;
  const start = async (): Promise<void> => {
    dueAt = Number.POSITIVE_INFINITY;
    running = round().catch(onProblem);
    await running;
    running = undefined;
    // Calls that came meanwhile.
    if (Number.isFinite(dueAt)) arm();
  };
  const arm = (): void => {
    clearTimeout(timer);
    if (!isEnded) timer = setTimeout(() => void start(), Math.max(0, dueAt - performance.now()));
  };
  return {
    later(ms) {
      const at = performance.now() + ms;
      if (at >= dueAt) return;
      dueAt = at;
      if (!running) arm();
    },
    async end() {
      isEnded = true;
      clearTimeout(timer);
      await running;
    },
  };
}
