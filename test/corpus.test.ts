/** Frozen behaviour: the verdict of every row of the corpus. Loosening a row needs a decision in docs/adr. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { corpusNames, filled, type Row, rowsOf } from "./corpus-rows.ts";
import { type Verdict, verdictOf } from "./e2e/answer.ts";
import { program } from "./e2e/program.ts";
import { openStage, type Stage } from "./e2e/stage.ts";

/** Pinned, so that coverage cannot shrink. */
const ROWS: Readonly<Record<string, Readonly<Record<Verdict, number>>>> = {
  destructive: { deny: 39, ask: 6, pass: 0 },
  disguised: { deny: 61, ask: 1, pass: 0 },
  doubtful: { deny: 1, ask: 24, pass: 0 },
  effects: { deny: 22, ask: 39, pass: 17 },
  everyday: { deny: 0, ask: 0, pass: 78 },
  "handed-on": { deny: 23, ask: 6, pass: 8 },
  "lose-clouds": { deny: 178, ask: 121, pass: 88 },
  "lose-data": { deny: 68, ask: 81, pass: 32 },
  "lose-disks": { deny: 52, ask: 2, pass: 20 },
  "lose-files": { deny: 88, ask: 12, pass: 28 },
  "lose-git": { deny: 44, ask: 81, pass: 85 },
  "lose-machine": { deny: 46, ask: 37, pass: 15 },
  "lose-mixed": { deny: 28, ask: 19, pass: 58 },
  secrets: { deny: 34, ask: 9, pass: 18 },
  tampering: { deny: 69, ask: 0, pass: 19 },
  // Everyday commands that need trust first.
  unearned: { deny: 0, ask: 4, pass: 0 },
};

it("the corpus has the pinned number of rows of each kind, with unique ids", () => {
  expect(corpusNames()).toEqual(Object.keys(ROWS));
  const ids = Object.keys(ROWS).flatMap((name) => rowsOf(name).map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const [name, counts] of Object.entries(ROWS)) {
    const count = (verdict: Verdict): number => rowsOf(name).filter((row) => row.expect === verdict).length;
    expect({ name, deny: count("deny"), ask: count("ask"), pass: count("pass") }).toEqual({ name, ...counts });
  }
});

describe.each(Object.keys(ROWS))("the corpus: %s", (name) => {
  it("every command gets its recorded verdict", () => {
    const stage = place();
    layWork(stage, name === "lose-git" ? "feature" : "feature/old");
    const rows = rowsOf(name).filter(({ command }) => command !== undefined);
    const found = [...new Set(rows.map(({ cwd }) => cwd))].flatMap((cwd) =>
      judged(
        rows.filter((row) => row.cwd === cwd),
        join(stage.project, cwd ?? "."),
        stage,
      ),
    );
    expect(found.map(brief)).toEqual(found.map(({ row }) => brief({ row, verdict: row.expect, policy: row.policy })));
  });

  it("every tool call gets its recorded verdict", () => {
    const shared = place();
    const found = rowsOf(name)
      .filter(({ tool }) => tool !== undefined)
      .map((row) => {
        const stage = row.links ? place(row.links) : shared;
        const answer = stage.use(row.tool ?? "", JSON.parse(filled(JSON.stringify(row.input), stage)) as object);
        const [, policy] = /^Why: .*\[(\S+)\]$/m.exec(answer.stderr) ?? [];
        return { row, verdict: verdictOf(answer), policy };
      });
    expect(found.map(brief)).toEqual(found.map(({ row }) => brief({ row, verdict: row.expect, policy: row.policy })));
  });
});

interface Found {
  readonly row: Row;
  readonly verdict: string;
  readonly policy: string | undefined;
}

function brief({ row, verdict, policy }: Found): string {
  const what = row.command ?? `${row.tool} ${JSON.stringify(row.input)}`;
  return `${row.id}: ${verdict}${policy === undefined ? "" : ` [${policy}]`}  ${what}`;
}

/** A project with registered hooks and a journal. */
function place(links: Row["links"] = {}): Stage {
  const stage = openStage();
  mkdirSync(join(stage.project, "src/deep"), { recursive: true });
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(stage.project, name));
  stage.bash("ls");
  return stage;
}

/** Work of every kind that git could lose: changed, untracked and ignored files, stashes, and commits of one branch. */
function layWork(stage: Stage, branch: string): void {
  stage.write(".gitignore", "*.log\n");
  stage.write("trace.log", "ignored\n");
  for (const round of ["1", "2", "3", "4", "5", "6"]) {
    stage.write("src/a.ts", `export const a = ${round};\n`);
    stage.write("src/app.ts", `export const app = ${round};\n`);
    stage.git("add", ".");
    stage.git("commit", "--quiet", "-m", round);
  }
  for (const round of ["1", "2", "3"]) {
    stage.write("src/a.ts", `stashed ${round}\n`);
    stage.git("stash", "push", "--quiet");
  }
  stage.git("switch", "--quiet", "--create", branch, "HEAD~5");
  stage.git("commit", "--quiet", "--allow-empty", "-m", "only here");
  stage.git("switch", "--quiet", "main");
  stage.write("src/a.ts", "changed\n");
  stage.write("src/app.ts", "changed\n");
  stage.write("new.txt", "untracked\n");
}

/** An ordinary home path that need not exist; a home below the temporary directory would be judged less strictly. */
const HOME = "/home/dev";

function judged(rows: readonly Row[], cwd: string, stage: Stage): readonly Found[] {
  const commands = rows.map(({ command = "" }) => ({ command: filled(command, { ...stage, home: HOME }) }));
  const input = commands.map((line) => JSON.stringify(line)).join("\n");
  const args = [`HOME=${HOME}`, program.node, program.bundle, "judge", "--jsonl", "--cwd", cwd];
  const { code, stdout, stderr } = stage.run("env", args, { input });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  return rows.map((row, at) => {
    const { verdict, policies } = JSON.parse(lines[at] ?? "{}") as { verdict: string; policies: readonly string[] };
    return { row, verdict, policy: policies[0] };
  });
}
