/** Commands that version 0.1 knew under another name. */
import { expect, it } from "vitest";
import { openStage } from "./stage.ts";

it.each([
  [
    ["gate", "status", "--json"],
    ["rules", "--json"],
  ],
  [
    ["snapshot", "show", "--json"],
    ["handover", "--json"],
  ],
])("%j still works and does the same as %j", (former, now) => {
  const { sekisho } = openStage();
  expect(sekisho(...former)).toEqual(sekisho(...now));
});

it("a former name is not shown in help and is explained by --help", () => {
  const { sekisho } = openStage();
  const { stdout } = sekisho("help");
  expect(stdout).toMatch(/\n {2}revoke <id> /);
  expect(stdout).not.toMatch(/\n {2}(?:deny|gate|snapshot) /);
  expect(sekisho("deny", "--help").stdout).toContain("sekisho revoke");
});
