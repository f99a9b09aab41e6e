/** Hosts in panes of a tmux server of the test's own, each with its scripted model. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { lookUp } from "../../src/world/machine/caller.ts";
import { until } from "../until.ts";
import { clientBinary } from "./client.ts";
import { withOurCommand } from "./our-command.ts";
import { type ScriptedModel, type Step, startModel } from "./scripted-model.ts";
import { clientEnvironment, type Stage } from "./stage.ts";
import { acceptKey } from "./terminal.ts";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface Seat {
  readonly pane: string;
  readonly model: ScriptedModel;
  /** The screen as a person sees it. */
  screen(): string;
  /** Keys as tmux names them. */
  keys(...keys: readonly string[]): void;
  type(words: string): void;
  pid(): number;
  /** By the host's own registry. */
  isIdle(): boolean;
}

export interface Room {
  tmux(...args: readonly string[]): string;
  /** An agent of that name, whose model answers with these steps. */
  seat(name: string, ...steps: readonly Step[]): Promise<Seat>;
}

const SIZE = ["-x", "110", "-y", "40"];

/** The server and everything in it ends with the test. `sekisho` is on the PATH of its panes. */
export function openRoom(stage: Stage): Room {
  acceptKey(stage);
  const root = dirname(stage.project);
  // A pane has the PATH of the command that made it, whatever else is given to it.
  const env = { ...clientEnvironment(root, ""), TERM: "xterm-256color", PATH: withOurCommand(stage) };
  const tmux: Room["tmux"] = (...args) => {
    const words = ["-S", join(root, "tmp", "panes"), "-f", "/dev/null", ...args];
    const { status, stdout, stderr } = spawnSync("tmux", words, { cwd: stage.project, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  tmux("new-session", "-d", "-s", "team", ...SIZE, "cat");
  onTestFinished(() => leave(tmux));
  return {
    tmux,
    async seat(name, ...steps) {
      const model = await startModel(steps);
      onTestFinished(() => model.close());
      const pane = tmux("new-window", "-d", "-P", "-F", "#{pane_id}", "-n", name, "cat").trim();
      tmux("set-option", "-p", "-t", pane, "@agent_id", name);
      const given = Object.entries(clientEnvironment(root, model.url)).flatMap(([key, value]) => [
        "-e",
        `${key}=${value}`,
      ]);
      const flags = ["--permission-mode", "default", "--allowedTools", "Bash,Read,Edit,Write"];
      tmux("respawn-pane", "-k", "-t", pane, "-c", stage.project, ...given, clientBinary(), ...flags);
      const pid = (): number => Number(tmux("display-message", "-p", "-t", pane, "#{pane_pid}"));
      const screen = (): string => tmux("capture-pane", "-p", "-t", pane);
      await until(() => /^❯/m.test(screen()), `the input line of ${name}`);
      return {
        pane,
        model,
        screen,
        keys: (...keys) => void tmux("send-keys", "-t", pane, ...keys),
        type: (words) => void tmux("send-keys", "-t", pane, "-l", words),
        pid,
        isIdle: () => readFileSync(join(stage.home, ".claude", "sessions", `${pid()}.json`), "utf8").includes('"idle"'),
      };
    },
  };
}

/** The hosts still write a while after their terminal is gone. */
async function leave(tmux: Room["tmux"]): Promise<void> {
  const pids = tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);
  tmux("kill-server");
  await until(() => pids.every((pid) => lookUp(pid) === undefined), "the end of the hosts");
}
