import { approvePlaybook } from "../../app/actions/playbook-approve.ts";
import { checkPlaybook } from "../../app/actions/playbook-check.ts";
import { importPlaybook, newPlaybook } from "../../app/actions/playbook-files.ts";
import { growPlaybook } from "../../app/actions/playbook-grow.ts";
import { refreshStateFile } from "../../app/actions/state-file.ts";
import { agentHere, type Demand } from "../../app/admission.ts";
import type { Person } from "../../app/person.ts";
import { Problem } from "../../app/problem.ts";
import { here } from "../../app/project.ts";
import { changeSize } from "../../app/queries/change-size.ts";
import { planAtWork } from "../../app/queries/plan-at-work.ts";
import { planHere, plansHere } from "../../app/queries/plan-standing.ts";
import { type PlaybookFile, playbookNamed, workRoot } from "../../app/queries/playbooks.ts";
import { didYouMean } from "../../lib/did-you-mean.ts";
import { inline, type Language } from "../../lib/text.ts";
import { lintView, playbookView } from "../../views/playbook.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { say, sayCaution, sayDone, sayJson, sayWords } from "../print.ts";
import { CLOSE_VERBS } from "./close-verbs.ts";
import { printChecked, printFindings, printPlaybook, printSize, progressIn, sayNotes } from "./print.ts";
import { APPROVED, MADE, STATUS } from "./words.ts";
import { WORK_VERBS } from "./work-verbs.ts";

const DOORS: Readonly<Record<string, Demand["need"]>> = {
  approve: "authority",
  adopt: "authority",
  close: "presence",
};

/** For these an agent's word is only a claim, and a person's counts. */
function doorForBoth(verb: string | undefined, words: readonly string[]): Demand["need"] | undefined {
  const isWord = verb === "check" || (verb === "step" && words.at(-1) === "done");
  return isWord && agentHere() === undefined ? "authority" : undefined;
}

interface Given {
  readonly json: boolean;
  readonly strict: boolean;
  readonly as: string | undefined;
  readonly since: string | undefined;
  readonly step: string | undefined;
  readonly force: string | undefined;
  readonly pr: boolean;
  readonly merge: boolean;
}

type Verb = (words: readonly string[], given: Given, person: Person) => number | Promise<number>;

export const playbook = defineCommand({
  name: "playbook",
  errorsAsJson: true,
  summary: "Shows, checks and makes plans: files with steps, criteria and the commands that prove them.",
  words:
    "[status | lint | new | grow | import | size | review | approve | adopt | start | step | check | close | archive] [name or file]",
  wordsMax: 3,
  glossary: {
    title: "Verbs",
    rows: [
      ["status", "the steps of a plan, and what it claims that nothing proves"],
      ["lint", "what is wrong with a plan, by line, and a better wording"],
      ["new", "an empty playbook in .sekisho/playbooks/"],
      ["grow", "a draft from what the running session has done since your last request"],
      ["import", "a playbook from a plan of another tool (Markdown, or plan.json)"],
      ["approve", "you have read it: it counts as it is now (people only)"],
      ["adopt", "the same for a plan of another tool, where it lies: nothing is converted (people only)"],
      ["review", "what a reviewer said about a plan, and what the strict rules find"],
      ["start", "work by an approved plan begins here"],
      ["step", "`step 2`: work is on step 2; `step 2 done`: you say it is done (an agent's word needs a critic)"],
      ["check", "runs the commands of a plan, or of one step (--step), and records what they proved"],
      ["close", "the work is over: it goes to the archive, and nothing is active (people only)"],
      ["archive", "the same for a plan of which every step is proven; an agent may run it"],
      ["size", "how large the change in this work tree is, and what it needs: free, S, M or L"],
    ],
  },
  options: {
    strict: { type: "boolean", about: "lint: also what the playbook framework demands (5W1H, p_final, validations)" },
    since: {
      type: "string",
      hint: "COMMIT",
      about: "size: measure from this commit, or from your last `request` (default: HEAD)",
    },
    step: { type: "string", hint: "ID", about: "check: only this step" },
    force: { type: "string", hint: "REASON", about: "close: although steps are not proven; the reason is recorded" },
    pr: { type: "boolean", about: "close: push the branch and open a pull request first (plan.publish allows it)" },
    merge: { type: "boolean", about: "close: also let it be merged" },
    as: { type: "string", hint: "NAME", about: "import: the name of the new playbook" },
    ...jsonOption,
  },
  examples: [
    "sekisho playbook new button",
    "sekisho playbook grow button",
    "sekisho playbook lint button",
    "sekisho playbook status specs/001-login/tasks.md",
    "sekisho playbook import plan/playbook-login.md --as login",
    "sekisho playbook adopt specs/001-login/tasks.md",
    "sekisho playbook size --since main",
    "sekisho playbook size --since request --json",
    "sekisho playbook close button --pr",
    'sekisho playbook close button --force "the customer withdrew the request"',
  ],
  door(_, [verb, ...words]) {
    const need = DOORS[verb ?? ""] ?? doorForBoth(verb, words);
    return need && { verb: `playbook ${verb}`, need };
  },
  async run(
    { strict = false, as, since, step, force, pr = false, merge = false, json = false },
    [verb = "status", ...words],
    person,
  ) {
    const run = VERBS[verb as keyof typeof VERBS];
    if (!Object.hasOwn(VERBS, verb)) throw new Problem(unknown(verb));
    const code = await run(words, { strict, as, since, step, force, pr, merge, json }, person);
    refreshStateFile();
    return code;
  },
});

const VERBS = {
  status([name], { json }) {
    const place = here();
    const root = workRoot(place);
    const { views, problems } =
      name === undefined
        ? plansHere(place, root)
        : { views: [planHere(place, root, playbookNamed(root, name))], problems: [] };
    if (!json) for (const problem of problems) sayCaution(problem);
    if (json) sayJson(views);
    else if (views.length === 0 && problems.length === 0) sayWords(STATUS.none[place.language]);
    else for (const view of views) printPlaybook(view, place.language);
    return 0;
  },
  lint([name], { json, strict }) {
    const place = here();
    const file = playbookNamed(workRoot(place), name);
    const findings = lintView(file, place.language, { strict });
    if (json) sayJson({ path: file.path, findings });
    else printFindings(file.path, findings, place.language);
    return findings.some(({ severity }) => severity === "error") ? 2 : 0;
  },
  new([name], { json }) {
    if (name === undefined) throw new Problem("Give it a name, for example `sekisho playbook new button`.");
    const place = here();
    const { path } = newPlaybook(place, workRoot(place), name);
    if (json) sayJson({ path });
    else {
      sayDone(path);
      say();
      sayWords(MADE.new(shortName(path), place.settings.settings.plan.review === "path")[place.language]);
    }
    return 0;
  },
  grow([name], { json }) {
    if (name === undefined) throw new Problem("Give it a name, for example `sekisho playbook grow button`.");
    const place = here();
    const { path, size, commands } = growPlaybook(workRoot(place), name);
    if (json) sayJson({ path, size, commands });
    else {
      sayDone(path);
      printSize(size, place.language);
      say();
      sayWords(MADE.grown(shortName(path))[place.language]);
    }
    return 0;
  },
  import([file], { json, as }) {
    if (file === undefined) throw new Problem("Give a file. See `sekisho playbook --help`.");
    const place = here();
    const root = workRoot(place);
    const source = playbookNamed(root, file);
    const { path, notes } = importPlaybook(root, source, as);
    const { claims } = playbookView(source);
    if (json) sayJson({ path, notes, claims });
    else {
      sayNotes(path, notes, claims, place.language);
      say();
      sayWords(MADE.imported(shortName(path))[place.language]);
    }
    return 0;
  },
  approve([name], { json }, person) {
    const place = here();
    const root = workRoot(place);
    const file = playbookNamed(root, name);
    approvePlaybook(place, root, file, person);
    if (json) sayJson({ path: file.path, approved: true });
    else sayApproved(file, place.language);
    return 0;
  },
  adopt([name], { json }, person) {
    if (name === undefined) throw new Problem("Give a file, for example specs/001-login/tasks.md.");
    const place = here();
    const root = workRoot(place);
    const file = playbookNamed(root, name);
    if (file.path.startsWith("/")) throw new Problem(`${file.path} is not in this work tree.`);
    if (!file.path.endsWith(".md"))
      throw new Problem(`${file.path} is no Markdown. \`sekisho playbook import\` makes a playbook of it.`);
    approvePlaybook(place, root, file, person);
    const view = planHere(place, root, file);
    if (json) sayJson(view);
    else {
      sayDone(APPROVED.adopted(file.path, view.dialect, view.steps.length, view.boxes)[place.language]);
      printPlaybook(view, place.language);
    }
    return 0;
  },
  async check([name], { json, step }, person) {
    const place = here();
    const root = workRoot(place);
    const file = playbookNamed(root, name ?? planAtWork(place, root));
    const checked = await checkPlaybook(
      place,
      root,
      file,
      { step, ...(!json && { progress: progressIn(place.language) }) },
      person,
    );
    if (json) sayJson(checked);
    else printChecked(checked, place.language);
    return checked.isGood ? 0 : 2;
  },
  ...WORK_VERBS,
  ...CLOSE_VERBS,
  size(_, { json, since }) {
    const place = here();
    const size = changeSize(place, workRoot(place), since);
    if (json) sayJson(size);
    else printSize(size, place.language);
    return 0;
  },
} as const satisfies Record<string, Verb>;

/** What lint objects to is approved with the rest, so the person hears of it. */
function sayApproved(file: PlaybookFile, language: Language): void {
  sayDone(APPROVED.plan(file.path, file.playbook.steps.length)[language]);
  const errors = lintView(file, language, { strict: false }).filter(({ severity }) => severity === "error").length;
  if (errors > 0) sayCaution(APPROVED.errors(errors, shortName(file.path))[language]);
  sayWords(APPROVED.next(shortName(file.path))[language]);
}

/** As commands take it: the name of a playbook of ours, or the path of another plan. */
function shortName(path: string): string {
  return path.replace(/^\.sekisho\/playbooks\/([^/]+)\.md$/, "$1");
}

function unknown(verb: string): string {
  const verbs = Object.keys(VERBS);
  const meant = didYouMean(verb, verbs);
  const all = meant === "" ? ` They are: ${verbs.join(", ")}.` : "";
  return `There is no \`sekisho playbook ${inline(verb, 40)}\`${meant}.${all} See \`sekisho playbook --help\`.`;
}
