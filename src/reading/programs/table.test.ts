/** Every row of the tables of programs, by its example: a refused command stays refused inside it. */
import { describe, expect, it } from "vitest";
import { destructionOf } from "../../policies/access/danger/destruction.ts";
import { operationOf } from "../operation/operation.ts";
import { carrying, carryingNames, withoutExample } from "./carrying.ts";

const ground = { cwd: "/home/dev/project", home: "/home/dev", project: "/home/dev/project" };

function verdictOf(command: string): string {
  const operation = operationOf({ kind: "bash", name: "Bash", command, background: false }, ground);
  return destructionOf(operation, ground)[0]?.decision ?? "pass";
}

describe("the tables of programs", () => {
  it("have an example for every row", () => {
    expect(withoutExample()).toEqual([]);
  });

  it.each(carryingNames())("%s runs the command in its example", (name) => {
    const line = carrying(name, "rm -rf /home/dev") ?? "";
    expect(`${verdictOf(line)} ${line}`).toBe(`deny ${line}`);
    const harmless = carrying(name, "ls src") ?? "";
    expect(verdictOf(harmless), harmless).not.toBe("deny");
  });
});
