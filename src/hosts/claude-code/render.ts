/** Converts our verdict to the host's answer for each event. Only this file knows the format of a refusal. */
import type { Objection, Verdict } from "../../kernel/decide.ts";
import type { EventName } from "../../kernel/event.ts";
import { allowCommand } from "../../kernel/lift.ts";
import { clip, type Language, type Text } from "../../lib/text.ts";
import { agreementWords } from "../../state/agreements.ts";
import type { Host, Reply } from "../host.ts";

type Options = Parameters<Host["render"]>[2];

/**
 * The events at which added context reaches the model, with our limits. At Stop it would make the agent continue; at
 * most other events the host drops it or reports an error.
 */
const CONTEXT_CHARS_MAX: Readonly<Partial<Record<EventName, number>>> = {
  SessionStart: 8000,
  UserPromptSubmit: 1500,
  UserPromptExpansion: 1500,
  SubagentStart: 6000,
  PreToolUse: 300,
  PostToolUse: 300,
  PostToolUseFailure: 300,
  PostToolBatch: 300,
};

/** Events that exit code 2 refuses. It needs no well-formed output, so nothing can invalidate it. */
const REFUSED_BY_EXIT_CODE: ReadonlySet<EventName> = new Set([
  "PreToolUse",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "PreCompact",
  "PreModelSwitch",
  "ConfigChange",
]);

export function render(name: EventName, verdict: Verdict, options: Options): Reply {
  if (verdict.decision === "deny" && REFUSED_BY_EXIT_CODE.has(name)) {
    return { exitCode: 2, stdout: "", stderr: `${refusal(verdict, options)}\n` };
  }
  // Any output here would become an instruction for the compaction.
  if (name === "PreCompact") return { exitCode: 0, stdout: "", stderr: "" };
  const said = context(name, verdict, options.language);
  const answer = {
    ...blockFor(name, verdict, options),
    ...specific(name, {
      ...decisionFor(name, verdict, options),
      ...(said !== "" && { additionalContext: said }),
    }),
    ...noticeFor(verdict, options.language),
  };
  return { exitCode: 0, stdout: oneObject(answer), stderr: "" };
}

/** The same answer without an exit code: over HTTP a refusal is a JSON object too. */
export function renderOverHttp(name: EventName, verdict: Verdict, options: Options): Reply {
  if (verdict.decision !== "deny" || !REFUSED_BY_EXIT_CODE.has(name)) return render(name, verdict, options);
  const reason = refusal(verdict, options);
  const answer = {
    ...(name === "PreToolUse"
      ? specific(name, { permissionDecision: "deny", permissionDecisionReason: reason })
      : { decision: "block", reason }),
    ...noticeFor(verdict, options.language),
  };
  return { exitCode: 0, stdout: oneObject(answer), stderr: "" };
}

function blockFor(name: EventName, verdict: Verdict, options: Options): object {
  if (verdict.decision === "pass" || (name !== "Stop" && name !== "SubagentStop")) return {};
  return { decision: "block", reason: refusal(verdict, options) };
}

function decisionFor(name: EventName, verdict: Verdict, options: Options): object {
  if (verdict.decision === "pass") return name === "PreToolUse" ? earned(verdict, options.language) : {};
  const reason = refusal(verdict, options);
  if (name === "PreToolUse") return { permissionDecision: "ask", permissionDecisionReason: reason };
  return name === "PermissionRequest" ? { decision: { behavior: "deny", message: reason } } : {};
}

/** A pass has no output unless there is an approval or a changed input. */
function earned({ approval, input }: Verdict, language: Language): object {
  return {
    ...(approval && { permissionDecision: "allow", permissionDecisionReason: approval[language] }),
    ...(input && { updatedInput: input }),
  };
}

function specific(name: EventName, fields: object): object {
  return Object.keys(fields).length === 0 ? {} : { hookSpecificOutput: { hookEventName: name, ...fields } };
}

/** Says what, why, what to do instead, then how to see more. The first objection leads, the others are listed. */
export function refusal(verdict: Verdict, { language, id }: Options): string {
  const [first, ...others] = verdict.objections;
  if (!first) return "";
  const words = WORDS[language];
  const lines = [
    `${verdict.decision === "ask" ? words.asks : words.refuses}: ${first.what[language]}`,
    `${words.why}: ${first.why[language]} [${first.policy}]`,
    `${words.instead}: ${first.fix[language]}`,
    ...others.slice(0, 3).map((other) => `${words.also}: ${brief(other, language)}`),
    ...wayOut(verdict, id, language),
    ...(verdict.agreement
      ? [`${words.once}: ${verdict.agreement.map((key) => agreementWords(key)[language]).join(words.comma)}`]
      : []),
    ...(verdict.family === undefined ? [] : [`${words.stop}: sekisho accept ${verdict.family}`]),
    ...(id === "" ? [] : [`${words.more}: sekisho explain ${id}`]),
  ];
  return clip(lines.join("\n"), 4000);
}

/** Shown only where it works: not for the floor, not for internal faults, not when the host prompts the person. */
function wayOut({ decision, wayOut: way, unbound }: Verdict, id: string, language: Language): readonly string[] {
  if (decision !== "deny" || way === undefined) return [];
  const { lift, cancel } = WORDS[language];
  if (way === "cancel") return [cancel];
  if (way === "pause") return [`${lift}: sekisho pause --for 10m`];
  return id === "" ? [] : [`${lift}: ${allowCommand(id, unbound)}`];
}

/** A single line that always contains the policy id, however long the text is. */
function brief({ what, policy }: Objection, language: Language): string {
  return `${clip(what[language].replace(/\s+/g, " "), 240)} [${policy}]`;
}

const WORDS = {
  en: {
    refuses: "Sekisho refuses this",
    asks: "Sekisho asks",
    why: "Why",
    instead: "Instead",
    also: "Also",
    lift: "A person may let it pass",
    once: "Your yes counts until this session ends for",
    comma: ", ",
    stop: "To stop being asked about this kind here",
    cancel: "A person ends it by typing `cancel` here, or with `sekisho cancel` in a terminal",
    more: "For the person",
  },
  ja: {
    refuses: "関所はこれを止めます",
    asks: "関所からの確認",
    why: "理由",
    instead: "代わりに",
    also: "ほかに",
    lift: "通せるのは人だけです",
    once: "許可はこのセッションの終わりまで有効です",
    comma: "、",
    stop: "ここで同種の確認を省くには",
    cancel: "終わらせるのは利用者です。ここに「キャンセル」と入力するか、端末で `sekisho cancel`",
    more: "利用者へ",
  },
} as const;

export function context(name: EventName, verdict: Verdict, language: Language): string {
  const budget = CONTEXT_CHARS_MAX[name];
  if (budget === undefined || verdict.notes.length === 0) return "";
  // A refusal by exit code has no room for context.
  if (verdict.decision === "deny" && REFUSED_BY_EXIT_CODE.has(name)) return "";
  return clip(verdict.notes.map((note) => clip(note[language], 400)).join("\n"), budget);
}

function noticeFor(verdict: Verdict, language: Language): object {
  if (verdict.notices.length === 0) return {};
  const lines = (notices: readonly Text[]): string => notices.map((notice) => notice[language]).join("\n");
  return { systemMessage: clip(`sekisho: ${lines(verdict.notices)}`, 2000) };
}

/** Either an empty string or exactly one JSON object. */
function oneObject(answer: object): string {
  return Object.keys(answer).length === 0 ? "" : JSON.stringify(answer);
}
