/** What waking a session of Claude Code needs: its registry of running sessions, and the input box on its screen. Measured with 2.1.325. */
import type { HostWaking } from "../setup.ts";

export const waking: HostWaking = { registry: "sessions", runningIn, inputIn, asideKey: "C-s", clear: "/clear" };

function runningIn(text: string): ReturnType<HostWaking["runningIn"]> {
  const fields = fieldsIn(text);
  const { sessionId, procStart, status } = fields;
  if (typeof sessionId !== "string" || typeof procStart !== "string") return undefined;
  return { session: sessionId, started: procStart, isIdle: status === "idle" };
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch (error) {
    // The host is just writing it.
    void error;
    return {};
  }
}

const RULE = /^─{4}/;
const PROMPT = /^❯(?:\s|$)/;

/** The box is between the last two rules. In a dialog, an editor or the shell mode there is no such box. */
function inputIn(screen: string): ReturnType<HostWaking["inputIn"]> {
  const lines = screen.split("\n");
  const end = lines.findLastIndex((line) => RULE.test(line));
  const start = lines.slice(0, Math.max(0, end)).findLastIndex((line) => RULE.test(line));
  const [first = "", ...rest] = start < 0 ? [] : lines.slice(start + 1, end);
  if (!PROMPT.test(first)) return undefined;
  const text = [first.slice(1), ...rest].join("").replace(/\s+/g, "");
  return { text, hasAside: /› stashed\s*$/.test(lines[start - 1] ?? "") };
}
