/** The rule "commands-only-parse-and-print" looks at imports; `here()` also hands a command the journal. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const cli = join(import.meta.dirname, "../src/cli");
const files = readdirSync(cli, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.ts$/.test(name));

it("no command reads or writes the journal itself", () => {
  const reaching = files.filter((name) => /\bstore\b|\borFail\b/.test(readFileSync(join(cli, name), "utf8")));
  expect(files.length).toBeGreaterThan(30);
  expect(reaching).toEqual([]);
});
