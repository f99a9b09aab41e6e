/** Headless sessions in the real host (`-p`): questions about trust pass with a record, questions about damage don't. */
import { describe, expect, it } from "vitest";
import { bash } from "./scripted-model.ts";
import { makeKeepsake, openStage } from "./stage.ts";

/** Asked about until trust is earned; the host has no such address, so nothing happens. */
const RESTART = "ssh -o BatchMode=yes -o ConnectTimeout=1 web.invalid 'docker compose restart api' || echo no answer";
const DELETE = "git branch -D keepsake";

describe("without a person", () => {
  it("EH-31 a question that is only about trust passes, and the journal says why", async () => {
    const stage = openStage();
    const session = await stage.session([bash(RESTART, "restart")]);
    expect(session.told("restart")).toContain("no answer");
    expect(stage.call("restart")).toMatchObject({ verdict: "pass", outcome: "success", lifted_by: "headless" });
  });

  it("EH-31 a question about damage is a refusal, and the command that it names allows it", async () => {
    const stage = openStage();
    makeKeepsake(stage);
    const first = await stage.session([bash(DELETE, "first"), bash(`${RESTART}; ${DELETE}`, "both")]);
    expect(first.told("both")).toContain("nobody is here");
    const command = /sekisho (allow \S+ --once)/.exec(first.told("first"))?.[1] ?? "";
    expect(stage.sekisho(...command.split(" ")).code).toBe(0);
    await stage.session([bash(DELETE, "second")]);
    expect(stage.git("branch", "--list", "keepsake")).toBe("");
  });

  it("EH-31 with the profile oath both are refused", async () => {
    const stage = openStage({ ".sekisho/config.yaml": "profile: oath\n" });
    makeKeepsake(stage);
    const session = await stage.session([bash(RESTART, "trust"), bash(DELETE, "damage")]);
    expect(session.told("trust")).toContain("nobody is here");
    expect(session.told("damage")).toContain("nobody is here");
    expect(stage.git("branch", "--list", "keepsake")).toContain("keepsake");
  });
});
