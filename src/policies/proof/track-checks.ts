import type { HookEvent, TaskNotification } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import { definePolicy, pass, type Ruling, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { maskText } from "../../lib/secrets.ts";
import { clip, text } from "../../lib/text.ts";
import {
  type BegunCheck,
  type Checking,
  type CheckOutcome,
  type EndedCheck,
  SEARCHED,
} from "../../state/session/checks.ts";
import { bash } from "../example.ts";
import { uncounted } from "./owed-words.ts";

/** A check counts by its own exit code, matched to its PreToolUse event, for the files as they were at that time. */
export const trackChecks = definePolicy({
  id: "track-checks",
  on: ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"],
  needs: ["session", "workplace", "checkRuns", "ground"],
  why: text(
    "That a check has passed is known from its exit code, not from what is said of it.",
    "検証に通ったかどうかは、報告ではなく終了コードで分かる。",
  ),
  applies: (event) =>
    event.name === "UserPromptSubmit" ? event.notification !== undefined : event.tool.kind === "bash",

  check({ event, facts }) {
    if (event.name === "PreToolUse") return begun(event, facts);
    const end = endOf(event);
    return end ? ended(end, facts) : pass;
  },

  examples: [
    {
      expect: "pass",
      when: bash("npm test"),
      given: { checkRuns: [{ check: "test", how: "whole", command: "npm test" }] },
    },
  ],
});

type Known = Pick<Facts, "session" | "workplace" | "checkRuns" | "ground">;

const RUNS_MAX = 4;
const ADVISED_MAX = 2;
const INSTEAD_CHARS_MAX = 160;
const COMMAND_CHARS_MAX = 80;
const GROUND_CHARS_MAX = 120;
const BEHIND_CHARS_MAX = 40;
/** Over all runs of a line. */
const COVERS_CHARS_MAX = 400;

function begun({ call }: HookEvent<"PreToolUse">, { checkRuns, workplace, ground }: Known): Ruling {
  if (checkRuns.length === 0 || call === "") return pass;
  const { root, digest } = workplace;
  const runs = withinBounds(
    checkRuns
      .slice(0, RUNS_MAX)
      .map((run) => brief(onGround(run, ground.changed?.name), checkRuns.length <= ADVISED_MAX)),
  );
  const files = digest && "files" in digest ? digest.files : "";
  const searched = ground.searched !== undefined && { searched: ground.searched };
  return remember({ record: "check", do: "begin", id: call, root, files, runs, ...searched });
}

/** A check proves nothing if something it stands on was changed in this session. */
function onGround({ covers, ...run }: BegunCheck, changed: string | undefined): BegunCheck {
  if (changed === undefined) return { ...run, ...(covers && { covers }) };
  if (run.how !== "whole") return run;
  return { ...run, how: "unproven", why: "ground", ground: clip(changed, GROUND_CHARS_MAX) };
}

function withinBounds(runs: readonly BegunCheck[]): readonly BegunCheck[] {
  const isShort = JSON.stringify(runs.map(({ covers }) => covers ?? [])).length <= COVERS_CHARS_MAX;
  return isShort ? runs : runs.map(({ covers: _, ...run }) => run);
}

/** A record that does not fit leads to a refusal, so long command lines are cut and the advice is dropped. */
function brief({ instead = "", ...run }: BegunCheck, isAdvised: boolean): BegunCheck {
  const advice = isAdvised && instead !== "" && instead.length <= INSTEAD_CHARS_MAX ? { instead } : {};
  const behind = run.behind === undefined ? {} : { behind: clip(run.behind, BEHIND_CHARS_MAX) };
  return { ...run, command: clip(maskText(run.command), COMMAND_CHARS_MAX), ...behind, ...advice };
}

interface End {
  readonly call: string;
  /** Undefined when it failed and the exit code is unknown. */
  readonly exitCode: number | undefined;
}

/** Undefined while it still runs or when it was interrupted. */
function endOf(event: HookEvent<"PostToolUse" | "PostToolUseFailure" | "UserPromptSubmit">): End | undefined {
  switch (event.name) {
    case "PostToolUse": {
      const exitCode = event.failed ? undefined : event.answered ? 1 : 0;
      return event.background ? undefined : { call: event.call, exitCode };
    }
    case "PostToolUseFailure": {
      const isNone = event.interrupted || event.failed === false;
      return isNone ? undefined : { call: event.call, exitCode: event.exitCode || undefined };
    }
    case "UserPromptSubmit":
      return event.notification && endOfTask(event.notification);
  }
}

/** The agent can influence the text of a notification, so success is read from its status only. */
function endOfTask({ call, status, exitCode }: TaskNotification): End {
  return { call, exitCode: status === "completed" ? (exitCode ?? 0) : exitCode || undefined };
}

function ended({ call, exitCode }: End, { session, workplace, ground }: Known): Ruling {
  const open = own(session.calls, call);
  if (!open?.check || call === "") return pass;
  const { digest } = workplace;
  const seen = digest && "tree" in digest ? { tree: digest.tree, files: digest.files } : { tree: "", files: "" };
  const { check } = open;
  const isSwapped = !open.install && check.searched !== undefined && check.searched !== ground.searched;
  const changed = ground.changed?.name ?? (isSwapped && ground.searched !== undefined ? SEARCHED : undefined);
  const runs = check.runs.map((run) => onGround(run, changed));
  const end = {
    record: "check",
    do: "end",
    id: call,
    root: check.root,
    startedAt: open.at,
    ...seen,
    ...(exitCode !== undefined && { exitCode }),
    runs: runs.map((run) => endedCheck(run, exitCode, check, seen.files)),
  } as const;
  const lost = session.shown.includes(TOLD) ? undefined : runs.find(({ how }) => how === "unproven");
  if (!lost) return remember(end);
  return { ...remember(end, { record: "session", do: "show", notice: TOLD }), notes: [uncounted(lost)] };
}

/** Shown once per session; the end of the turn reports it again. */
const TOLD = "a check that does not count";

function endedCheck(
  { how, redefined, covers, behind, ...run }: BegunCheck,
  exitCode: number | undefined,
  { files }: Checking,
  now: string,
): EndedCheck {
  // Neither a pass nor a failure is known.
  if (behind !== undefined && exitCode !== 0) return { ...run, outcome: "unproven", why: "reader" };
  // A run in one package of the project is a run on a part, like one on some of its files.
  const isPart = run.why === "elsewhere" && covers !== undefined && exitCode === 0;
  const outcome = how === "whole" ? outcomeOf(redefined === true, exitCode, files, now) : isPart ? "partial" : how;
  return { ...run, outcome, ...(covers && exitCode === 0 && !redefined && { covers }) };
}

/** Passes only if no files changed during the run and the check is still the one the session began with. */
function outcomeOf(isRedefined: boolean, exitCode: number | undefined, before: string, after: string): CheckOutcome {
  if (exitCode !== 0) return "failed";
  if (isRedefined) return "redefined";
  return before !== "" && after !== "" && before !== after ? "changed" : "passed";
}
