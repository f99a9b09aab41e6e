/** Tool uses and their results in the entries of a transcript, in either form that clients write; everything else is talk. */

export interface Use {
  readonly step: "use";
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
  readonly cwd: string | undefined;
}

export interface Result {
  readonly step: "result";
  /** Empty where the entry does not say which use it answers. */
  readonly id: string;
  readonly text: string;
  /** It ran, and ended with another exit code than 0. */
  readonly failed: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** In the order in which they stand there. */
export function stepsIn(entries: readonly unknown[]): readonly (Use | Result)[] {
  return entries.flatMap((value) => {
    const entry = fieldsOf(value);
    return entry ? partsOf(entry).flatMap((part) => stepOf(part, speakerOf(entry), entry)) : [];
  });
}

/** `message.content` as a list of parts; or the same list, or a text, in the entry itself. */
function partsOf(entry: Fields): readonly Fields[] {
  const content = fieldsOf(entry["message"])?.["content"] ?? entry["content"];
  if (isPart(entry)) return [entry];
  if (Array.isArray(content)) return content.map(fieldsOf).filter((part) => part !== undefined);
  return speakerOf(entry) === "tool" ? [{ ...entry, type: "tool_result" }] : [];
}

function isPart({ type }: Fields): boolean {
  return type === "tool_use" || type === "tool_result";
}

function speakerOf(entry: Fields): unknown {
  return fieldsOf(entry["message"])?.["role"] ?? entry["role"] ?? entry["type"];
}

function stepOf(part: Fields, speaker: unknown, { cwd }: Fields): readonly (Use | Result)[] {
  if (part["type"] === "tool_use" && (speaker === "assistant" || speaker === "tool_use")) {
    const tool = textIn(part["name"]);
    const input = fieldsOf(part["input"]) ?? {};
    return [{ step: "use", id: textIn(part["id"]), tool, input, cwd: typeof cwd === "string" ? cwd : undefined }];
  }
  return part["type"] === "tool_result" && speaker !== "assistant" ? resultIn(part) : [];
}

/** What was turned away says why in words of its own, ours among them: nothing ran. */
function resultIn(part: Fields): readonly Result[] {
  const text = textIn(part["content"]);
  const failed = /^(?:Error: )?Exit code [1-9]/.test(text);
  if (part["is_error"] === true && !failed) return [];
  return [{ step: "result", id: textIn(part["tool_use_id"] ?? part["tool_call_id"]), text, failed }];
}

/** A text, or a list of parts of which some are texts. */
function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  const texts = value.map((part) => fieldsOf(part)?.["text"]);
  return texts.filter((text) => typeof text === "string").join("\n");
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
