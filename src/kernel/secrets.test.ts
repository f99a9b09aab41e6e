import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mask, maskText } from "./secrets.ts";

describe("AU-5 masking", () => {
  it("AU-5 TS-14 by key, in any case and at any depth", () => {
    expect(
      mask({ env: { API_KEY: "a1", my_secret: "b", list: [{ accessKey: "c" }], Password: 5 }, name: "ok" }),
    ).toEqual({
      env: { API_KEY: "*****", my_secret: "*****", list: [{ accessKey: "*****" }], Password: "*****" },
      name: "ok",
    });
  });

  it.each([
    ["export API_KEY=abc123 && run", "abc123"],
    ["MY_SECRET='two words' ./x", "two words"],
    ['curl -H "X: y" --token tok_abcdef', "tok_abcdef"],
    ["deploy --password=hunter2 now", "hunter2"],
    ["curl -H 'Authorization: Bearer abcdefghij.klm'", "abcdefghij"],
    ["curl -u x https://user:pa55@example.org/a", "pa55"],
    ["git clone https://oauth2:glpat-abcdefghijklmnopqrst@host/x", "glpat-abcdefghijklmnopqrst"],
    [`echo '{"client_secret": "s3cr3t"}'`, "s3cr3t"],
    ["gh auth login --with-token <<< ghp_abcdefghijklmnopqrstuvwxyz", "ghp_abcdefghijklmnopqrstuvwxyz"],
    ["aws configure set x AKIAABCDEFGHIJKLMNOP", "AKIAABCDEFGHIJKLMNOP"],
    ["cat <<X\n-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----\nX", "MIIEabc"],
    ["echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc", "eyJzdWIiOiIxMjM0NTY3ODkwIn0"],
    ['TOKEN="a"Zq9Xv1 run', "Zq9Xv1"],
    ["PASSWORD=Zq9\\ Xv1 run", "Xv1"],
    ["curl -u admin:Zq9Xv1 https://x.example", "Zq9Xv1"],
    ["mysql -uroot -pZq9Xv1 db", "Zq9Xv1"],
    ["sshpass -p Zq9Xv1 ssh host", "Zq9Xv1"],
    ["docker login -u me -p Zq9Xv1", "Zq9Xv1"],
    ["redis-cli -a Zq9Xv1 ping", "Zq9Xv1"],
    ["DB_PASS=Zq9Xv1 ./run", "Zq9Xv1"],
    ["curl -H 'Authorization: token Zq9Xv1'", "Zq9Xv1"],
    ["curl -H 'Cookie: sid=Zq9Xv1'", "Zq9Xv1"],
    ["git clone https://Zq9Xv1@github.com/a/b", "Zq9Xv1"],
    ["aws configure set aws_secret_access_key Zq9Xv1", "Zq9Xv1"],
    ["echo machine h login l password Zq9Xv1 > ~/.netrc", "Zq9Xv1"],
    ["openssl enc -k pass:Zq9Xv1", "Zq9Xv1"],
    ["echo AIzaSyA1234567890abcdefghijklmnopqrstuv", "AIzaSyA1234567890"],
    ["echo sk_live_1234567890abcdef", "sk_live_1234567890"],
    ["echo hf_abcdefghijklmnopqrstuvwx", "hf_abcdefghij"],
  ])("AU-5 TS-14 inside a command: %s", (command, secret) => {
    const masked = maskText(command);
    expect(masked).not.toContain(secret);
    expect(masked).toContain("*****");
  });

  it("leaves ordinary text alone", () => {
    for (const line of [
      "git commit -m 'tokenize input'",
      "ls -la /tmp",
      "https://example.org/a?b=c",
      "npm run test:basic",
    ]) {
      expect(maskText(line)).toBe(line);
    }
  });

  it("is total and linear: hostile text and nesting come back in time", () => {
    const hostile = [
      "a.".repeat(200_000),
      "token=".repeat(100_000),
      `password="${"x".repeat(500_000)}`,
      "eyJ-".repeat(100_000),
      "--".repeat(200_000),
    ];
    for (const value of hostile) expect(typeof maskText(value)).toBe("string");
    let deep: unknown = "x";
    for (let level = 0; level < 5_000; level++) deep = [deep];
    expect(JSON.stringify(mask(deep))).toContain("nested too deeply");
  });

  it("never invents a key that was not there, whatever it is given", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => JSON.stringify(mask(value)) !== undefined));
  });
});
