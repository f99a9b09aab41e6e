import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../../../../test/temp.ts";
import { problemViews } from "../../../views/pipeline.ts";
import { pipelineAt, pipelineIn } from "./read-file.ts";

const FIXTURES = join(import.meta.dirname, "../../../../test/fixtures/pipelines");
const SHIPPED = join(import.meta.dirname, "../../../../plugin/pipelines");
const fixture = (name: string): string => readFileSync(join(FIXTURES, name), "utf8");

/** `line rule`, in order. */
function found(text: string): readonly string[] {
  return pipelineIn(text, "x.yaml").problems.map(({ line, rule }) => `${line} ${rule}`);
}

function stepIn(text: string, id: string) {
  const step = pipelineIn(text, "x.yaml").pipeline?.steps.find((one) => one.id === id);
  if (!step) throw new Error(`there is no step ${id}`);
  return step;
}

const HEAD = "name: X\nsteps:\n";
const step = (fields: string): string => `${HEAD}  a:\n    description: work\n    ${fields}\n`;

describe("a pipeline by the names that people know", () => {
  it("PL-4 steps as a list with id, run, prompt, needs, if, retry and gate", () => {
    const { pipeline, problems } = pipelineIn(fixture("aliases.yaml"), "x.yaml");
    expect(problems).toEqual([]);
    expect(pipeline?.tiers).toEqual([{ name: "default", steps: ["build", "review", "approve", "publish"] }]);
    expect(pipeline?.inputs[0]).toMatchObject({ name: "channel", options: ["beta", "stable"], default: "beta" });
    const [build, review, approve, publish] = pipeline?.steps ?? [];
    expect(build).toMatchObject({
      commands: ["npm --version"],
      timeoutSeconds: 900,
      retry: { max: 2, isWritten: true, intervalSeconds: 1.5, onError: "transient" },
    });
    expect(review).toMatchObject({
      dependsOn: ["build"],
      allowedTools: ["Read", "Grep"],
      budget: { maxUsd: 0.5, maxTokens: 90_000, maxAgents: 2, maxRuntimeSeconds: 5400 },
    });
    expect(approve).toMatchObject({
      requiresUser: true,
      gate: { type: "human", failAction: "stop", options: ["approve", "reject"] },
      when: { kind: "expression" },
    });
    expect(publish).toMatchObject({ commands: ["npm --version", "node --version"], optional: true });
  });

  it("PL-4 every field of a step", () => {
    const text = `${HEAD}  a:
    skills: [one, { skill: two, model: opus }]
    model: haiku
    max_model: opus
    type: gate
    requires_user: true
    args: --deep
    inputs: [a]
    outputs: { report: a text }
    checks: [test, { schema_validation: the schema }]
    commands: "node --version"
    description: d
    principles: p
    tdd_phase: red
    test: it fails
    scope: [src/**/*.ts, only what is needed]
    batch_order: [{ name: Data, parallel: true, items: [x, y] }]
    items: [z]
    atomic: true
    optional: true
    trigger_condition: 画面があるとき
    fallback: null
    gate: { fail_action: back to the spec }
    retry: { max: 2, fallback: ask, auto_fix: true, auto_fix_command: node --version, interval_seconds: 15 }
    compensation: { action: again, revert_to: a }
    depends_on: []
`;
    expect(found(text)).toEqual([]);
    expect(stepIn(text, "a")).toMatchObject({
      skills: [
        { skill: "one", model: null },
        { skill: "two", model: "opus" },
      ],
      ...{ args: ["--deep"], outputs: ["report: a text"], tdd: true, tddPhase: "red", test: "it fails" },
      checks: [
        { name: "test", by: "evidence", checks: ["test"] },
        { name: "schema_validation", by: "agent" },
      ],
      ...{ principles: ["p", "only what is needed"], scope: ["src/**/*.ts"], atomic: true, optional: true },
      batches: [
        { name: "Data", parallel: true, items: ["x", "y"] },
        { name: "items", parallel: false, items: ["z"] },
      ],
      when: { kind: "judged", source: "画面があるとき" },
      retry: { max: 2, fallback: "ask", autoFix: true, autoFixCommand: "node --version", intervalSeconds: 15 },
      ...{ compensation: { action: "again", revertTo: "a" }, dependsOn: [], fallback: null },
    });
  });

  it("PL-3 anchors, merge keys, CRLF and a byte order mark are read", () => {
    const text = `\uFEFFname: X\nsteps:\n  a: &base\n    description: one\n    retry: 2\n  b:\n    <<: *base\n    description: two\n`;
    for (const one of [text, text.replace(/\n/g, "\r\n")]) {
      expect(found(one)).toEqual([]);
      expect(stepIn(one, "b")).toMatchObject({ description: "two", retry: { max: 2 } });
    }
  });

  it("PL-3 the digest is that of the definition, not of its notation", () => {
    const one = pipelineIn("name: X\nsteps: [{id: a, prompt: p, retry: 1}]\n", "one.yaml").pipeline;
    const same = pipelineIn(
      "# other\nname: X\nsteps:\n  a:\n    retry: {max_attempts: 1}\n    prompt: p\n",
      "two.yaml",
    ).pipeline;
    const other = pipelineIn("name: X\nsteps: [{id: a, prompt: q, retry: 1}]\n", "one.yaml").pipeline;
    expect(one?.digest).toBe(same?.digest);
    expect(one?.digest).not.toBe(other?.digest);
  });
});

describe("PL-5 every problem, with its line", () => {
  it.each([
    ["a misspelt key", step("modle: opus"), ["5 misspelt-key"]],
    ["an unknown key", step("colour: red"), ["5 unknown-key"]],
    ["a key of another format", step("bash: ls"), ["5 foreign-key"]],
    ["two names of one field", step("when: tier == 'default'\n    if: tier == 'default'"), ["6 said-twice"]],
    ["an unknown model", step("model: gpt"), ["5 unknown-model"]],
    ["a model above the highest", step("model: opus\n    max_model: sonnet"), ["5 above-max"]],
    [
      "a model above that of the pipeline",
      `max_model: haiku\n${step("skills: [{skill: s, model: opus}]")}`,
      ["6 above-max"],
    ],
    ["fewer than no retries", step("retry: { max: -1 }"), ["5 negative-retry"]],
    ["an unknown step in a tier", `tiers: { S: [a, b] }\n${step("type: work")}`, ["1 unknown-step"]],
    ["an empty tier", `tiers: { S: [a], M: [] }\n${step("type: work")}`, ["1 empty-tier"]],
    ["a step twice in a tier", `tiers: { S: [a, a] }\n${step("type: work")}`, ["1 listed-twice"]],
    ["a step in no tier", `tiers: { S: [a] }\n${step("type: work")}  b: { prompt: p }\n`, ["7 never-run"]],
    ["a dependency on nothing", step("depends_on: [b]"), ["5 unknown-step"]],
    ["a way back to nothing", step("compensation: { revert_to: b }"), ["5 unknown-step"]],
    [
      "a way forward after a failure",
      `${step("compensation: { revert_to: b }")}  b: { prompt: p }\n`,
      ["5 revert-forward"],
    ],
    [
      "a way back that a tier does not have",
      `tiers: { S: [b], M: [a, b] }\n${step("type: work")}  b: { prompt: p, compensation: { revert_to: a } }\n`,
      ["7 revert-elsewhere"],
    ],
    ["a dependency on a later step", `${step("depends_on: [b]")}  b: { prompt: p }\n`, ["5 out-of-order"]],
    ["a step that waits for itself", step("depends_on: [a]"), ["5 cycle"]],
    ["a gate that looks at nothing", step("type: gate"), ["3 gate-of-nothing"]],
    [
      "a person's gate without a person",
      step("type: gate\n    requires_user: false\n    gate: human"),
      ["3 gate-of-nobody"],
    ],
    ["a misspelt type of gate", step("type: gate\n    checks: test\n    gate: humn"), ["7 not-one-of"]],
    ["a fix before a red test", step("tdd_phase: green"), ["5 fix-before-red"]],
    ["a budget of nothing", step("budget: { max_usd: 0 }"), ["5 no-budget"]],
    ["a budget above the run's", `budget: { max_usd: 1 }\n${step("budget: { max_usd: 2 }")}`, ["6 budget-above-run"]],
    [
      "models that fall",
      `${HEAD}  a: { prompt: p }\nglobal: { model_fallback: { order: [opus, haiku] } }\n`,
      ["4 order-falls"],
    ],
    ["a condition that cannot be read", step("when: tier = 'S'"), ["5 bad-condition"]],
    ["a condition about nothing", step("when: steps.z.status == 'passed'"), ["5 unknown-in-condition"]],
    ["a model's words compared with a literal", step("when: steps.a.output == 'yes'"), ["5 unknown-in-condition"]],
    ["a tier that does not exist", step("when: tier == 'S'"), ["5 compares-outside"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of another runner.
    ["a value in the text of a shell line", step("run: 'echo ${{ inputs.x }}'"), ["5 spliced-value"]],
    ["a shell line that cannot be read", step('run: "echo \'a"'), ["5 unreadable-command"]],
    ["a length of time that is none", step("timeout: soon"), ["5 not-a-time"]],
    ["yes for true", step("optional: yes"), ["5 not-a-flag"]],
    ["no name", "steps:\n  a: { prompt: p }\n", ["1 no-name"]],
    ["no steps", "name: X\n", ["1 no-steps"]],
    ["a step without an id", "name: X\nsteps:\n  - run: ls\n", ["2 no-steps", "3 no-id"]],
    ["two steps with one id", "name: X\nsteps:\n  - {id: a, run: ls}\n  - {id: a, run: ls}\n", ["4 step-twice"]],
    ["an id that leaves its directory", "name: X\nsteps:\n  ../a: { prompt: p }\n", ["2 no-steps", "3 bad-id"]],
  ])("%s", (_, text, problems) => {
    expect(found(text)).toEqual(problems);
  });

  it("all at once, each with what to write instead, in both languages", () => {
    const text = `${HEAD}  a:\n    modle: opus\n    type: gate\n  b:\n    depends_on: [a, c]\n    retry: x\n`;
    const { problems, pipeline } = pipelineIn(text, "x.yaml");
    const seen = { shown: "x.yaml", origin: "project", pipeline, problems };
    expect(problemViews(seen, "en").map(({ at, says }) => `${at} ${says}`)).toEqual([
      "x.yaml:3 Gate a looks at nothing, so anything would pass.",
      "x.yaml:4 “modle” is not a field here.",
      "x.yaml:6 b does not say what is to be done.",
      "x.yaml:7 There is no step “c”.",
      "x.yaml:8 “x” is not a number of further tries (0 or more).",
    ]);
    expect(problemViews(seen, "en")[1]?.better).toBe("Did you mean model?");
    expect(problemViews(seen, "ja")[1]?.better).toBe("もしかして: model");
  });

  it("no circle is missed, and each is reported once", () => {
    const text = `${HEAD}  a: { prompt: p, depends_on: [c] }\n  b: { prompt: p, depends_on: [a] }\n  c: { prompt: p, depends_on: [b] }\n`;
    const { problems } = pipelineIn(text, "x.yaml");
    expect(problems.filter(({ rule }) => rule === "cycle").map(({ word }) => word)).toEqual(["a → c → b → a"]);
  });
});

describe("PL-5 a file that is no pipeline", () => {
  it.each([
    ["nothing", "", ["1 empty"]],
    ["comments alone", "# a\n\n# b\n", ["1 empty"]],
    ["a word", "hello", ["1 not-a-map"]],
    ["a list", "- a\n- b\n", ["1 not-a-map"]],
    ["bytes", "a\0b", ["1 binary"]],
    ["a tab", "name: X\nsteps:\n\ta: 1\n", ["3 tab"]],
    ["a key twice", "name: X\nname: Y\nsteps: { a: { prompt: p } }\n", ["2 key-twice"]],
    ["a list as a key", "name: X\nsteps: { a: { prompt: p } }\n? [a]\n: b\n", ["3 key-of-values"]],
    ["a second document", "name: X\nsteps: { a: { prompt: p } }\n---\nb: 1\n", ["3 documents"]],
    ["an alias of nothing", "name: *x\nsteps: { a: { prompt: p } }\n", ["1 no-anchor", "1 no-name"]],
    ["an alias of itself", "name: X\nsteps: &a { a: *a }\n", ["2 too-deep"]],
    ["a bracket that stays open", "name: X\nsteps: {", ["2 yaml"]],
  ])("%s", (_, text, problems) => {
    expect([...new Set(found(text))].filter((one) => problems.includes(one))).toEqual(problems);
  });

  it.each([
    ["brackets without end", "[".repeat(20_000)],
    ["braces without end", "{a: ".repeat(5_000)],
    ["dashes without end", "- ".repeat(5_000)],
    [
      "aliases that double",
      `a0: &a0 x\n${Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join("\n")}`,
    ],
    [
      "merges that double",
      `a0: &a0 {k: 1}\n${Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} {<<: [*a${at}, *a${at}], k${at}: *a${at}}`).join("\n")}`,
    ],
  ])("%s is refused, not followed", (_, text) => {
    expect(pipelineIn(text, "x.yaml").problems.map(({ rule }) => rule)).toContain(
      /^[[{-]/.test(text) ? "too-deep" : "too-much",
    );
  });

  it("a directory, a pipe and a huge file are named for what they are", () => {
    const directory = tempDirectory("pipelines");
    const at = (name: string): string => join(directory, name);
    mkdirSync(at("dir.yaml"));
    execFileSync("mkfifo", [at("pipe.yaml")]);
    writeFileSync(at("huge.yaml"), "name: X\n");
    truncateSync(at("huge.yaml"), 2 ** 40);
    const rules = ["dir.yaml", "pipe.yaml", "huge.yaml"].map((name) => pipelineAt(at(name), name)?.problems[0]?.rule);
    expect(rules).toEqual(["unreadable", "unreadable", "too-long"]);
    expect(pipelineAt(at("gone.yaml"), "gone.yaml")).toBeUndefined();
  });

  it("files of other runners get a line for each thing that is not ours", () => {
    expect(found(fixture("nodes.yaml"))).toEqual(["1 no-steps", "3 foreign-key", "4 foreign-key", "5 foreign-key"]);
    expect(found(fixture("hats.yml"))).toEqual([
      ...["1 foreign-key", "1 no-name", "1 no-steps"],
      ...["4 unknown-key", "5 foreign-key"],
    ]);
    expect(found(fixture("chain.yaml"))).toContain("6 yaml");
  });
});

describe("PL-5 whatever a file becomes, the answer is a pipeline or problems with lines", () => {
  const texts = [FIXTURES, SHIPPED].flatMap((place) =>
    readdirSync(place)
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => readFileSync(join(place, name), "utf8")),
  );
  const PIECES = [
    "\t",
    "  ",
    "- ",
    ": ",
    "{",
    "[",
    "]",
    "}",
    "&a ",
    "*a ",
    "<<: ",
    "'",
    '"',
    "|",
    "---\n",
    "\n",
    "\u2028",
    "null",
    "-1",
    "!!x ",
    "__proto__: ",
  ];

  it("with pieces put in, taken out and moved", () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat({ max: 40 }),
      piece: fc.constantFrom(...PIECES),
    });
    const edited = fc.tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 6 }));
    fc.assert(
      fc.property(edited, ([text, edits]) => {
        const changed = edits.reduce((now, { at, cut, piece }) => {
          const from = Math.floor(at * now.length);
          return now.slice(0, from) + piece + now.slice(from + cut);
        }, text);
        const { pipeline, problems } = pipelineIn(changed, "x.yaml");
        const lines = changed.split(/\r\n|[\r\n]/).length;
        expect(pipeline !== undefined || problems.length > 0).toBe(true);
        for (const { line } of problems) expect(line >= 1 && line <= lines).toBe(true);
      }),
      { numRuns: 80 },
    );
  });
});
