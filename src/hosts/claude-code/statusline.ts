/** The input that Claude Code sends to its status line program. */
import type { HostStatus } from "../setup.ts";

interface Fields {
  readonly session_id?: unknown;
  readonly cwd?: unknown;
  readonly workspace?: { readonly project_dir?: unknown } | null;
  readonly context_window?: { readonly used_percentage?: unknown } | null;
}

export function statusIn(text: string): HostStatus {
  const fields = parsed(text) as Fields;
  const directory = [fields.workspace?.project_dir, fields.cwd].find((path) => typeof path === "string" && path !== "");
  const session = typeof fields.session_id === "string" && /^[\w-]+$/.test(fields.session_id) ? fields.session_id : "";
  const used = fields.context_window?.used_percentage;
  return { session, ...(typeof directory === "string" && { directory }), used };
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
