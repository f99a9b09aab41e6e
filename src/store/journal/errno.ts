/** Turns operating system errors into faults that a person can act on. */
import type { StoreFault } from "../store.ts";

const CODES: Readonly<Record<string, StoreFault["code"]>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
  ELOOP: "corrupt",
  ENOTDIR: "corrupt",
  EISDIR: "corrupt",
};

const ADVICE: Readonly<Record<StoreFault["code"], string>> = {
  full: "Free some space or prune the journal.",
  "read-only": "Make the directory writable for this user, or name another one with XDG_STATE_HOME.",
  corrupt: "Something else stands where the journal belongs; move it away.",
  "network-file-system": "Name a local directory with XDG_STATE_HOME.",
  io: "See whether the disk is well.",
};

/** Runs disk work. An error without an errno is a bug and is rethrown. */
export function guarded<T>(directory: string, work: () => T): T | StoreFault {
  try {
    return work();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return faultOf(CODES[errno] ?? "io", `The journal in ${directory} cannot be used: ${(error as Error).message}.`);
  }
}

export function faultOf(code: StoreFault["code"], what: string): StoreFault {
  return { code, fault: `${what} ${ADVICE[code]}` };
}

/** The value, or undefined when the file or directory does not exist. */
export function ifThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Retries after a signal or a brief shortage, a limited number of times so that no hook hangs. */
export function persistently<T>(work: () => T, attemptsMax = 100): T {
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      const errno = errnoOf(error);
      if ((errno !== "EINTR" && errno !== "EAGAIN") || attempt >= attemptsMax) throw error;
    }
  }
}

function errnoOf(error: unknown): string | undefined {
  const known = error instanceof Error && "errno" in error && "code" in error && typeof error.code === "string";
  return known ? (error.code as string) : undefined;
}
