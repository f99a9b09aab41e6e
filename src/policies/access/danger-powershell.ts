/** PowerShell: text that it runs unread, and its own check of scripts. */

import type { Invocation } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { type Danger, forbid, fromNetwork } from "./danger.ts";

/** PowerShell's own words, wherever such a line ends up. */
export function powershell({ name, args, stdin }: Invocation): Danger | undefined {
  const plain = name?.toLowerCase();
  if (plain === "iex" || plain === "invoke-expression") return stdin || args.length > 0 ? fromNetwork : undefined;
  const isShell = plain === "powershell" || plain === "pwsh";
  if (!isShell && plain !== "set-executionpolicy") return undefined;
  const words = args.map(({ text: word }) => word).join(" ");
  const lifted = isShell
    ? /(?:^|\s)-ex?(?:ec\w*|p)?[\s:=]+["']?(?:bypass|unrestricted)\b/i
    : /\b(?:bypass|unrestricted)\b/i;
  return lifted.test(words) ? forbid(policyLifted, SIGNED) : undefined;
}

const policyLifted = text(
  "This lifts PowerShell's check of the scripts that run.",
  "PowerShell のスクリプト実行時の確認が無効になります。",
);
const SIGNED = text(
  "Leave the policy as it is, or let the person allow the one script (`Unblock-File`).",
  "ポリシーはそのままにし、必要なスクリプトだけを利用者に許可してもらってください（`Unblock-File`）。",
);
