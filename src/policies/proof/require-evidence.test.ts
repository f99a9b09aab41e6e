import { describe, expect, it } from "vitest";
import { decide } from "../../kernel/decide.ts";
import type { Gathered, Script } from "../../kernel/facts.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import type { Change } from "../../state/change.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { newProof, type Proof } from "../../state/session/proof.ts";
import type { Session } from "../../state/session/session.ts";
import type { EvidenceRule } from "../../state/settings/evidence-rules.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { describePolicy, HOME, ordinaryFacts, PROJECT, verdictOf } from "../describe-policy.ts";
import { bash, edit, read, using, write } from "../example.ts";
import { requireEvidence } from "./require-evidence.ts";
import { trackProof } from "./track-proof.ts";

const SKILLS = ["code-quality-rules", "document-quality-rules", "writing-skills"];

function settings(rules: Partial<Settings["rules"]> = {}, gates: Partial<Settings["gates"]> = {}): Settings {
  return {
    ...defaultSettings,
    rules: {
      ...defaultSettings.rules,
      code_skill: "code-quality-rules",
      document_skill: "document-quality-rules",
      writing_skill: "writing-skills",
      ...rules,
    },
    gates: { ...defaultSettings.gates, ...gates },
  };
}

function session(proof: Partial<Proof> = {}, more: Partial<Session> = {}): Session {
  return boundSession({ proof: { ...newProof, ...proof }, ...more });
}

const praxis: Gathered = { settings: settings(), skills: SKILLS };

function having(...skills: readonly string[]): Gathered {
  return { ...praxis, session: session({ skills: Object.fromEntries(skills.map((name) => [name, 500])) }) };
}

const CODE = edit(`${PROJECT}/src/a.ts`);
const DOCUMENT = edit(`${PROJECT}/docs/a.md`);
const CONFIG = edit(`${PROJECT}/package.json`);

describePolicy(requireEvidence, ({ denies, asks, passes }) => {
  denies("TS-20 1 GT-5 code without the skill", CODE, praxis);
  passes("TS-20 2 GT-10 code with the skill", CODE, having("code-quality-rules"));
  passes("an event without a session's id, which require-session refuses", { ...CODE, session: "unknown" }, praxis);
  denies("TS-20 4 an unrelated skill", CODE, having("brainstorming"));
  denies("TS-20 5 GT-5 a document without its skill", DOCUMENT, praxis);
  denies("TS-20 6 the skill of code does not open documents", DOCUMENT, having("code-quality-rules"));
  passes("TS-20 7 GT-9 the short name, where the setting has the plugin's", CODE, {
    ...having("code-quality-rules"),
    settings: settings({ code_skill: "praxis:code-quality-rules" }),
  });
  passes("TS-20 8 GT-5 configuration is nobody's to gate", CONFIG, praxis);
  passes("TS-20 9 both skills open both: code", CODE, having("code-quality-rules", "document-quality-rules"));
  passes(
    "TS-20 10 both skills open both: a document",
    DOCUMENT,
    having("code-quality-rules", "document-quality-rules"),
  );
  denies("GT-9 a name that only contains the skill's", CODE, having("my-code-quality-rules", "code-quality-rules-2"));
  denies("GT-5 whatever the case of the ending", edit(`${PROJECT}/A.TS`), praxis);
  passes("GT-5 an unknown ending, or none", edit(`${PROJECT}/Makefile`), praxis);
  denies(
    "GT-13 a notebook is code",
    using({ kind: "notebook", name: "NotebookEdit", path: "n.ipynb", source: "" }),
    praxis,
  );

  denies("GT-14 a redirection", bash("cat > src/a.ts <<'E'\nx\nE"), praxis);
  denies("GT-14 sed -i", bash("cd src && sed -i 's/a/b/' a.ts"), praxis);
  denies("GT-14 tee, behind a pipe", bash("printf x | tee -a src/a.py"), praxis);
  denies("GT-14 a copy over it", bash("cp /tmp/x.ts src/x.ts"), praxis);
  denies("GT-14 python", bash(`python3 -c "open('src/a.py','w').write('x')"`), praxis);
  denies(
    "GT-14 a patch on the line",
    bash("git apply <<'E'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\nE"),
    praxis,
  );
  denies("GT-14 a pattern", bash("sed -i s/a/b/ src/*.ts"), praxis);
  denies(
    "GT-14 a foreign tool that writes",
    using({ kind: "mcp", name: "mcp__fs__write_file", words: ["src/a.ts"] }),
    praxis,
  );
  passes("GT-14 looking is free", bash("grep -rn x src/*.ts | head; cat src/a.ts"), praxis);
  passes("GT-14 running the tests", bash("npm test && node dist/a.js"), praxis);
  passes("GT-14 git brings what was written before", bash("git checkout main -- src/a.ts && git stash pop"), praxis);
  passes("what a build makes is nobody's writing", bash("npx esbuild src/a.ts > dist/a.js"), praxis);
  denies("GT-14 gates.code_extensions makes others code", edit(`${PROJECT}/a.yaml`), {
    ...praxis,
    settings: settings({}, { code_extensions: ["yaml"] }),
  });

  denies("GT-15 a skill's file", write(`${PROJECT}/.claude/skills/x/SKILL.md`), having("document-quality-rules"));
  denies("GT-15 a script of a skill", write(`${PROJECT}/.claude/skills/x/run.json`), having("code-quality-rules"));
  passes("GT-15 with all it asks for", write(`${PROJECT}/.claude/skills/x/SKILL.md`), {
    ...having("document-quality-rules", "writing-skills"),
  });
  denies("a rule does not go with its skill", bash("rm -rf .claude/skills/code-quality-rules"), praxis);
  denies("nor with what holds it", bash("rm -rf .claude"), praxis);
  denies("nor by moving it away", bash("mv .claude/skills/code-quality-rules /tmp/"), praxis);
  passes("another directory may go", bash("rm -rf build .claude/skills/other"), praxis);

  passes("without the skill there is no rule about it", CODE, { ...praxis, skills: [] });
  passes("nothing is asked for by default", CODE);
  passes("outside the project", write("/tmp/x.ts"), praxis);
  passes("our own files have a rule of their own", write(`${PROJECT}/.sekisho/notes.md`), praxis);
  passes("reading", read(`${PROJECT}/src/a.ts`), praxis);
  passes(
    "no deadlock: the skill itself",
    using({ kind: "control", name: "Skill", skill: "code-quality-rules" }),
    praxis,
  );
  passes("no deadlock: a question", using({ kind: "control", name: "AskUserQuestion" }), praxis);
  denies("a question that brings its answer", using({ kind: "control", name: "AskUserQuestion", answered: true }));

  passes(
    "GT-3 a subagent profits from what the main agent took up",
    { ...CODE, agent: AGENT },
    having("code-quality-rules"),
  );
  passes("a subagent from its own", { ...CODE, agent: AGENT }, having("a1/code-quality-rules"));
  denies("the main agent not from a subagent's", CODE, having("a1/code-quality-rules"));
  denies("nor another subagent", { ...CODE, agent: { id: "a2", type: "x" } }, having("a1/code-quality-rules"));

  denies("GT-14 a script of this session", bash("bash go.sh"), { ...praxis, scripts: [script("echo x > src/a.ts")] });
  passes("a script that writes elsewhere", bash("bash go.sh"), { ...praxis, scripts: [script("echo x > out.log")] });

  const there = { standing: { [`${PROJECT}/src/a.ts`]: true } };
  const reading = (how: "warn" | "ask" | "deny"): Gathered => ({
    settings: { ...defaultSettings, rules: { ...defaultSettings.rules, read_before_edit: how } },
    ...there,
  });
  const known = { session: session({ reads: { [`${PROJECT}/src/a.ts`]: 5 } }) };
  const written = { session: session({}, { written: [`${PROJECT}/src/a.ts`] }) };
  denies("read before edit: what is there and was not read", bash("sed -i s/a/b/ src/a.ts"), reading("deny"));
  asks("the same as a question", bash("sed -i s/a/b/ src/a.ts"), reading("ask"));
  denies("to delete it takes a look too", bash("rm src/a.ts"), reading("deny"));
  passes("what was read", bash("sed -i s/a/b/ src/a.ts"), { ...reading("deny"), ...known });
  passes("what the session wrote itself", bash("sed -i s/a/b/ src/a.ts"), { ...reading("deny"), ...written });
  passes("what is new", bash("echo x > src/a.ts"), {
    ...reading("deny"),
    standing: { [`${PROJECT}/src/a.ts`]: false },
  });

  const approval: EvidenceRule = {
    name: "release",
    when: { event: "PreToolUse", globs: ["release/**"] },
    need: { evidence: "approval", of: "Release", freshness: 10 },
    else: "ask",
  };
  const verdict: EvidenceRule = {
    ...approval,
    name: "reviewed",
    need: { ...approval.need, evidence: "verdict", of: "critic" },
  };
  const ruled = (rules: readonly EvidenceRule[], proof: Partial<Proof> = {}): Gathered => ({
    settings: { ...defaultSettings, gates: { ...defaultSettings.gates, rules } },
    session: session(proof),
    now: 700_000,
  });
  const NOTES = write(`${PROJECT}/release/notes.json`);
  asks("a person's own rule", NOTES, ruled([approval]));
  passes("with what it asks for", NOTES, ruled([approval], { approvals: { release: 600_000 } }));
  asks("which has become too old", NOTES, ruled([approval], { approvals: { release: 50_000 } }));
  asks(
    "a review that failed",
    NOTES,
    ruled([verdict], { reviews: { critic: { at: 690_000, pass: false, looked: 2 } } }),
  );
  passes("one that passed", NOTES, ruled([verdict], { reviews: { critic: { at: 690_000, pass: true, looked: 2 } } }));
  denies("the strictest wins", NOTES, ruled([approval, { ...verdict, else: "block" }]));
});

const AGENT = { id: "a1", type: "implementer" };

function script(line: string): Script {
  const { operation, by } = scriptParts(line);
  return { path: `${PROJECT}/go.sh`, spelled: "go.sh", origin: "session", by, operation, targets: {} };
}

function scriptParts(line: string) {
  const place = { cwd: PROJECT, home: HOME };
  const tool = (command: string) => ({ kind: "bash", name: "Bash", command, background: false }) as const;
  const by = operationOf(tool("bash go.sh"), place).shell?.invocations[0];
  if (!by) throw new Error("no command");
  return { operation: operationOf(tool(line), place), by };
}

describe("message", () => {
  it("GT-11 the message names the skill, the file and its extension, and the next step", () => {
    const { objections } = verdictOf(requireEvidence, CODE, praxis);
    expect(objections[0]?.what.en).toMatch(/code-skill.*src\/a\.ts \(\.ts\).*skill code-quality-rules/);
    expect(objections[0]?.fix.en).toContain("Invoke the skill code-quality-rules (Skill tool), then do this again.");
    expect(objections[0]?.fix.ja).toContain("スキル code-quality-rules を Skill ツールで");
  });

  it("the message lists everything that is missing", () => {
    const { objections } = verdictOf(requireEvidence, write(`${PROJECT}/.claude/skills/x/SKILL.md`), praxis);
    expect(objections[0]?.fix.en).toMatch(/document-quality-rules.*writing-skills/);
  });

  it("the message tells a subagent to turn to the main agent", () => {
    const { objections } = verdictOf(requireEvidence, { ...CODE, agent: AGENT }, praxis);
    expect(objections[0]?.fix.en).toContain("Without a Skill tool, end and say so");
  });

  it("a warning appears once per session", () => {
    const rules = { ...defaultSettings.rules, read_before_edit: "warn" as const };
    const given = { settings: { ...defaultSettings, rules }, standing: { [`${PROJECT}/src/a.ts`]: true } };
    const first = verdictOf(requireEvidence, CODE, given);
    expect(first).toMatchObject({ decision: "pass", notes: [{ en: expect.stringContaining("Read tool") }] });
    expect(first.changes).toEqual([{ record: "session", do: "show", notice: "rule read-before-edit" }]);
    const told = { ...given, session: session({}, { shown: ["rule read-before-edit"] }) };
    expect(verdictOf(requireEvidence, CODE, told)).toMatchObject({ decision: "pass", notes: [], changes: [] });
  });

  it("a refusal is not remembered for workaround detection, because evidence can lift it a moment later", () => {
    expect(requireEvidence.ofTheMoment).toBe(true);
  });
});

describe("TS-20 GT-10 a code change is recorded only when it was allowed, and only for code", () => {
  const rule: EvidenceRule = {
    name: "x",
    when: { event: "Stop" },
    need: { evidence: "verdict", of: "critic", freshness: "change" },
    else: "warn",
  };
  const changes = (when: typeof CODE, given: Gathered): readonly Change[] => {
    const event = { session: "s-1", cwd: PROJECT, attended: true, input: {}, ...when } as never;
    const operation = operationOf(when.tool, { cwd: PROJECT, home: HOME });
    const facts = { ...ordinaryFacts, ...given, settings: settings({}, { rules: [rule] }) };
    return decide({ event, operation, facts }, [trackProof, requireEvidence]).changes;
  };

  it("TS-20 11 an allowed edit of code is recorded", () => {
    expect(changes(CODE, having("code-quality-rules"))).toEqual([{ record: "proof", do: "changed" }]);
  });
  it("TS-20 12 a denied edit is not recorded", () => expect(changes(CODE, praxis)).toEqual([]));
  it("TS-20 13 a document or configuration edit is not recorded", () => {
    expect(changes(DOCUMENT, having("document-quality-rules"))).toEqual([]);
    expect(changes(CONFIG, praxis)).toEqual([]);
  });
});
