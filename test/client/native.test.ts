/** Messages that agents send with the host's own tool: both ends are seen, and a lost one is told to its sender. */
import { expect, it } from "vitest";
import { bash, type ModelRequest, type Step, use } from "./scripted-model.ts";
import { openStage, type Session, type Stage } from "./stage.ts";
import { until } from "../until.ts";

const allowed = "Bash,Read,Write,Edit,ToolSearch,SendMessage,ListAgents";
const load = use("ToolSearch", { query: "select:SendMessage" });

const play = (stage: Stage, name: string, steps: readonly Step[]): Promise<Session> =>
  stage.play({ allowed, flags: ["-n", name] }, steps);
const send = (to: string, message: string, id: string) => use("SendMessage", { to, summary: "about it", message }, id);
const say = (text: string): Step => ({ text });

interface Listed {
  readonly from: string;
  readonly to: string;
  readonly state: string;
  readonly channel: string;
  readonly body: string;
}

const board = (stage: Stage): readonly Listed[] => {
  const { stdout } = stage.sekisho("inbox", "list", "--json");
  return stdout.startsWith("[") ? (JSON.parse(stdout) as readonly Listed[]) : [];
};

it("a message that arrives is marked as delivered", async () => {
  const stage = openStage();
  const bob = play(stage, "bob", [
    async () => {
      await until(() => board(stage).length > 0, "the message on the board");
      return bash("true", "look");
    },
    say("I have it."),
  ]);
  const alice = play(stage, "alice", [
    load,
    async () => {
      await until(() => stage.sekisho("agents", "--json").stdout.includes('"bob"'), "bob in the list of agents");
      return send("bob", "The port is 3000.", "tell");
    },
    async () => {
      await until(() => board(stage)[0]?.state === "delivered", "the arrival");
      return { text: "Bob knows." };
    },
  ]);
  const [told, heard] = await Promise.all([alice, bob]);
  expect(told.told("tell")).toContain("bob");
  expect((heard.requests.at(-1) as ModelRequest).body).toContain("The port is 3000.");
  expect(board(stage)).toMatchObject([{ from: "alice", to: "bob", state: "delivered", channel: "host" }]);
  expect(told.requests.map(({ body }) => body).join()).not.toContain("not arrived");
});
