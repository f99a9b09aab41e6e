import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../../test/temp.ts";
import { proofOf } from "./proof.ts";
import type { Step } from "./state.ts";

const place = { cwd: "/p", home: "/h", root: "/p" } as const;
const told = (steps: readonly Step[]) =>
  steps.map(({ words, why }) => [words.join(" "), ...(why ? [why] : [])].join(": "));
const proved = (line: string) => told(proofOf(line, place).conclusive);
const lost = (line: string) => told(proofOf(line, place).swallowed);

describe("proof from exit code 0 of a line", () => {
  it.each([
    ["a && b", ["a", "b"]],
    ["a; b", ["b"]],
    ["a\nb", ["b"]],
    ["a | b", ["b"]],
    ["set -o pipefail; a | b", ["a", "b"]],
    ["set -euo pipefail && a | b | c", ["a", "b", "c"]],
    ["set -o pipefail; set +o pipefail; a | b", ["b"]],
    ["(set -o pipefail); a | b", ["b"]],
    ["{ set -o pipefail; }; a | b", ["a", "b"]],
    ["x || set -o pipefail; a | b", ["b"]],
    ["set -o pipefail; a | exit 0", []],
    ["a || b", []],
    ["a || exit 1", ["a"]],
    ["a || exit", ["a"]],
    ["a || exit 256", []],
    ["a || exit 0", []],
    ["a || exit $?", []],
    ["a || false", ["a"]],
    ["a || { echo x; exit 1; }", ["a"]],
    ["a || { echo x; exit 1; }; b", ["a", "b"]],
    ["a || (exit 1); b", ["b"]],
    ["a || { exit 1; } > /nowhere/x; b", ["b"]],
    ["a || { trap 'exit 0' EXIT; exit 1; }", []],
    // Real bash exits with 0 on such a line, whatever the exit code of the last command.
    ["((true & a\n)\n)", []],
    ["bash -c '((true & a\n)\n)'", []],
    ["( (true && a) )", ["true", "a"]],
    ["a || exit 1; b; c", ["a", "c"]],
    ["x || exit 0; a", []],
    ["a && exit 0; b", []],
    ["! a", []],
    ["a & b", ["b"]],
    ["if a; then b; fi; c", ["c"]],
    ["(a; b) && { c; }", ["b", "c"]],
    ["time a", ["a"]],
    ["timeout -k 5 10 nice -n 5 stdbuf -oL a x", ["a x"]],
    ["timeout --preserve-status 1 a", []],
    ["nohup a", ["a"]],
    ["env CI=1 a", ["a"]],
    ["env PATH=/x a", []],
    ["CI=1 LC_ALL=C a", ["a"]],
    ["PATH=/x a", []],
    ["PATH=/x a; b", ["b"]],
    ["PATH=/x :; b", []],
    ["export CI=1; a", ["a"]],
    ["export PATH=/x; a", []],
    ["log=x; a > $log", ["a"]],
    ["path=/x; a", []],
    ["for PATH in /x; do :; done; a", []],
    [`echo $\{PATH:=x}; a`, []],
    ["$x; a", []],
    ["a() { :; }; a", []],
    ["alias a=b\na", []],
    ["eval a", []],
    ["exec > log; a", []],
    ["shopt -s x; a", []],
    ["set -n; a", []],
    ["source x; a", []],
    ["source .venv/bin/activate && a", ["a"]],
    ["bash -c 'a; b'", ["b"]],
    ["bash -c 'set -e; a; b'", ["a", "b"]],
    ["bash -ec 'a; b'", ["a", "b"]],
    ["bash -eo pipefail -c 'a | b; c'", ["a", "b", "c"]],
    ["bash -c 'set -e; a && b; c'", ["c"]],
    ["bash -c 'set -e; { a; b; } || true; c'", ["c"]],
    ["bash -lc a", []],
    ['bash -c "$x"', ["bash -c $x"]],
    ["a <<E\nb\nE", ["a"]],
    ["a &&", []],
  ])("%j: %j", (line, expected) => expect(proved(line)).toEqual(expected));

  it("the host evaluates a line before `&&`, where `set -e` has no effect", () => {
    expect(proved("set -e; a; b")).toEqual(["b"]);
    expect(execFileSync("bash", ["-c", "eval 'set -e; false; true' && echo alive"], { encoding: "utf8" })).toBe(
      "alive\n",
    );
    expect(told(proofOf("set -e; a; b", { ...place, as: "script" }).conclusive)).toEqual(["a", "b"]);
  });

  it.each([
    ["a || true", ["a: or", "true: or"]],
    ["a | tail", ["a: pipe"]],
    ["a; true", ["a: sequence"]],
    ["a & wait", ["a: background"]],
    ["! a", ["a: negated"]],
    ["while a; do b; done", ["a: branch", "b: branch"]],
    ["echo $(a)", ["a: substitution"]],
    ["PATH=x a", ["a: environment"]],
    ["f() { a; }; f", ["a: environment", "f: environment"]],
    ["eval 'a b'", ["a b: unread", ": unread", "a b: environment"]],
    ["a; b)", ["a: sequence", "b: unread"]],
  ])("%j discards %j", (line, expected) => expect(lost(line)).toEqual(expected));

  it("follows the directory as far as it is known", () => {
    const where = (line: string) => proofOf(line, place).conclusive.at(-1)?.cwd;
    expect(where("cd s && a")).toBe("/p/s");
    expect(where("cd s; a")).toBeUndefined();
    expect(where("(cd s && b) && a")).toBe("/p");
    expect(where("cd /p; a")).toBe("/p");
    expect(proofOf("cd /p; a", { ...place, cwd: "/q" }).conclusive.at(-1)?.cwd).toBe("/p");
    expect(proofOf("cd /p/s/..; a", { ...place, cwd: "/q" }).conclusive.at(-1)?.cwd).toBeUndefined();
    expect(where("cd; a")).toBeUndefined();
    expect(where("cd ~/x && a")).toBe("/h/x");
    expect(where('cd "$x" && a')).toBeUndefined();
    expect(where("pushd s && popd && a")).toBeUndefined();
    expect(where("x | cd s; a")).toBeUndefined();
  });

  it("names the virtual environment activated before", () => {
    expect(proofOf(". venv/bin/activate && a", place).conclusive[0]?.sourced).toBe("/p/venv/bin/activate");
  });

  it("proves nothing for unreadable lines, and quickly", () => {
    for (const line of ["(".repeat(5000), "a && ".repeat(20_000), "x".repeat(100_000), "$(".repeat(300), "\u0000\n'"])
      expect(proofOf(line, place).conclusive).toEqual([]);
    expect(proofOf(`${"{ ".repeat(100)}a${"; }".repeat(100)}`, place).conclusive).toEqual([]);
  });
});

const weighed = (weight: number, arbitrary: fc.Arbitrary<string>) => ({ weight, arbitrary });

/** Lines of stubs, each with its own number. */
const { line } = fc.letrec<{ line: string; list: string; pipe: string; one: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    weighed(20, fc.constantFrom("pass @", "fail @")),
    weighed(2, fc.constantFrom("pass @ > /dev/null", "pass @ < /nowhere/x", "timeout 9 fail @", "true", "false")),
    weighed(3, fc.constantFrom("exit 0", "exit 1", "exit", "exit 256", "exit 1 > /nowhere/x", "cd /", "x=1")),
    weighed(4, fc.constantFrom("set -e", "set +e", "set -o pipefail", "set +o pipefail", "set -eo pipefail")),
    weighed(1, fc.constantFrom("trap 'exit 0' EXIT", "exit() { :; }", "pass() { :; }", "eval 'exit 0'", "set -n")),
    weighed(1, fc.constantFrom("PATH=/nowhere", "x=$(fail @)", "coproc pass @", "return 0", "exec true")),
    weighed(
      3,
      tie("line").map((text) => `(${text}\n)`),
    ),
    weighed(
      3,
      tie("line").map((text) => `{ ${text}\n}`),
    ),
    weighed(
      1,
      fc
        .tuple(
          fc.constantFrom("{ %\n} > /nowhere/x", "! { %\n}", "if %\nthen pass @; fi", "for i in 1; do %\ndone"),
          tie("line"),
        )
        .map(([form, text]) => form.replace("%", () => text)),
    ),
    weighed(
      3,
      fc
        .tuple(fc.constantFrom("-c", "-ec", "-o pipefail -c", "-euo pipefail -c"), tie("line"))
        .map(([options, text]) => `bash ${options} '${text.replaceAll("'", "'\\''")}'`),
    ),
  ),
  pipe: fc
    .tuple(fc.constantFrom("", "", "", "", "! ", "time "), fc.array(tie("one"), { minLength: 1, maxLength: 2 }))
    .map(([prefix, ones]) => prefix + ones.join(" | ")),
  list: fc
    .array(fc.tuple(tie("pipe"), fc.constantFrom("&&", "||")), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.map(([text, operator], at) => (at === 0 ? text : `${operator} ${text}`)).join(" ")),
  line: fc
    .array(fc.tuple(tie("list"), fc.constantFrom("; ", "\n", "\n", " & ")), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.map(([text, end], at) => (at === parts.length - 1 ? text : text + end)).join("")),
}));

describe("invariant: every command called proved ran and exited with 0 in real bash", () => {
  const at = tempDirectory("proof");
  beforeAll(() => {
    for (const [name, code] of [
      ["pass", 0],
      ["fail", 1],
    ] as const) {
      writeFileSync(join(at, name), `#!/bin/sh\necho "$1 ${code}" >> "$RAN"\nexit ${code}\n`);
      chmodSync(join(at, name), 0o755);
    }
    writeFileSync(
      join(at, "all"),
      `for one in "$1"/line.*; do
  export RAN="$one.ran"
  if [ "$2" = script ]; then bash "$one"; else bash -c 'eval "$1" && pwd -P' bash "$(cat "$one")"; fi > /dev/null 2>&1 < /dev/null
  echo $? > "$one.code"
done`,
    );
  });
  function runAll(lines: readonly string[], as: "evaluated" | "script"): readonly { code: string; ran: string }[] {
    const batch = mkdtempSync(join(at, "batch-"));
    for (const [index, text] of lines.entries()) writeFileSync(join(batch, `line.${index}`), text);
    execFileSync("bash", [join(at, "all"), batch, as], { env: { PATH: `${at}:${process.env["PATH"]}` } });
    const results = lines.map((_, index) => {
      const file = join(batch, `line.${index}`);
      const ran = existsSync(`${file}.ran`) ? readFileSync(`${file}.ran`, "utf8") : "";
      return { code: readFileSync(`${file}.code`, "utf8").trim(), ran };
    });
    // A line may have left a process in the background that still writes here.
    rmSync(batch, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
    return results;
  }

  it.each(["evaluated", "script"] as const)("GT-23 holds for a line that is %s", (as) => {
    let conclusive = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 60, maxLength: 60 }), (drawn) => {
        let number = 0;
        const lines = drawn.map((text) =>
          text.replace(/@/g, () => {
            number += 1;
            return `n${number}`;
          }),
        );
        const results = runAll(lines, as);
        for (const [index, text] of lines.entries()) {
          const { code, ran } = results[index] ?? { code: "", ran: "" };
          const stubs = proofOf(text, { ...place, as }).conclusive.filter(({ words }) =>
            /^(?:pass|fail)$/.test(words[0] ?? ""),
          );
          if (code !== "0") continue;
          conclusive += stubs.length;
          for (const { words } of stubs) expect(ran, `${text}\nended with 0`).toContain(`${words[1]} 0\n`);
        }
      }),
      { numRuns: 4, endOnFailure: true },
    );
    expect(conclusive).toBeGreaterThan(10);
  });
});
