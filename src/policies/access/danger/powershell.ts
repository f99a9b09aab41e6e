/** PowerShell: text that it runs unread, and its script execution policy. */

import { text } from "../../../lib/text.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, fromNetwork } from "./danger.ts";

/** PowerShell's own commands, in whichever shell the line runs. */
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
