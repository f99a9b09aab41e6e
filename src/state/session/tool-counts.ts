/** How often a session has used which tool. */
import { own } from "../../lib/keyed.ts";

export interface ToolCounts {
  readonly total: number;
  readonly last: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Tool names come from the host and MCP servers; names beyond the limit are counted as `(other)`. */
export const TOOLS_MAX = 20;
const NAME_CHARS_MAX = 60;
export const OTHER_TOOLS = "(other)";

export function countTool({ total, counts }: Pick<ToolCounts, "total" | "counts">, tool: string): ToolCounts {
  const last = tool.slice(0, NAME_CHARS_MAX);
  const isKnown = own(counts, last) !== undefined || Object.keys(counts).length < TOOLS_MAX;
  const name = isKnown ? last : OTHER_TOOLS;
  return { total: total + 1, last, counts: { ...counts, [name]: (own(counts, name) ?? 0) + 1 } };
}

export const noTools = { total: 0, counts: {} } as const;
