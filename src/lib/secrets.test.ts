import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS, LOOK_ALIKES, maker } from "../../scripts/secrets/kinds.mjs";
import { growsFaster } from "../../test/growth.ts";
import { NAME } from "./secret-names.ts";
import { traces } from "./secret-traces.ts";
import { holdsKey, holdsSecret, mask, maskText, maskTokens, secretShapes } from "./secrets.ts";

/** Every kind in every text around it, with three made-up values each. */
const PLANTED = KINDS.flatMap(({ kind, make, texts }) => texts.map((around) => ({ kind, make, around })));

it("a trace that is searched only beside a name holds that name in its pattern", () => {
  const named = traces().filter((trace) => trace.named);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((trace) => !trace.pattern().source.includes(NAME))).toEqual([]);
});

describe("AU-5 masking", () => {
  it("keeps a sentence about secrets, but masks a secret inside a sentence", () => {
    const said = "This would show a stored token or password to the model ($AWS_SECRET_ACCESS_KEY to the model).";
    expect(maskText(said)).toBe(said);
    expect(maskText("login with password Zq9Xv1 then")).not.toContain("Zq9Xv1");
  });

  it("AU-5 TS-14 masks by key, in any case and at any depth", () => {
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
    ["echo bearer abcdefghij.klm > header.txt", "abcdefghij"],
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
    ["curl -su admin:Zq9Xv1 https://x.example", "Zq9Xv1"],
    ["curl -U me:Zq9Xv1 https://x.example", "Zq9Xv1"],
    ["curl -b 'sid=Zq9Xv1' https://x.example", "Zq9Xv1"],
    ["curl --oauth2-bearer Zq9Xv1 https://x.example", "Zq9Xv1"],
    ['curl -H Authorization:"token Zq9Xv1" https://x.example', "Zq9Xv1"],
    ["curl -H Authorization:\\ token\\ Zq9Xv1 https://x.example", "Zq9Xv1"],
    ["curl -H $'Authorization: token Zq9Xv1' https://x.example", "Zq9Xv1"],
    ["python3 -c \"h = {'Authorization': 'token Zq9Xv1'}\"", "Zq9Xv1"],
    ['bash -c "curl -H \\"Authorization: token Zq9Xv1\\" https://x.example"', "Zq9Xv1"],
    ["curl -H 'X-Api-Key: Zq9Xv1' https://x.example", "Zq9Xv1"],
    ["PGPASSWORD=Zq9Xv1 psql", "Zq9Xv1"],
    ["MYSQL_PWD=Zq9Xv1 mysql", "Zq9Xv1"],
    ["REDISCLI_AUTH=Zq9Xv1 redis-cli", "Zq9Xv1"],
    ["psql 'host=h user=u password=Zq9Xv1'", "Zq9Xv1"],
    ["az storage --connection 'AccountName=a;AccountKey=Zq9Xv1==;X=y'", "Zq9Xv1"],
    ["sqlcmd -S h -U sa -P Zq9Xv1", "Zq9Xv1"],
    ["ldapsearch -D cn=x -w Zq9Xv1", "Zq9Xv1"],
    ["unzip -P Zq9Xv1 a.zip", "Zq9Xv1"],
    ["7z x -pZq9Xv1 a.7z", "Zq9Xv1"],
    ["smbclient //h/s -U me%Zq9Xv1", "Zq9Xv1"],
    ["htpasswd -nb me Zq9Xv1", "Zq9Xv1"],
    ["htpasswd -cb .htpasswd me Zq9Xv1", "Zq9Xv1"],
    ["npm config set //registry.npmjs.org/:_authToken Zq9Xv1", "Zq9Xv1"],
    ["git config --global github.token Zq9Xv1", "Zq9Xv1"],
    ["echo Zq9Xv1 | sudo -S apt update", "Zq9Xv1"],
    ["echo 'Zq9 Xv1' | sudo -kS id", "Xv1"],
    ["echo me:Zq9Xv1 | sudo chpasswd", "Zq9Xv1"],
    ["echo Zq9Xv1 | docker login -u me --password-stdin", "Zq9Xv1"],
    ["printf '%s' Zq9Xv1 | gh auth login --password-stdin", "Zq9Xv1"],
    ["gh secret set NAME --body Zq9Xv1", "Zq9Xv1"],
    ["kubectl create secret generic x --from-literal=any=Zq9Xv1", "Zq9Xv1"],
    ["heroku config:set ANY=Zq9Xv1", "Zq9Xv1"],
    ["vault kv put kv/app any=Zq9Xv1", "Zq9Xv1"],
    ["echo hvs.CAESIJ1234567890abcdefgh", "hvs.CAESIJ1234567890"],
    ["gpg --batch --passphrase Zq9Xv1 -d x", "Zq9Xv1"],
    ["http -a me:Zq9Xv1 https://x.example", "Zq9Xv1"],
    ["wget --http-user=me --http-password=Zq9Xv1 https://x.example", "Zq9Xv1"],
  ])("AU-5 TS-14 masks inside a command: %s", (command, secret) => {
    const masked = maskText(command);
    expect(masked).not.toContain(secret);
    expect(masked).toContain("*****");
  });

  it("keeps ordinary text", () => {
    for (const line of [
      "git commit -m 'tokenize input'",
      "ls -la /tmp",
      "https://example.org/a?b=c",
      "npm run test:basic",
      "gh auth status",
      "git commit -m 'author: somebody'",
      "zip -r out.zip src",
      "curl -sS -o out https://x.example",
      "kubectl get secrets",
      "echo done | sudo tee /etc/motd",
    ]) {
      expect(maskText(line)).toBe(line);
    }
  });

  it("AU-5 masks every kind of planted secret, whole", () => {
    const values = maker(11);
    const left = PLANTED.flatMap(({ kind, make, around }) =>
      [1, 2, 3].flatMap(() => {
        const secret = make(values);
        const masked = maskText(around(secret));
        const parts = secret.length > 24 ? [secret.slice(0, 16), secret.slice(-12)] : [secret];
        return parts.some((part) => masked.includes(part)) ? [`${kind}: ${masked}`] : [];
      }),
    );
    expect(left).toEqual([]);
    expect(KINDS.length).toBeGreaterThan(40);
  });

  it.each(LOOK_ALIKES)("keeps what only looks like a secret: %s", (line) => {
    expect(maskText(line)).toBe(line);
    const input = { command: line, args: /["'`()]/.test(line) ? [] : line.split(" ") };
    expect(mask(input)).toEqual(input);
  });

  it.each([
    [["deploy", "--password", "hunter2", "-v"], 2],
    [["-u", "root", "--token", "hunter2"], 3],
    [["mysql", "-u", "root", "-phunter2", "app"], 3],
    [["docker", "login", "-u", "me", "-p", "hunter2"], 5],
    [["vault", "login", "hunter22"], 2],
    [["curl", "-s", "-u", "me:hunter2", "https://x.example"], 3],
    [["keytool", "-storepass", "hunter2", "-keystore", "k"], 2],
    [["run", "-p", "8080:80", "--password-file", "x"], -1],
  ])("masks the argument of a list that is a secret by the one before: %j", (list, at) => {
    expect(mask(list)).toEqual(list.map((word, index) => (index === at ? "*****" : word)));
  });

  it("masks the value of a pair whose name means a secret, and keeps counts and switches", () => {
    expect(
      mask([
        { name: "X-Api-Key", value: "a1" },
        { key: "color", value: "red" },
      ]),
    ).toEqual([
      { name: "X-Api-Key", value: "*****" },
      { key: "color", value: "red" },
    ]);
    const plain = { max_tokens: 4096, token: true, password: "$DB_PASSWORD", secretName: "tls", password_file: "x" };
    expect(mask(plain)).toEqual(plain);
  });

  it("keeps the results of tests, and what is said about a token in Japanese", () => {
    const said = [
      "PASS: post_mini_flow step 3",
      "テスト全PASS: VecSearch/setup",
      "全項目PASS:\n1. HEAD is right",
      "test(PASS=16/FAIL=0)/validate",
      "LINE_CHANNEL_TOKEN: 読み込み成功",
    ];
    for (const text of said) expect(maskText(text)).toBe(text);
    expect(mask({ PASS: "are both apart?" })).toEqual({ PASS: "are both apart?" });
    for (const secret of ["PASS=Zq9Xv1", "DB_PASS: Zq9Xv1", "pass: Zq9Xv1", "password: ひみつZq9Xv1"])
      expect(maskText(secret)).not.toContain("Zq9Xv1");
    expect(mask({ PASS: "Zq9Xv1" })).toEqual({ PASS: "*****" });
  });

  it("masks only tokens in a path", () => {
    const token = `ghp_${"Zq9".repeat(12)}`;
    expect(maskTokens(`/home/dev/${token}/password=x`)).toBe("/home/dev/*****/password=x");
    expect(maskTokens("/home/dev/project/src/lib/secrets.test.ts")).toBe("/home/dev/project/src/lib/secrets.test.ts");
  });

  it("calling an address with a key in it sends no secret elsewhere", () => {
    for (const address of [
      "https://hooks.slack.com/services/T0000000/B0000000/Zq9Zq9Zq9Zq9Zq9Zq9Zq9Zq9",
      "https://maps.example.com/geo?key=Zq9Zq9Zq9Zq9Zq9Zq9Zq9Zq9",
    ]) {
      expect(maskText(address)).not.toContain("Zq9");
      expect(holdsSecret(address)).toBe(false);
    }
    expect(holdsSecret("https://x.example/?token=Zq9Zq9")).toBe(true);
  });

  it("tells a file with a machine-made secret from a file with an example", () => {
    const values = maker(5);
    const kept = PLANTED.flatMap(({ kind, make, around }) => (holdsKey(around(make(values))) ? [] : [kind]));
    expect(kept).toEqual([]);
    for (const content of [
      ...LOOK_ALIKES,
      "password: changeme\n",
      'const user = { name: "a", password: "secret" };',
      "postgres://postgres:postgres@localhost/app",
      '"integrity": "sha512-Zq9Zq9Zq9Zq9Zq9Zq9Zq9Zq9Zq9Zq9Zq9Zq9=="',
    ]) {
      expect([content, holdsKey(content)]).toEqual([content, false]);
    }
  });

  it("handles hostile text and deep nesting in linear time", () => {
    const hostile: readonly (readonly [string, string])[] = [
      ["", "a."],
      ["", "token="],
      ['password="', "x"],
      ["", "eyJ-"],
      ["", "--"],
      ["", "mysql -"],
      ["", "echo -n "],
      ["sudo ", "htpasswd -b a b "],
      ["curl ", "-u"],
      ["", "curl -u "],
      ["", '"--password", '],
      ["", "vault login -"],
      ["", "<password>"],
      ["", "name: TOKEN value: "],
      ["", "?key="],
      ["", "A_KEY="],
      ["openssl ", "'"],
      ["", "echo a | sudo -S "],
      ["", "https://hooks.slack.com/services/"],
      ["sk-", "a"],
    ];
    for (const [head, piece] of hostile) {
      const work = (size: number) => maskText(head + piece.repeat(size / piece.length));
      expect([piece, growsFaster(work, 100_000)]).toEqual([piece, undefined]);
    }
    let deep: unknown = "x";
    for (let level = 0; level < 5_000; level++) deep = [deep];
    expect(JSON.stringify(mask(deep))).toContain("nested too deeply");
  });

  it("returns a value for any input", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => JSON.stringify(mask(value)) !== undefined));
  });

  it("finds secrets by their shape alone, and nothing else", () => {
    const token = `ghp_${"a1".repeat(18)}`;
    expect(secretShapes(`curl -H 'X: ${token}' AKIAABCDEFGHIJKLMNOP`)).toEqual([token, "AKIAABCDEFGHIJKLMNOP"]);
    expect(secretShapes("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----")).toHaveLength(1);
    expect(secretShapes("PASSWORD=x curl -u a:b https://c:d@e.example")).toEqual([]);
  });
});
