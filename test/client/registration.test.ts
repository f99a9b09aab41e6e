/**
 * Host behaviour that `init` relies on: which settings files it reads, what it finds on the PATH, when it uses a proxy.
 */
import { chmodSync, existsSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bash, use } from "./scripted-model.ts";
import { forbidden, openStage, type Stage } from "./stage.ts";

function unregistered(): Stage {
  const stage = openStage();
  stage.sekisho("uninstall");
  return stage;
}

describe("a settings file", () => {
  const gate = (mark: string): object => ({
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "/usr/bin/touch", args: [mark] }] }] },
  });
  const writings: readonly (readonly [string, boolean, (text: string) => string])[] = [
    ["in one line", true, (text) => text],
    ["with CRLF", true, (text) => JSON.stringify(JSON.parse(text), null, 2).replaceAll("\n", "\r\n")],
    ["with a byte order mark", true, (text) => `\ufeff${text}`],
    ["with a comment", false, (text) => `// mine\n${text}`],
    ["with a comma too many", false, (text) => text.replace(/\}$/, ",}")],
    ["with its hooks twice, ours first", false, (text) => text.replace(/\}$/, ',"hooks":{}}')],
  ];

  it.each(writings)("%s: the host reads it is %s, and init agrees", async (_, isRead, write) => {
    const stage = unregistered();
    const mark = join(dirname(stage.home), "mark");
    stage.write(".claude/settings.local.json", write(JSON.stringify(gate(mark))));
    await stage.session([bash("true")]);
    expect(existsSync(mark)).toBe(isRead);
    expect(stage.sekisho("init", "--yes", "--lane", "plain").code).toBe(isRead ? 0 : 1);
  });
});

describe("HK-20 a project file that names no path", () => {
  it("works where the program is on the PATH, and blocks changes elsewhere", async () => {
    const stage = unregistered();
    const bin = join(dirname(stage.home), "bin");
    stage.write("../bin/sekisho", `#!/bin/sh\nexec ${process.execPath} ${stage.program} "$@"\n`);
    chmodSync(join(bin, "sekisho"), 0o755);
    const path = `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`;
    const init = stage.sekishoWith({ PATH: path }, "init", "--yes", "--scope", "project");
    expect(init).toMatchObject({ code: 0, stderr: "" });
    stage.write("hello.txt", "not committed yet\n");
    stage.env["PATH"] = path;
    const here = await stage.session([bash(forbidden, "reset")]);
    expect(here.told("reset")).toContain("Sekisho refuses this");
    stage.env["PATH"] = `${dirname(process.execPath)}:/usr/bin:/bin`;
    const file = join(stage.project, "hello.txt");
    const there = await stage.session([bash("echo x > x.txt", "make"), use("Read", { file_path: file }, "read")]);
    expect(there.told("make")).toMatch(/failed; blocking.*sekisho.*No such file/s);
    expect(there.told("read")).toContain("not committed yet");
    expect(stage.read("x.txt")).toBeUndefined();
  });
});

describe("a proxy", () => {
  async function listening(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  it.each([
    ["HTTP_PROXY", undefined, false],
    ["HTTPS_PROXY", undefined, false],
    ["http_proxy", "localhost,127.0.0.0/8", false],
    ["HTTP_PROXY", "corp,127.0.0.1", true],
    ["HTTPS_PROXY", "127.0.0.1", true],
  ])("%s with NO_PROXY %s: reaching a loopback hook is %s", async (name, exceptions, isReached) => {
    const stage = unregistered();
    const seen: string[] = [];
    const door = await listening(createServer((_, answer) => answer.end(String(seen.push("hook") && "{}"))));
    const proxy = await listening(
      createServer((asked, answer) => {
        const forwarded = request(asked.url ?? "", { method: asked.method, headers: asked.headers }, (response) => {
          answer.writeHead(response.statusCode ?? 500, response.headers);
          response.pipe(answer);
        });
        asked.pipe(forwarded);
      }).on("connect", (_, socket) => socket.end("HTTP/1.1 502 no\r\n\r\n")),
    );
    const hook = { type: "http", url: `http://127.0.0.1:${door}/`, timeout: 3, onFailure: "block" };
    const env = { [name]: `http://127.0.0.1:${proxy}`, ...(exceptions !== undefined && { NO_PROXY: exceptions }) };
    const settings = { env, hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } };
    stage.write(".claude/settings.local.json", JSON.stringify(settings));
    const { told } = await stage.session([bash("echo made > made.txt", "make")]);
    expect(seen.length > 0).toBe(isReached);
    expect(stage.read("made.txt")).toBe(isReached ? "made\n" : undefined);
    if (!isReached) expect(told("make")).toMatch(/blocking/);
  });
});
