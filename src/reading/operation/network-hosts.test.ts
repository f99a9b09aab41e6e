import { describe, expect, it } from "vitest";
import { readShell } from "../shell/parse/shell.ts";
import { staysHere } from "./network-hosts.ts";

const stays = (command: string): boolean | undefined => {
  const [first] = readShell(command, { cwd: "/p", home: "/h" }).invocations;
  return first && staysHere(first.args, first.name);
};

describe("a request that stays on this machine", () => {
  it.each([
    "curl localhost:3000/a -H 'Authorization: Bearer x'",
    'curl -H "Accept: application/json" http://127.0.0.1:8000/x/y.json',
    'curl -X POST http://localhost/x -d \'{"url":"https://example.com"}\'',
    "curl http://app.localhost/x",
  ])("%s", (command) => expect(stays(command)).toBe(true));

  it.each([
    "curl https://example.com",
    "curl http://localhost https://example.com",
    'curl -H "Origin: http://localhost:1420" https://example.com/x',
    "curl $URL",
    "curl -x evil.example:8080 http://localhost/x",
    "curl --resolve localhost:80:6.6.6.6 http://localhost/x",
    "curl -K cfg http://localhost/x",
    "curl http://localhost.evil.example/x",
    "wget -H https://evil.example http://localhost/x",
    "wget -d https://evil.example http://localhost/x",
    "curl -oH https://evil.example http://localhost/x",
  ])("is not %s", (command) => expect(stays(command)).toBe(false));
});
