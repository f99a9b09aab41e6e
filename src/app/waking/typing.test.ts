/** Typing into real panes of tmux. The host is a small program with its input box; the real one is in test/client. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { until } from "../../../test/until.ts";
import type { HostProcess } from "../../state/session/session.ts";
import { wakeText } from "../../state/wakes/text.ts";
import { lookUp, processAt } from "../../world/machine/caller.ts";
import { tmuxProgram } from "../../world/machine/tmux.ts";
import { setup } from "../host.ts";
import { paneOf } from "./pane.ts";
import { typeWake, typingPane } from "./typing.ts";

/** An input box as the host draws it. `typed` is what a person types at the moment when something else is typed. */
const HOST = `
const fs = require("node:fs");
const [file, draft = "", typed = "", aside = ""] = process.argv.slice(2);
let [text, kept, other] = [draft, aside, typed];
const rule = "─".repeat(40);
const draw = () => process.stdout.write("\\x1b[2J\\x1b[H" + (kept ? "            › stashed" : "") + "\\r\\n" + rule + "\\r\\n❯ " + text + "\\r\\n" + rule + "\\r\\n");
process.stdin.setRawMode(true).on("data", (data) => {
  for (const sign of data.toString()) {
    if (sign === "\\x13") [text, kept] = text === "" ? [kept, ""] : ["", text];
    else if (sign === "\\r") {
      fs.appendFileSync(file, text + "\\n");
      [text, kept] = [kept, ""];
    } else if (sign === "\\x7f") text = text.slice(0, -1);
    else {
      text += other + sign;
      other = "";
    }
  }
  draw();
});
draw();
`;

function room() {
  const root = tempDirectory("panes");
  const socket = join(root, "s");
  const tmux = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: root, LANG: "C.UTF-8" },
    });
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  const program = join(root, "claude");
  symlinkSync(process.execPath, program);
  writeFileSync(join(root, "host.cjs"), HOST);
  const log = join(root, "sent");
  tmux("new-session", "-d", "-s", "team", "-x", "130", "-y", "20", "cat");
  onTestFinished(async () => {
    const pids = tmux("list-panes", "-a", "-F", "#{pane_pid}").split("\n").map(Number);
    tmux("kill-server");
    await until(() => pids.every((pid) => lookUp(pid) === undefined), "the end of the panes");
  });
  const open = (...command: readonly string[]) => {
    const [pane = "", pid = ""] = tmux("new-window", "-d", "-P", "-F", "#{pane_id} #{pane_pid}", ...command).split(" ");
    return { pane, client: processAt(Number(pid)) };
  };
  return {
    ...{ tmux, open },
    /** A host with a half-typed line. */
    async host(...words: readonly string[]) {
      const opened = open(program, join(root, "host.cjs"), log, ...words);
      await until(() => tmux("capture-pane", "-p", "-t", opened.pane).includes("❯"), "the input box");
      return opened;
    },
    screen: (pane: string): string => tmux("capture-pane", "-p", "-t", pane),
    sent: (): string => (existsSync(log) ? readFileSync(log, "utf8") : ""),
  };
}

const TEXT = wakeText("0123456789abcdef");
const typist = (client: HostProcess) => ({ client, waking: setup.waking, pause: (ms: number) => passed(ms) });

async function wake(client: HostProcess): Promise<string | undefined> {
  const pane = await typingPane(typist(client));
  return typeof pane === "string" ? pane : typeWake(pane, TEXT, typist(client));
}

const READS_BACK = "a person reads back in its pane";
const TYPES = "a person has typed something into its pane";

describe.skipIf(tmuxProgram() === undefined)("typing into a pane", () => {
  it("sends the fixed text, and nothing else", async () => {
    const { host, sent } = room();
    expect(await wake((await host()).client)).toBeUndefined();
    await until(() => sent() !== "", "the text");
    expect(sent()).toBe(`${TEXT}\n`);
  });

  it("a half-typed line is put aside, is not sent, and comes back", async () => {
    const { host, sent, screen } = room();
    const { client, pane } = await host("approve release");
    expect(await wake(client)).toBeUndefined();
    await until(() => screen(pane).includes("❯ approve release"), "the half-typed line");
    expect(sent()).toBe(`${TEXT}\n`);
  });

  it("a half-typed line is left alone where something is put aside already", async () => {
    const { host, sent, screen } = room();
    const { client, pane } = await host("approve release", "", "older words");
    expect(await wake(client)).toBe(TYPES);
    expect([sent(), screen(pane).includes("❯ approve release")]).toEqual(["", true]);
  });

  it("what a person types at the same moment is not sent, and stays", async () => {
    const { host, sent, screen } = room();
    const { client, pane } = await host("", "rm everything ");
    expect(await wake(client)).toBe("a person was typing into its pane");
    await until(() => /❯ rm everything\s*$/m.test(screen(pane)), "their words alone");
    expect(sent()).toBe("");
  });

  it("nothing is typed in copy mode, or where keys go to several panes", async () => {
    const { host, sent, tmux } = room();
    const { client, pane } = await host();
    tmux("copy-mode", "-t", pane);
    expect(await wake(client)).toBe(READS_BACK);
    tmux("send-keys", "-t", pane, "-X", "cancel");
    tmux("set-option", "-w", "-t", pane, "synchronize-panes", "on");
    expect(await wake(client)).toBe(READS_BACK);
    expect(sent()).toBe("");
  });

  it("a person's shell gets nothing, whatever name its pane has and whatever a record says", async () => {
    const { open, tmux, screen } = room();
    const { pane, client } = open("sh");
    await until(() => typeof paneOf(client) === "object", "the terminal of the shell");
    tmux("set-option", "-p", "-t", pane, "@agent_id", "worker1");
    expect(await wake(client)).toBe("its process is no client");
    // The named pane is not looked for: the session's own process has no terminal.
    const elsewhere = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
    onTestFinished(() => void elsewhere.kill());
    expect(await wake(processAt(elsewhere.pid ?? 0))).toMatch(/^it (?:is not in tmux|has no terminal)$/);
    expect(screen(pane)).not.toContain("waiting");
  });

  it("a pane whose host has ended gets nothing, also when another program has it now", async () => {
    const { host, tmux, screen, sent } = room();
    const { client, pane } = await host();
    tmux("respawn-pane", "-k", "-t", pane, "cat");
    await until(() => lookUp(client.pid)?.started !== client.started, "the end of the host");
    expect(await wake(client)).toBe("it has no terminal");
    expect(
      await wake({ ...processAt(Number(tmux("display-message", "-p", "-t", pane, "#{pane_pid}"))), started: "1" }),
    ).toBe("it has no terminal");
    expect([sent(), screen(pane)]).toEqual(["", ""]);
  });

  it("a host that is stopped gets nothing: a shell reads its keys", async () => {
    const { open, tmux, screen } = room();
    const { pane, client: shell } = open("bash", "--norc", "--noprofile");
    tmux("send-keys", "-t", pane, "-l", "sleep 60 & echo $! started");
    tmux("send-keys", "-t", pane, "Enter");
    await until(() => /^\d+ started$/m.test(screen(pane)), "the process in the background");
    const pid = Number(/^(\d+) started$/m.exec(screen(pane))?.[1]);
    expect(paneOf(processAt(pid))).toBe("it is not in the foreground");
    expect(paneOf(shell)).toMatchObject({ id: pane });
  });

  it("a screen without an input line is known", () => {
    expect(setup.waking.inputIn("Do you want to proceed?\n❯ 1. Yes\n  2. No")).toBeUndefined();
    expect(setup.waking.inputIn("────────\n! ls\n────────")).toBeUndefined();
    expect(setup.waking.inputIn("────────\n❯ \n────────\n  ? for shortcuts")).toEqual({ text: "", hasAside: false });
    expect(setup.waking.inputIn("  · › stashed\n────────\n❯ a b\n  c\n────────")).toEqual({
      text: "abc",
      hasAside: true,
    });
  });
});
