/** Red: a named test that was seen failing, and by its own assertion. A test that could not even be loaded shows nothing. */

const FAILING =
  /^\s*(?:not ok \d+ -|✗|✖|✘|×|●|FAIL(?:ED)?:?|--- FAIL:|\d+\)|test)\s+(?:.*::)?(.{1,200}?)(?:\s+\.\.\. FAILED|\s+\(?[\d.]+ ?m?s\)?| - .*)?\s*$/;
const PASSING = /^\s*(?:ok \d+ -|✓|✔|--- PASS:|PASS(?:ED)?\b)/;
const ASSERTED = /assert|\bexpect(?:ed)?\b|to (?:equal|be|match|contain)\b|panicked at|should (?:be|have|equal)/i;
const UNLOADED =
  /SyntaxError|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError|ImportError|could not compile|cannot find symbol/;
/** How far the details of a test may stand below or above its name. */
const LINES = 40;

/** The name of the test, or why it was not seen failing. `wanted`: null where the run has to learn it. */
export function redIn(
  { exit, output }: { readonly exit: number | null; readonly output: string },
  wanted: string | null,
): { readonly test: string } | { readonly problem: string } {
  if (exit === 0) return { problem: "its tests passed, so nothing shows the fault" };
  if (exit === null) return { problem: "its tests did not come to an end" };
  // eslint-style colours would hide the names.
  const lines = output.replace(COLOURS, "").split("\n");
  const failing = lines.flatMap((line, at) => {
    const name = FAILING.exec(line)?.[1]?.trim();
    return name === undefined ? [] : [{ name, at }];
  });
  const found = failing.filter(({ name }) => wanted === null || name.includes(wanted));
  if (found.length === 0) {
    const others = failing
      .map(({ name }) => name)
      .slice(0, 3)
      .join(", ");
    return {
      problem: `the test ${wanted ?? "that should show the fault"} was not among those that failed${others && ` (${others})`}`,
    };
  }
  const asserted = found.find(({ at }) => ASSERTED.test(around(lines, at)) && !UNLOADED.test(around(lines, at)));
  if (asserted) return { test: wanted ?? asserted.name };
  return { problem: `${found[0]?.name} failed, but by no assertion of its own` };
}

function around(lines: readonly string[], at: number): string {
  const rest = lines.slice(at + 1, at + LINES);
  const end = rest.findIndex((line) => PASSING.test(line) || FAILING.test(line));
  return [lines[at], ...(end < 0 ? rest : rest.slice(0, end))].join("\n");
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");
