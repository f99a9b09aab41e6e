import type { Invocation } from "../shell/parse/reading.ts";
import { gitVerb } from "./git-site.ts";

/** `patch`, `git apply` and `git am` write what a patch says. */
export function isPatching(invocation: Invocation): boolean {
  const verb = gitVerb(invocation);
  return invocation.name === "patch" || verb === "apply" || verb === "am";
}

/** The patch is in a file or comes from a program, so that nobody can tell here which files it changes. */
export function appliesUnreadPatch(invocation: Invocation): boolean {
  const { args, stdin, remote, contained } = invocation;
  if (remote || contained || !isPatching(invocation) || args.some(({ text }) => LOOKS.test(text))) return false;
  return !/^(?:\+\+\+|\*\*\*) /m.test(stdin?.text ?? "");
}

const LOOKS = /^--(?:check|stat|numstat|summary|dry-run|abort|quit|show-current-patch|help|version)\b/;
