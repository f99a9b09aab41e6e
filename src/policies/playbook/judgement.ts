/** Whether the last words of a critic or reviewer are a verdict: by their form, and by what it has looked at itself. */
import { judgeIn } from "../../evidence/reviewer.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Covered, CoveredFile, Facts, PlanFound } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { markOf } from "../../lib/sha256.ts";
import { clip, inline, type Text, text } from "../../lib/text.ts";
import { executorOf, namedFor } from "../../playbook/executors.ts";
import { digestOf, digestsOf } from "../../playbook/identity.ts";
import type { Playbook, Step } from "../../playbook/playbook.ts";
import { nextAfter, progressOf } from "../../playbook/progress.ts";
import { missingIn, type Said, saidIn, wantedFor } from "../../playbook/verdict-form.ts";
import type { PlaybookChange } from "../../state/playbooks.ts";
import { lookMark, type ProofChange } from "../../state/session/proof.ts";
import { formFor } from "./brief.ts";

type Known = Pick<Facts, "session" | "settings">;
type Change = PlaybookChange & { readonly do: "verdict" };

/** A verdict, or what keeps the words from being one. Undefined: it judged no plan. */
export type Judgement =
  | { readonly change: Change }
  | { readonly lacks: Text; readonly again?: ProofChange }
  | undefined;

interface Subject {
  readonly of: "critic" | "reviewer";
  readonly path: string;
  readonly playbook: Playbook;
  readonly step?: Step;
  readonly said: Said;
}

export function judgementOf(
  event: HookEvent<"SubagentStop">,
  facts: Known,
  plan: PlanFound,
  covered: Covered,
): Judgement {
  const subject = subjectOf(event, plan);
  if (subject === undefined || "lacks" in subject) return subject;
  const agent = clip(event.agent?.id ?? "", 80);
  if (hasSpoken(agent, subject, plan)) return undefined;
  const look = own(facts.session.proof?.looks ?? {}, agent);
  const files = filesFor(subject, covered, plan.root);
  const read = files.filter(({ path }) => look?.read?.includes(lookMark(`${plan.root}/${path}`)));
  const isLost = subject.of === "critic" && covered.isLost;
  const lacks =
    subject.said.verdict === "FAIL" ? undefined : isLost ? LOST : lacking(event, subject, files, read, facts);
  if (lacks) return { lacks };
  const digest = digestOfFiles(files);
  if (subject.of === "critic" && subject.said.verdict === "PASS" && look?.files !== undefined && look.files !== digest)
    return { lacks: CHANGED_MEANWHILE, again: { record: "proof", do: "judge", agent, files: digest } };
  const seen = { covered: files.length, read: read.length, ran: look?.ran ?? 0 };
  return { change: changeFor(event, subject, plan, files, seen) };
}

/** What it speaks of. A reviewer may review a change instead, and a critic may be asked where no plan is at work. */
function subjectOf(event: HookEvent<"SubagentStop">, plan: PlanFound): Subject | { readonly lacks: Text } | undefined {
  const of = judgeIn(event.agent?.type ?? "");
  const said = saidIn(event.lastMessage);
  if (of === undefined) return undefined;
  if (of === "reviewer") {
    if (said === undefined || said.step !== undefined) return undefined;
    return plan.reviewed ? { of, said, ...plan.reviewed } : { lacks: NO_SUCH_PLAN };
  }
  const { active } = plan;
  if (!active?.playbook || active.standing !== "approved") return undefined;
  if (said === undefined) return { lacks: noVerdict(active.playbook, active.work) };
  const step = active.playbook.steps.find(({ id }) => id === said.step);
  if (said.step !== undefined && !step) return { lacks: noStep(said.step) };
  return { of, said, path: active.path, playbook: active.playbook, ...(step && { step }) };
}

/** Whoever has judged is not asked again: a second word would be the answer to somebody's objection. */
function hasSpoken(agent: string, { of, path }: Subject, { active }: PlanFound): boolean {
  const said = of === "critic" ? active?.work?.verdicts : active?.path === path && active.review ? [active.review] : [];
  return (said ?? []).some((one) => one.agent === agent);
}

/** What a critic has to look at. */
export function toJudge({ files }: Pick<Covered, "files">): readonly CoveredFile[] {
  return files.filter(({ isJudged, isThere }) => isThere && !isJudged);
}

export function digestOfFiles(files: readonly CoveredFile[]): string {
  return markOf(
    files
      .map(({ mark }) => mark)
      .sort()
      .join(" "),
  ).slice(0, DIGEST_CHARS);
}

function filesFor({ of, path }: Subject, covered: Covered, root: string): readonly CoveredFile[] {
  if (of === "critic") return toJudge(covered);
  return [{ path, mark: markOf(`${root} ${path}`), isThere: true, isJudged: false }];
}

function lacking(
  { agent, lastMessage }: HookEvent<"SubagentStop">,
  { of, said, step, playbook }: Subject,
  files: readonly CoveredFile[],
  read: readonly CoveredFile[],
  { session, settings }: Known,
): Text | undefined {
  const looked = own(session.proof?.looks ?? {}, clip(agent?.id ?? "", 80))?.count ?? 0;
  if (looked === 0) return NOT_LOOKED;
  const unread = files.filter((file) => !read.includes(file)).map(({ path }) => path);
  if (unread.length > 0) return unreadWords(unread, files.length);
  if (said.verdict === "DEFERRED" && (!step || executorOf(namedFor(step, playbook), settings.plan)?.name !== "user"))
    return NOT_THEIRS;
  const missing = missingIn(lastMessage, wantedFor(of, playbook, step));
  return missing.length === 0 || said.verdict === "DEFERRED" ? undefined : missingWords(missing);
}

const DIGEST_CHARS = 16;

function changeFor(
  { agent }: HookEvent<"SubagentStop">,
  { of, path, playbook, step, said }: Subject,
  { root, active }: PlanFound,
  files: readonly CoveredFile[],
  seen: Pick<Change, "covered" | "read" | "ran">,
): Change {
  const next = step && nextAfter(progressOf(playbook, active?.work), step.id);
  const marks = files.map(({ mark }) => mark);
  return {
    ...{ record: "playbook", do: "verdict", root, path, of, verdict: said.verdict },
    ...(step && { step: step.id }),
    agent: clip(agent?.id ?? "", 80),
    plan: step ? (digestsOf(playbook).steps[step.id] ?? "") : digestOf(playbook),
    files: digestOfFiles(files),
    ...seen,
    ...(of === "critic" && said.verdict === "PASS" && { judged: marks }),
    ...(next !== undefined && { next }),
  };
}

const SHOWN = 8;

function unreadWords(unread: readonly string[], all: number): Text {
  const paths = unread
    .slice(0, SHOWN)
    .map((path) => inline(path, 80))
    .join(", ");
  const rest = unread.length > SHOWN ? ` (+${unread.length - SHOWN})` : "";
  return text(
    `You have read ${all - unread.length} of ${all} files that you must judge. Not read yet: ${paths}${rest}.`,
    `判定すべき ${all} ファイルのうち ${all - unread.length} ファイルしか読んでいません。未読: ${paths}${rest}。`,
  );
}

function missingWords(missing: readonly string[]): Text {
  const ids = missing.slice(0, SHOWN).join(", ");
  return text(
    `A PASS needs a line with evidence for each of these: ${ids}.`,
    `PASS には、次のそれぞれに証拠を添えた行が必要です: ${ids}。`,
  );
}

const LOST = text(
  "Git cannot tell what has changed since the plan was approved, so a PASS would not count. Say FAIL, and why: the person must look.",
  "計画の承認以降の変更を git から得られないため、PASS は数えられません。理由を添えて FAIL とし、利用者の確認を求めてください。",
);
const CHANGED_MEANWHILE = text(
  "The files that you must judge have changed since you began. Read all of them again.",
  "判定を始めてから、対象のファイルが変わりました。すべて読み直してください。",
);
const NOT_LOOKED = text("You have looked at nothing yourself.", "自分では何も確認していません。");
const NOT_THEIRS = text(
  "Only a step that the person works on can be DEFERRED.",
  "DEFERRED にできるのは、利用者自身が行うステップだけです。",
);
const NO_SUCH_PLAN = text(
  "The verdict names no plan in .sekisho/playbooks/.",
  "判定に、.sekisho/playbooks/ にある計画の名前がありません。",
);

function noStep(id: string): Text {
  return text(`The plan has no step ${inline(id, 20)}.`, `計画にステップ ${inline(id, 20)} はありません。`);
}

function noVerdict(playbook: Playbook, work: Parameters<typeof progressOf>[1]): Text {
  const form = formFor("critic", progressOf(playbook, work).current?.step.id);
  return text(
    `Your report has no verdict. Its last line must be ${form}.`,
    `報告に判定がありません。最後の行は ${form} です。`,
  );
}
