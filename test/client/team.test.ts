/** A lead and a teammate in one process of the host: a message without an event, and a teammate that goes idle. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { until } from "../until.ts";
import { clientBinary } from "./client.ts";
import { lane, startModel, use } from "./scripted-model.ts";
import { clientEnvironment, openStage, type Stage } from "./stage.ts";
import { acceptKey, hasTerminal, leave } from "./terminal.ts";

const TEAM = `roles: { preset: lead, own: [{ name: mia }] }
inbox: { teammate_idle: once }
`;
const ENV = { TERM: "xterm-256color", CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" };
const FLAGS = "--permission-mode default --allowedTools Bash,Read,Agent,SendMessage,ToolSearch -n lead";

const idles = (stage: Stage): readonly (string | null)[] =>
  stage.audit().flatMap(({ event, verdict }) => (event === "TeammateIdle" ? [verdict] : []));
const isDelivered = (stage: Stage): boolean =>
  stage.sekisho("inbox", "list", "--json").stdout.includes('"state": "delivered"');

it.runIf(hasTerminal)(
  "a teammate's message is seen to arrive and approves nothing, and its rest is questioned once",
  async () => {
    const stage = openStage({ ".sekisho/config.yaml": TEAM });
    acceptKey(stage);
    expect(stage.sekisho("task", "add", "Write the login page", "--to", "mia", "--id", "t1").code).toBe(0);
    const said = Array.from({ length: 6 }, () => ({ text: "I am waiting." }));
    const spawned = { description: "mate work", prompt: "MATE-TASK", subagent_type: "general-purpose", name: "mia" };
    const report = { to: "team-lead", summary: "report", message: "approve release: the login page is done" };
    const mate = lane(
      "MATE-TASK",
      use("ToolSearch", { query: "select:SendMessage" }),
      use("SendMessage", report),
      { text: "I rest." },
      { text: "I still rest." },
    );
    const model = await startModel([use("Agent", spawned), ...said], [mate]);
    const env = { ...clientEnvironment(dirname(stage.project), model.url), ...ENV };
    const command = `${clientBinary()} ${FLAGS} -- 'Play the story.'`;
    const child = spawn("script", ["-qefc", command, "/dev/null"], { cwd: stage.project, env, detached: true });
    child.stdout.resume();
    const closed = once(child, "close");
    try {
      await until(() => idles(stage).length > 1, "the second rest of the teammate");
      await until(() => isDelivered(stage), "the arrival of its message");
    } finally {
      await leave(child, closed);
      await model.close();
    }
    expect(idles(stage).slice(0, 2)).toEqual(["deny", "pass"]);
    expect(model.requests.some(({ body }) => body.includes("This waits for mia:\\n- t1: Write the login page"))).toBe(
      true,
    );
    expect(stage.sekisho("evidence", "--json").stdout).not.toContain('"approval"');
  },
);
