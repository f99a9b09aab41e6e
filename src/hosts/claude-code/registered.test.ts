import { describe, expect, it } from "vitest";
import type { Lane } from "../registration.ts";
import { slots } from "./hooks.ts";
import { foreignHooksIn, movedTo, pointedTo, registrationIn } from "./registered.ts";

const program = { node: "/opt/node", bundle: "/opt/sekisho.cjs", door: { port: 4000, token: "secret" } };
const foreign = { type: "command", command: "/opt/node", args: ["/opt/other.cjs", "hook"], timeout: 5 };
const file = (lane: Lane): string => {
  const hooks: Record<string, unknown[]> = { PreToolUse: [{ matcher: "Bash", hooks: [foreign] }] };
  for (const { event, matcher, hook } of slots(["PreToolUse", "Stop"], program, lane)) {
    hooks[event] = [...(hooks[event] ?? []), { ...(matcher !== undefined && { matcher }), hooks: [hook] }];
  }
  return JSON.stringify({ model: "opus", hooks }, null, 4);
};
const textOf = (result: ReturnType<typeof pointedTo>): string => ("text" in result ? result.text : result.problem);

describe("our hooks in a settings file", () => {
  it("are read with program, endpoint and lane", () => {
    expect(registrationIn(file("plain"))).toMatchObject({
      lane: "plain",
      programs: [{ node: "/opt/node", bundle: "/opt/sekisho.cjs" }],
    });
    expect(registrationIn(file("fast"))).toMatchObject({ lane: "fast", door: { port: 4000, token: "secret" } });
    expect(registrationIn(file("plain"))?.hooks).toHaveLength(3);
    expect(foreignHooksIn(file("plain"))).toEqual([{ event: "PreToolUse", matcher: "Bash", hook: foreign }]);
  });

  it.each([[undefined], [""], ["{"], ["[]"], ["{}"], ['{"hooks":{"Stop":[null,{"hooks":[null,7]}]}}']])(
    "are not found in %j",
    (text) => {
      expect(registrationIn(text)).toBeUndefined();
      expect(foreignHooksIn(text)).toEqual([]);
    },
  );
});

describe("changing the target of our hooks", () => {
  it.each(["plain", "fast"] as const)("changes only the program of our hooks, on the %s lane", (lane) => {
    const text = textOf(pointedTo(file(lane), { node: "/new/node", bundle: "/new/sekisho.cjs" }));
    expect(registrationIn(text)?.programs).toEqual([{ node: "/new/node", bundle: "/new/sekisho.cjs" }]);
    expect(textOf(pointedTo(text, program))).toBe(file(lane));
    expect(foreignHooksIn(text)).toEqual(foreignHooksIn(file(lane)));
  });

  it("changes the endpoint and keeps the program", () => {
    const text = textOf(movedTo(file("fast"), { port: 5000, token: "other" }));
    expect(registrationIn(text)).toMatchObject({
      door: { port: 5000, token: "other" },
      programs: [{ node: "/opt/node" }],
    });
    expect(text).not.toContain("secret");
    expect(textOf(movedTo(text, program.door))).toBe(file("fast"));
  });

  it("refuses invalid JSON", () => {
    expect(pointedTo("{", program)).toEqual({ problem: expect.stringContaining("not valid JSON") });
  });
});
