/**
 * Generated command lines are judged without failing, and no wrapping loosens a verdict. `npm run fuzz` is the long
 * version.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { judgeLine, milderBy } from "./fuzz/judge.ts";
import { lines } from "./fuzz/lines.ts";

const CORPUS = join(import.meta.dirname, "corpus");

const written = readdirSync(CORPUS)
  .flatMap((name) => readFileSync(join(CORPUS, name), "utf8").trimEnd().split("\n"))
  .flatMap((row) => (JSON.parse(row) as { command?: string }).command ?? []);

it("TR-59: 1,500 generated lines: each is judged, and no wrapping loosens its verdict", () => {
  fc.assert(
    fc.property(lines(written), (line) => {
      expect(milderBy(line, judgeLine(line))).toEqual([]);
    }),
    { seed: 20_260, numRuns: 1_500 },
  );
});
