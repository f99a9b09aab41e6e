/** Input fields that hosts spell in different ways. */

type Fields = Readonly<Record<string, unknown>>;

/** Claude Code sends `prompt`; other hosts send the message or its parts. */
export function promptIn(fields: Fields): string {
  const [message] = objects([fields["message"]]);
  const parts = objects(fields["parts"]).filter(({ type, text }) => type === "text" && typeof text === "string");
  return string(fields["prompt"]) || string(message?.["content"]) || parts.map(({ text }) => text).join(" ");
}

/** Claude Code gives no reason and sends no event when aborted; other hosts do. */
const REASONS = ["stop_reason", "stopReason", "end_turn_reason", "endTurnReason"];

/** True if the turn must end: the context is full, or a person ended it. */
export function mustYield(fields: Fields): boolean {
  return fields["user_requested"] === true || REASONS.some((key) => mustStop(string(fields[key]).toLowerCase()));
}

function mustStop(reason: string): boolean {
  return (
    /context_(?:limit|window|exceeded|full)|max_context|token_limit|max_tokens|(?:conversation|input)_too_long/.test(
      reason,
    ) || /^(?:aborted|abort|cancel|interrupt)$|user_(?:cancel|interrupt)|ctrl_c|manual_stop/.test(reason)
  );
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function objects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : [];
}
