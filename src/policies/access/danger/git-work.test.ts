/** A name in a temporary directory may be a link to the project, or another work tree of its repository. */
import { describePolicy } from "../../describe-policy.ts";
import { bash } from "../../example.ts";
import { noDestructiveCommand } from "./no-destructive-command.ts";

describePolicy(noDestructiveCommand, ({ asks, denies }) => {
  denies("a reset through a name in /tmp", bash("git -C /tmp/x reset --hard"));
  denies("a clean through a name in /tmp", bash("cd /tmp/x && git clean -fd"));
  asks("a branch deleted from a work tree in /tmp", bash("git -C /tmp/x branch -D topic"));
});
