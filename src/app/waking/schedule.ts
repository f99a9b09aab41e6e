/** Calls for rounds: one at a time, the earliest call counts, and none is lost. */
export interface Schedule {
  later(ms: number): void;
  end(): void;
}

export function scheduleOf(round: () => Promise<void>, onProblem: (problem: unknown) => void): Schedule {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let isBusy = false;
  const start = async (): Promise<void> => {
    dueAt = Number.POSITIVE_INFINITY;
    isBusy = true;
    await round().catch(onProblem);
    isBusy = false;
    // Calls that came meanwhile.
    if (Number.isFinite(dueAt)) arm();
  };
  const arm = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void start(), Math.max(0, dueAt - performance.now()));
  };
  return {
    later(ms) {
      const at = performance.now() + ms;
      if (at >= dueAt) return;
      dueAt = at;
      if (!isBusy) arm();
    },
    end() {
      clearTimeout(timer);
      dueAt = Number.NEGATIVE_INFINITY;
    },
  };
}
