/** Whether a change may be made with the plan as it stands, and the next step where it may not. */
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts, PlanFound } from "../../kernel/facts.ts";
import { deny, pass, type Ruling, remember } from "../../kernel/policy.ts";
import { names } from "../../lib/name-table.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { gitCommand } from "../../reading/operation/git-command.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import { changes, type Operation } from "../../reading/operation/operation.ts";
import { appliesUnreadPatch } from "../../reading/operation/patch-command.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";
import { runsCode } from "../../reading/shell/walk/environment.ts";
import type { Tool } from "../../reading/tool.ts";
import type { Change } from "../../state/change.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { touchedFiles } from "../proof/touched-files.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";

type Known = Pick<Facts, "settings" | "places" | "targets" | "standing" | "scripts">;

export function onPlannedChange(
  event: HookEvent<"PreToolUse">,
  operation: Operation,
  { settings, places, targets, standing, scripts }: Known,
  plan: PlanFound,
): Ruling {
  const lack = lackOf(plan, settings.plan);
  if (plan.active?.standing === "approved" && lack === undefined) return remember(...seenIn(plan));
  const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling => {
    const ground = { cwd: event.cwd, places, targets: one.targets, standing, endings: settings.gates.code_extensions };
    const all = touchedFiles(event.tool, one.operation, ground);
    const files = all.filter(({ path }) => !isPlan(path, plan.root));
    const isHeld =
      settings.plan.required === "code"
        ? files.some(({ kind }) => kind === "code") ||
          one.operation.shell?.invocations.some(appliesUnreadPatch) === true
        : files.length > 0 || mayChangeAnything(event.tool, one.operation, settings);
    if (!isHeld) return pass;
    return deny(lack ? lackWords(lack, plan) : { what: whatIs(plan), fix: nextStep(plan) });
  };
  const itself = judge({ operation, targets });
  return scripts.length > 0 ? withScripts(itself, scripts, judge) : itself;
}

/** What an approved plan still needs before work may begin: a reviewer's PASS for these words, and that it is begun. */
function lackOf({ active }: PlanFound, { review }: Settings["plan"]): "review" | "start" | undefined {
  if (active?.standing !== "approved" || review === "off") return undefined;
  const isReviewed = active.review?.verdict === "PASS" && active.review.plan === active.digest;
  if (!isReviewed) return "review";
  return review === "path" && !active.work ? "start" : undefined;
}

function lackWords(lack: "review" | "start", { active }: PlanFound): { readonly what: Text; readonly fix: Text } {
  const name = nameOf(active?.path ?? "");
  if (lack === "start")
    return {
      what: text(
        `Plan ${name} is approved and reviewed, but not begun.`,
        `計画 ${name} は承認・レビュー済みですが、まだ開始されていません。`,
      ),
      fix: text(
        `Run \`sekisho playbook start ${name}\`, or ask the person to.`,
        `\`sekisho playbook start ${name}\` を実行するか、利用者に頼んでください。`,
      ),
    };
  return {
    what: text(
      `No reviewer has passed plan ${name} as it is.`,
      `計画 ${name} は、今の内容でレビューを通っていません。`,
    ),
    fix: text(
      `Start the subagent \`sekisho:reviewer\` (Agent tool) and ask it to review the plan ${name}.`,
      `サブエージェント \`sekisho:reviewer\` を起動し (Agent ツール)、計画 ${name} のレビューを頼んでください。`,
    ),
  };
}

/** The next event need not read the same file again. */
export function seenIn({ active }: PlanFound): readonly Change[] {
  return active?.seen ? [{ record: "session", do: "see-plan", ...active.seen }] : [];
}

/** A plan must be written before it can be approved. */
function isPlan(path: string, root: string): boolean {
  return path.startsWith(`${root}/.sekisho/playbooks/`) && path.endsWith(".md");
}

/** Programs and tools that may change the project in ways nobody can read. What leads to a plan is left open. */
export function mayChangeAnything(
  { kind }: Tool,
  operation: Operation,
  { security }: Pick<Settings, "security">,
): boolean {
  const invocations = operation.shell?.invocations;
  if (!mayChange(operation) || kind === "web" || kind === "write" || kind === "edit" || kind === "notebook")
    return false;
  return !invocations?.every((one) => {
    if (!isInstalled(one)) return false;
    const verb = gitVerb(one);
    if (verb === "checkout" && takesFiles(one)) return false;
    if (verb !== undefined) return OPEN_GIT.has(verb) || (security === "admin" && MAINTENANCE_GIT.has(verb));
    return one.name !== undefined && (OPEN.has(one.name) || printsLines(one));
  });
}

/** Also a line that only looks by its words, where another program may answer to them: `./ls`, `PATH=. ls`. */
export function mayChange(operation: Operation): boolean {
  return changes(operation) || operation.shell?.invocations.every(isInstalled) === false;
}

/** By its name alone, or in a system directory: `./ls` is any program. So is one that a variable puts before others. */
function isInstalled({ name, word, args, assignments }: Invocation): boolean {
  const exported = name === "export" || name === "declare" || name === "typeset" ? args : [];
  const set = [
    ...assignments.map((one) => [one.name, one.value.text] as const),
    ...exported.map(({ text }) => text.split(/=(.*)/s, 2) as [string, string?]),
  ];
  const isArranged = set.some(
    ([variable, value = ""]) => variable === "PATH" || (runsCode(variable) && !/^[\w-]*$/.test(value)),
  );
  return !isArranged && (!word.text.includes("/") || /^\/(?:usr\/(?:local\/)?)?s?bin\/[\w.-]+$/.test(word.text));
}

/** `git checkout BRANCH -- FILE`. Of one word alone git says whether it is a branch; a file of that name is only taken back. */
function takesFiles({ args }: Invocation): boolean {
  const { args: own } = gitCommand(args);
  const makes = own.some(({ text }) => /^-[bB]|^--(?:orphan|track|detach)/.test(text));
  return (
    !makes && (own.some(({ text }) => text === "--") || own.filter(({ text }) => !text.startsWith("-")).length > 1)
  );
}

/** `sed -n 10,20p`: other scripts of sed can write files and run commands. */
function printsLines({ name, args: [option, script] }: Invocation): boolean {
  return name === "sed" && option?.text === "-n" && /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(script?.text ?? "");
}

const OPEN = names("sekisho cd pwd ls cat head tail grep rg find wc sort echo printf true test which type file stat");
const OPEN_GIT = names("status log diff show branch switch checkout fetch stash rev-parse remote ls-files blame");

/** An admin looks after the repository without a plan. What leaves the machine is asked about elsewhere. */
const MAINTENANCE_GIT = names("add commit pull push merge");

const APPROVE = (name: string): readonly [string, string] => [
  `Then ask the person with a question whose option is \`approve ${name}\`.`,
  `その後、選択肢を \`approve ${name}\` とした質問で利用者に承認を求めてください。`,
];

export function whatIs({ active, drafts }: PlanFound): Text {
  const path = inline(active?.path ?? "", 80);
  switch (active?.standing) {
    case "changed": {
      const parts = active.changed.map((id) => inline(id, 20)).join(", ");
      return text(
        `The plan ${path} was changed after the person approved it (${parts}).`,
        `計画 ${path} は、承認された後に変更されています (${parts})。`,
      );
    }
    case "gone":
      return text(`The approved plan ${path} is gone.`, `承認された計画 ${path} が見つかりません。`);
    case "broken":
      return text(
        `The plan cannot be read: ${path}:${active.fault?.line ?? 1} (${active.fault?.kind ?? ""}).`,
        `計画を読めません: ${path}:${active.fault?.line ?? 1} (${active.fault?.kind ?? ""})。`,
      );
    default:
      return drafts.length > 0
        ? text("No plan for this change is approved yet.", "この変更の計画は、まだ承認されていません。")
        : text("This change needs a plan, and there is none.", "この変更には計画が必要ですが、まだありません。");
  }
}

export function nextStep({ active, drafts }: PlanFound): Text {
  if (active?.standing === "broken" || active?.standing === "gone") {
    const [name, file] = [nameOf(active.path), fileOf(active.path)];
    return text(
      `Put the file right (\`sekisho playbook lint ${file}\` says how). ${APPROVE(name)[0]}`,
      `ファイルを直してください (\`sekisho playbook lint ${file}\` で確認できます)。${APPROVE(name)[1]}`,
    );
  }
  const name = active ? nameOf(active.path) : drafts[0];
  if (name !== undefined) {
    const file = active ? fileOf(active.path) : name;
    return text(
      `\`sekisho playbook lint ${file}\` must have no errors. ${APPROVE(name)[0]}`,
      `\`sekisho playbook lint ${file}\` のエラーをなくしてください。${APPROVE(name)[1]}`,
    );
  }
  return text(
    `\`sekisho playbook new NAME\` makes one below .sekisho/playbooks/: fill it in, and run \`sekisho playbook lint NAME\`. ${APPROVE("NAME")[0]}`,
    `\`sekisho playbook new NAME\` で .sekisho/playbooks/ に作り、書き込んで \`sekisho playbook lint NAME\` を実行してください。${APPROVE("NAME")[1]}`,
  );
}

/** Our own playbooks are found by their name. */
function fileOf(path: string): string {
  return path.startsWith(".sekisho/") ? nameOf(path) : inline(path, 80);
}

export function nameOf(path: string): string {
  return inline(path.replace(/^.*\//, "").replace(/\.md$/, ""), 60);
}
