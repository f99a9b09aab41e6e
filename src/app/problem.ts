import { HostFileError } from "../world/machine/host-file-writing.ts";

/** A usage error, or a condition that stops an action or a query. Its message is for the person, without a stack trace. */
export class Problem extends Error {}

/** An error whose message is enough for the person. A settings file that cannot be written throws its own kind. */
export function isProblem(error: unknown): error is Problem | HostFileError {
  return error instanceof Problem || error instanceof HostFileError;
}
