/** `claude -p`: its flags, and its last line. Measured: its exit code is 0 after SIGINT, and "success" may be an error. */
import type { HeadlessEnd, HeadlessWish, HostHeadless } from "../headless.ts";
import { arming } from "./arming.ts";
import { slotName, slots } from "./hooks.ts";
import { withOurs } from "./install.ts";

export const headless: HostHeadless = {
  keptVariables: /^CLAUDE_(?:CONFIG_DIR|CODE_OAUTH_TOKEN|CODE_USE_|CODE_TMPDIR|CODE_DISABLE_)/,
  settings(events, program) {
    const written = withOurs(undefined, events, program);
    if ("problem" in written) return written;
    // A file that the host would drop leaves it ungoverned without a word.
    const { readable, hooks } = arming(written.text, program);
    const missing = slots(events, program)
      .map(slotName)
      .filter((name) => !hooks.includes(name));
    if (readable && missing.length === 0) return { text: written.text };
    return { problem: `the settings for the agent would not be read: ${missing.join(", ") || "unreadable"}` };
  },
  args({ prompt, session, settingsFile, model, tools, turns, usd, schema }: HeadlessWish) {
    return [
      ...["-p", "--output-format", "stream-json", "--verbose", "--setting-sources", "", "--settings", settingsFile],
      ...["--session-id", session, "--permission-mode", "dontAsk", "--allowedTools", tools.join(",")],
      ...(model === null ? [] : ["--model", model]),
      ...(turns === null ? [] : ["--max-turns", String(turns)]),
      ...(usd === null ? [] : ["--max-budget-usd", usd.toFixed(6)]),
      ...(schema === undefined ? [] : ["--json-schema", JSON.stringify(schema)]),
      ...["--", prompt],
    ];
  },
  endIn(output) {
    const last = output
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map(parsed)
      .findLast((line) => line["type"] === "result");
    return last ? endOf(last) : { is: "none", text: output.trimEnd().split("\n").at(-1)?.slice(0, 300) ?? "" };
  },
};

type Line = Readonly<Record<string, unknown>>;

function parsed(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    // Cut off when the host was ended.
    return {};
  }
}

function endOf(line: Line): HeadlessEnd {
  const { result, errors, total_cost_usd: usd, structured_output: value } = line;
  const text = typeof result === "string" ? result : Array.isArray(errors) ? errors.join("; ") : "";
  const tokens = tokensIn(line["usage"]);
  return {
    is: kindOf(line),
    text,
    ...(typeof usd === "number" && { usd }),
    ...(tokens !== undefined && { tokens }),
    ...(value !== undefined && { value }),
  };
}

const KINDS: Readonly<Record<string, HeadlessEnd["is"]>> = {
  error_max_budget_usd: "budget",
  error_max_turns: "turns",
};

function kindOf({ subtype, is_error: isError, api_error_status: status }: Line): HeadlessEnd["is"] {
  const named = KINDS[String(subtype)];
  if (named) return named;
  if (isError !== true && subtype === "success") return "ok";
  if (typeof status !== "number") return "error";
  if ([401, 402, 403].includes(status)) return "auth";
  return status === 408 || status === 429 || status >= 500 ? "transient" : "error";
}

function tokensIn(usage: unknown): number | undefined {
  const { input_tokens: read, output_tokens: written } = (usage ?? {}) as Record<string, unknown>;
  return typeof read === "number" && typeof written === "number" ? read + written : undefined;
}
