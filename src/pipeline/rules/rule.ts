/** What a problem says, and what to write instead. `{word}` is what was found, `{more}` what it was compared with. */
import type { Text } from "../../lib/text.ts";

export interface Rule {
  /** With an error nothing runs. */
  readonly severity: "error" | "warning";
  readonly says: Text;
  readonly better: Text;
}

export const error = (says: Text, better: Text): Rule => ({ severity: "error", says, better });
export const warning = (says: Text, better: Text): Rule => ({ severity: "warning", says, better });
