/** Which evidence an event provides. Loaded only for the few events that could provide some. */
import { asksFor } from "../../evidence/default-rules.ts";
import { isReviewer } from "../../evidence/reviewer.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { askedOr, type Facts } from "../../kernel/facts.ts";
import type { HostTraits } from "../../kernel/host-traits.ts";
import { sentWords } from "../../kernel/persons-prompt.ts";
import { type Ruling, remember } from "../../kernel/policy.ts";
import { approvedIn, hasApproval, isApproval } from "../../language/approval.ts";
import { own } from "../../lib/keyed.ts";
import { absolute, fromHome, within } from "../../lib/paths.ts";
import { clip, text } from "../../lib/text.ts";
import { fileKind } from "../../reading/operation/file-kind.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import { type Operation, operationOf } from "../../reading/operation/operation.ts";
import type { Tool } from "../../reading/tool.ts";
import { bareName, lookMark, type ProofChange } from "../../state/session/proof.ts";
import { isOwnMaking } from "../playbook/own-making.ts";
import { isLook, verdictIn } from "./review.ts";

type Known = Pick<Facts, "session" | "settings" | "places" | "targets" | "host">;
type Reviewing = Pick<Facts, "session" | "settings" | "host" | "reviewedFiles">;

/** Before a tool runs: notes that code is about to change, or that the agent schedules a prompt. */
export function attempted(
  { tool, agent }: HookEvent<"PreToolUse">,
  operation: Operation | undefined,
  { settings, places }: Known,
): readonly ProofChange[] {
  if (tool.kind === "control") {
    // The main agent messages its subagents often, and their answers arrive in the host's own tags.
    const isAside = tool.toAgent === true && agent === undefined;
    const how = isAside ? { aside: true as const } : { words: sentWords(tool.prompts ?? "") };
    return [{ record: "proof", do: "scheduled", ...how }];
  }
  const isCode = (operation?.effects ?? []).some(
    ({ kind, path, elsewhere }) =>
      (kind === "write" || kind === "delete") &&
      !elsewhere &&
      within(path, places.project) &&
      fileKind(path, settings.gates.code_extensions) === "code",
  );
  return isCode ? [{ record: "proof", do: "changed" }] : [];
}

/** A tool use counts as evidence only if its start was seen, it succeeded and it has ended. */
export function shownBy(
  event: HookEvent<"PostToolUse">,
  { session, settings, places, targets, host }: Known,
): readonly ProofChange[] {
  const { tool, agent } = event;
  const open = own(session.calls, event.call);
  if (open?.tool !== tool.name || open.background || event.background || event.failed) return [];
  if (tool.kind === "control") {
    const answers = event.answers ?? [];
    return [...skillShown(tool.skill ?? "", agent?.id), ...answers.filter(isApproval).flatMap(approvals)];
  }
  const looked: readonly ProofChange[] =
    agent && isReviewer(agent.type, settings) && isLook(tool)
      ? [{ record: "proof", do: "look", agent: agentId(agent), ...lookedAt(event, targets, places, host) }]
      : [];
  if (!("path" in tool) || tool.path === undefined || !showsWhole(tool, host)) return looked;
  if (!asksFor(settings, ({ evidence }) => evidence === "read")) return looked;
  const named = absolute(fromHome(tool.path, places.home), event.cwd) ?? tool.path;
  const path = own(targets, named) ?? named;
  return path.length > PATH_CHARS_MAX ? looked : [...looked, { record: "proof", do: "read", path }];
}

const LOOKED_MAX = 40;

/** Which files it has read: the one that a tool names, or those that a command names to read them. */
function lookedAt(
  { tool, cwd, diffed = [] }: HookEvent<"PostToolUse">,
  targets: Facts["targets"],
  { home, project }: Facts["places"],
  { wholeReads }: HostTraits,
): Pick<Looked, "read" | "ran"> {
  if (tool.kind !== "bash") {
    const isWhole = tool.kind === "read" && wholeReads.includes(tool.name);
    const path = isWhole ? absolute(fromHome(tool.path ?? "", home), cwd) : undefined;
    return path === undefined ? {} : { read: [...new Set([path, own(targets, path) ?? path])].map(lookMark) };
  }
  const { effects, shell } = operationOf(tool, { cwd, home });
  const paths = effects
    .filter(({ kind, elsewhere, literal }) => kind === "read" && !elsewhere && literal)
    .map(({ path }) => path);
  const root = within(cwd, project) ? project : cwd;
  const all = [...paths, ...(showsDiff(shell) ? diffed.map((path) => `${root}/${path}`) : [])];
  const read = [...new Set(all.map(lookMark))].slice(0, LOOKED_MAX);
  return { ran: true, ...(read.length > 0 && { read }) };
}

/** Alone on its line: behind a pipe nobody knows how much of a diff was shown. */
function showsDiff(shell: Operation["shell"]): boolean {
  const [only, ...others] = shell?.invocations ?? [];
  const isPlain = only && others.length === 0 && only.redirects.length === 0 && !only.remote && !only.contained;
  return isPlain === true && /^(?:diff|show)$/.test(gitVerb(only) ?? "");
}

type Looked = ProofChange & { readonly do: "look" };

/** Search and list tools are left out: they show single lines or names, not the whole file. */
function showsWhole({ kind, name }: Tool, { wholeReads }: HostTraits): boolean {
  return kind === "write" || kind === "edit" || kind === "notebook" || wholeReads.includes(name);
}

const PATH_CHARS_MAX = 600;

export function skillShown(given: string, agent: string | undefined): readonly ProofChange[] {
  const name = bareName(given.replace(/^\//, ""));
  if (!/^[A-Za-z0-9][\w.-]{0,79}$/.test(name)) return [];
  return [{ record: "proof", do: "skill", name, ...(agent !== undefined && { agent: clip(agent, 80) }) }];
}

function approvals(said: string): readonly ProofChange[] {
  return approvedIn(said).map((name) => ({ record: "proof", do: "approve", name }));
}

export function spoken({ prompt }: HookEvent<"UserPromptSubmit">, { session, settings }: Known): Ruling {
  const isTurn = asksFor(settings, ({ freshness }) => freshness === "turn");
  const turn: readonly ProofChange[] = isTurn ? [{ record: "proof", do: "turn" }] : [];
  if (session.proof?.scheduledAt === undefined) return remember(...turn, ...approvals(prompt));
  return { ...remember(...turn), ...(hasApproval(prompt) && { notices: [NOT_COUNTED] }) };
}

const NOT_COUNTED = text(
  "This approval was not counted: prompts were scheduled or sent in this session, so a prompt alone may be anybody's. Let the agent ask you with a question whose option is `approve NAME`.",
  "この承認は数えていません。このセッションでは予約・送信されたプロンプトがあり、プロンプトだけでは誰のものか分かりません。選択肢を `approve NAME` とした質問で答えてください。",
);

export function reviewed(
  { agent, lastMessage }: HookEvent<"SubagentStop">,
  { session, settings, host, reviewedFiles: files }: Reviewing,
): readonly ProofChange[] {
  if (!agent || !isReviewer(agent.type, settings)) return [];
  const type = bareName(agent.type);
  const looked = own(session.proof?.looks ?? {}, agentId(agent))?.count ?? 0;
  const passed = verdictIn(lastMessage);
  if (passed === undefined || looked === 0 || (passed && isOwnMaking(agent.type, session, host))) return [];
  const digest = askedOr(files, "");
  return [{ record: "proof", do: "review", type, pass: passed, looked, ...(digest !== "" && { files: digest }) }];
}

function agentId({ id }: { readonly id: string }): string {
  return clip(id, 80);
}
