import { importPipeline } from "../../app/actions/pipeline-import.ts";
import type { Person } from "../../app/person.ts";
import { Problem } from "../../app/problem.ts";
import { here } from "../../app/project.ts";
import {
  nameOf,
  type PipelineFile,
  pipelineFileAt,
  pipelineNamed,
  pipelineSchema,
  pipelinesHere,
  soundPipeline,
  textOfPipeline,
} from "../../app/queries/pipelines/pipelines.ts";
import { chosenTier } from "../../app/queries/pipelines/tier-choice.ts";
import { workRoot } from "../../app/queries/playbooks.ts";
import { didYouMean } from "../../lib/did-you-mean.ts";
import { inline } from "../../lib/text.ts";
import { pipelineRow, planView, problemViews, SCHEMA_VERSION } from "../../views/pipeline.ts";
import { GRAPH_FORMATS, graphOf } from "../../views/pipeline-graph.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { say, sayDone, sayJson, sayWords } from "../print.ts";
import { printList, printPlan, printProblems } from "./print.ts";
import { answer, cancel, resume, runPlan, status, type Wish } from "./run-verbs.ts";
import { CHECKED, IMPORTED } from "./words.ts";

interface Given extends Wish {
  readonly tier: string | undefined;
  readonly files: string | undefined;
  readonly format: string | undefined;
  readonly as: string | undefined;
  readonly "dry-run": boolean;
}

type Verb = (words: readonly string[], given: Given, person: Person) => number | Promise<number>;

export const pipeline = defineCommand({
  name: "pipeline",
  errorsAsJson: true,
  summary: "Shows, checks and draws pipelines: the steps of a kind of work, with gates, retries and budgets.",
  words:
    "[list | validate | graph | run | status | resume | approve | reject | cancel | import | show | schema] [name, file or run…]",
  wordsMax: 200,
  glossary: {
    title: "Verbs",
    rows: [
      ["list", "the pipelines of this project, and those that come with Sekisho"],
      ["validate", "everything that is wrong with a pipeline, by line, and what to write instead"],
      ["graph", "a picture of a tier"],
      ["run", "does the work of a tier, step by step, with headless agents; --dry-run only shows it"],
      ["status", "the runs, or one run with its steps"],
      ["resume", "goes on with a run that was stopped, was killed, or waited for an answer"],
      ["approve, reject", "your answer to a run that waits for a person"],
      ["cancel", "ends a run and its agents; its results are kept"],
      ["import", "a pipeline from a command chain of multi-agent-shogun"],
      ["show", "the text of a pipeline, to copy it into .sekisho/pipelines/"],
      ["schema", "the JSON Schema of pipeline files, for editors"],
    ],
  },
  options: {
    tier: { type: "string", hint: "NAME", about: "graph, run: XS, S, M, L … instead of the tier that fits the change" },
    files: {
      type: "string",
      hint: "NUMBER",
      about: "graph, run: how many files the work will change, to find the tier",
    },
    format: { type: "string", hint: "FORMAT", about: "graph: ascii or mermaid" },
    "dry-run": { type: "boolean", about: "run: show what would be done, and do nothing" },
    task: { type: "string", hint: "TEXT", about: "run: what the agents are to do" },
    input: { type: "string", hint: "NAME=VALUE", multiple: true, about: "run: a value that the pipeline asks for" },
    "max-usd": { type: "string", hint: "AMOUNT", about: "run: stop before it costs more" },
    snapshot: { type: "boolean", about: "run: keep uncommitted changes as a commit of the run first" },
    as: { type: "string", hint: "NAME", about: "import: the name of the new pipeline" },
    ...jsonOption,
  },
  examples: [
    "sekisho pipeline list",
    "sekisho pipeline validate .sekisho/pipelines/release.yaml",
    "sekisho pipeline graph new-feature --tier M --format mermaid",
    "sekisho pipeline run bug-fix --dry-run",
    'sekisho pipeline run bug-fix --task "Fix the rounding of prices" --max-usd 2',
    "sekisho pipeline resume 1f2e3d4c",
  ],
  // An agent would start agents that nobody asked for; it works in its own session instead.
  door(_, [verb]) {
    if (verb === "run" || verb === "resume") return { verb: `pipeline ${verb}`, need: "presence" };
    return verb === "approve" || verb === "reject" ? { verb: `pipeline ${verb}`, need: "authority" } : undefined;
  },
  run({ json = false, "dry-run": dry = false, snapshot = false, ...rest }, [verb = "list", ...words], person) {
    const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (!run)
      throw new Problem(
        `There is no verb "${inline(verb)}"${didYouMean(verb, Object.keys(VERBS))}. See \`sekisho pipeline --help\`.`,
      );
    return run(words, { ...rest, json, "dry-run": dry, snapshot }, person);
  },
});

const NAME_ONE = "Name one pipeline. `sekisho pipeline list` shows all.";

const VERBS: Readonly<Record<string, Verb>> = {
  list(words, { json }) {
    if (words.length > 0) throw new Problem("`sekisho pipeline list` takes no name.");
    const place = here();
    const files = pipelinesHere(workRoot(place));
    const names = files.map((file) => nameOf(file).toUpperCase().replace(/-/g, "_"));
    const rows = files.map((file, at) => pipelineRow(file, nameOf(file), names.indexOf(names[at] ?? "") < at));
    if (json) sayJson({ schema_version: SCHEMA_VERSION, pipelines: rows });
    else printList(rows, place.language);
    return 0;
  },
  validate(words, { json }) {
    const place = here();
    const root = workRoot(place);
    const files = words.length === 0 ? pipelinesHere(root) : words.map((word) => fileFor(root, word));
    const views = files.map((file) => ({ file, problems: problemViews(file, place.language) }));
    const all = views.flatMap(({ problems }) => problems);
    const errors = all.filter(({ severity }) => severity === "error").length;
    if (json) {
      const told = views.map(({ file, problems }) => ({ ...pipelineRow(file, nameOf(file), false), problems }));
      sayJson({ schema_version: SCHEMA_VERSION, errors, warnings: all.length - errors, files: told });
    } else {
      for (const { file, problems } of views) {
        if (problems.length > 0) printProblems(problems, place.language);
        else sayDone(CHECKED.clean(file.shown, tiersOf(file))[place.language]);
      }
      if (all.length > 0) sayWords(CHECKED.total(errors, all.length - errors)[place.language]);
    }
    return errors > 0 ? 2 : 0;
  },
  graph([name, ...more], { json, format = "ascii", ...wish }) {
    const known = GRAPH_FORMATS.find((one) => one === format);
    if (!known) throw new Problem(`There is no format "${inline(format)}". Possible: ${GRAPH_FORMATS.join(", ")}.`);
    const { plan } = planned(name, more, wish);
    const graph = graphOf(plan, known);
    if (json)
      sayJson({ schema_version: SCHEMA_VERSION, pipeline: plan.pipeline.name, tier: plan.tier, format: known, graph });
    else say(graph);
    return 0;
  },
  run([name, ...more], given) {
    const { place, plan, by } = planned(name, more, given);
    if (!given["dry-run"]) return runPlan(place, workRoot(place), plan, given);
    if (given.json) sayJson({ schema_version: SCHEMA_VERSION, dry_run: true, chosen_by: by, ...planView(plan) });
    else printPlan(planView(plan), by, place.language);
    return 0;
  },
  resume,
  status,
  cancel,
  approve: answer("approve"),
  reject: answer("reject"),
  import([file, ...more], { json, as }) {
    if (file === undefined || more.length > 0)
      throw new Problem("Give one file: `sekisho pipeline import chain.yaml`.");
    const place = here();
    const made = importPipeline(workRoot(place), file, as);
    if (json) sayJson({ schema_version: SCHEMA_VERSION, ...made });
    else {
      sayDone(IMPORTED.done(made.path, made.steps)[place.language]);
      if (made.audits > 0) sayWords(IMPORTED.audits(made.audits)[place.language]);
      if (made.quoted.length > 0) sayWords(IMPORTED.quoted(made.quoted)[place.language]);
      sayWords(IMPORTED.next(made.name)[place.language]);
    }
    return 0;
  },
  show([name, ...more]) {
    if (name === undefined || more.length > 0) throw new Problem(NAME_ONE);
    process.stdout.write(textOfPipeline(fileFor(workRoot(here()), name)));
    return 0;
  },
  schema(words) {
    if (words.length > 0) throw new Problem("`sekisho pipeline schema` takes no name.");
    sayJson(pipelineSchema());
    return 0;
  },
};

/** A path first, because a person who names a file means that file. */
function fileFor(root: string, word: string): PipelineFile {
  return /[./]/.test(word) ? pipelineFileAt(root, word) : pipelineNamed(root, word);
}

function tiersOf({ pipeline: found }: PipelineFile): string {
  return (found?.tiers ?? []).map(({ name, steps }) => `${name} (${steps.length})`).join(", ");
}

function planned(name: string | undefined, more: readonly string[], { tier, files }: Pick<Given, "tier" | "files">) {
  if (name === undefined || more.length > 0) throw new Problem(NAME_ONE);
  const place = here();
  const root = workRoot(place);
  const found = soundPipeline(fileFor(root, name));
  const count = files === undefined ? undefined : Number(files);
  if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0)) throw new Problem("--files takes a number.");
  return { place, ...chosenTier(place, root, found, { tier, files: count }) };
}
