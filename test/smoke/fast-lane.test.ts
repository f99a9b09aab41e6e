/** The fast lane: a real daemon behind a port, and the processes that look after it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decisionIn, endHouse, housesOf, openHouse } from "../e2e/house.ts";
import { openStage } from "../e2e/stage.ts";
import { until } from "../until.ts";

describe("the daemon", () => {
  it("passes, asks and denies like a hook process, and keeps the same records", async () => {
    const house = openHouse();
    const plain = openStage({ processes: "warm" });
    plain.send("SessionStart", { source: "startup" });
    const commands = ["ls", "git tag -d old", "git reset --hard"];
    const decisions: string[] = [];
    for (const command of commands) {
      plain.bash(command);
      decisions.push(decisionIn(await house.bash(command)));
    }
    expect(decisions).toEqual(["pass", "ask", "deny"]);
    const told = (stage: typeof plain) =>
      stage.audit().map(({ event, verdict, policies, unbound }) => ({ event, verdict, policies, unbound }));
    expect(told(house.stage)).toEqual(told(plain));
  });

  it("refuses a request without its token", async () => {
    const house = openHouse();
    const { status } = await house.bash("ls", {}, { headers: { Authorization: "Bearer guessed" } });
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it("replaces a killed worker", async () => {
    const house = openHouse();
    const [worker = 0] = house.workers();
    process.kill(worker, "SIGKILL");
    house.hangUp();
    const answered = (): Promise<boolean> =>
      house.bash("git reset --hard").then(
        (said) => decisionIn(said) === "deny",
        () => false,
      );
    await until(answered, "an answer");
    expect(house.workers()).not.toContain(worker);
  });

  it("is started again by the next turn, and that Stop is refused once", async () => {
    const house = openHouse();
    await endHouse(house.stage);
    expect(house.turn("Stop").stdout).toContain('"decision":"block"');
    expect(housesOf(house.stage)).toHaveLength(2);
    expect(house.turn("Stop").stdout).toBe("");
  });

  it("that does not answer moves the session to the plain lane", () => {
    const house = openHouse();
    process.kill(house.supervisor(), "SIGSTOP");
    expect(house.turn("UserPromptSubmit", { prompt: "go on" }).stdout).toContain("plain lane");
    expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
    expect(house.stage.bash("git reset --hard").code).toBe(2);
  });
});
