/**
 * Kinds of secrets, each with a way to make one up and the texts in which people and programs write it. All values are
 * random, and prefixes are joined here, so that no scanner takes this file for a leak.
 */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Repeatable made-up values: `seed` → a function that makes the next one. */
export function maker(seed = 1) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const from = (letters, length) => Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join("");
  // Every value has letters of both cases and a digit, as a generated password has.
  return {
    word: (length) => `${from(LETTERS, length - 3)}q7Z`,
    hex: (length) => from("0123456789abcdef", length),
    upper: (length) => from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", length),
    uuid: () => [8, 4, 4, 4, 12].map((length) => from("0123456789abcdef", length)).join("-"),
  };
}

/** Tokens recognised by their shape: kind, and how one is made. */
const TOKENS = {
  "GitHub token": (m) => `gh${"p_"}${m.word(36)}`,
  "GitHub fine-grained token": (m) => `github_${"pat_"}${m.word(60)}`,
  "GitLab token": (m) => `gl${"pat-"}${m.word(20)}`,
  "Slack token": (m) => `xo${"xb-"}${m.word(24)}`,
  "OpenAI key": (m) => `sk${"-proj-"}${m.word(48)}`,
  "Anthropic key": (m) => `sk${"-ant-api03-"}${m.word(40)}`,
  "Stripe key": (m) => `sk${"_live_"}${m.word(24)}`,
  "npm token": (m) => `np${"m_"}${m.word(36)}`,
  "PyPI token": (m) => `py${"pi-"}${m.word(50)}`,
  "Google API key": (m) => `AI${"za"}${m.word(35)}`,
  "Google OAuth token": (m) => `ya${"29."}${m.word(60)}`,
  "AWS access key": (m) => `AK${"IA"}${m.upper(16)}`,
  "SendGrid key": (m) => `S${"G."}${m.word(22)}.${m.word(43)}`,
  "Hugging Face token": (m) => `h${"f_"}${m.word(34)}`,
  "DigitalOcean token": (m) => `do${"p_v1_"}${m.hex(64)}`,
  "Shopify token": (m) => `sh${"pat_"}${m.hex(32)}`,
  "Vault token": (m) => `hv${"s."}${m.word(60)}`,
  "Databricks token": (m) => `da${"pi"}${m.hex(32)}`,
  "Atlassian token": (m) => `AT${"ATT3"}${m.word(60)}`,
  "Grafana token": (m) => `gl${"sa_"}${m.word(32)}_${m.hex(8)}`,
  "Docker token": (m) => `dc${"kr_pat_"}${m.word(27)}`,
  "Tailscale key": (m) => `ts${"key-auth-"}${m.word(30)}`,
  "Mailgun key": (m) => `ke${"y-"}${m.hex(32)}`,
  "Twilio key": (m) => `S${"K"}${m.hex(32)}`,
  "Notion token": (m) => `nt${"n_"}${m.word(43)}`,
  "Terraform token": (m) => `${m.word(14)}.${"atlasv1."}${m.word(60)}`,
  "Telegram bot token": (m) => `${m.hex(1).replace(/\D/, "7")}12345678:${"AA"}${m.word(33)}`,
  "Azure client secret": (m) => `${m.word(3)}8${"Q~"}${m.word(34)}`,
  "JSON web token": (m) => `ey${"J"}${m.word(20)}.${m.word(60)}.${m.word(43)}`,
  "Sentry token": (m) => `sn${"trys_"}${m.word(60)}`,
  "Supabase key": (m) => `sb${"p_"}${m.hex(40)}`,
  "age key": (m) => `AGE-${"SECRET-KEY-"}1${m.upper(58)}`,
};

const password = (m) => m.word(14);

/** Secrets recognised by their surroundings: kind, maker, and lines of a shell. */
const LINES = {
  "Slack webhook": [
    (m) => `T${m.upper(8)}/B${m.upper(8)}/${m.word(24)}`,
    (s) => `curl -d '{}' https://hooks.slack.com/services/${s}`,
    (s) => `SLACK=https://hooks.slack.com/services/${s} ./notify`,
  ],
  "Discord webhook": [(m) => m.word(60), (s) => `curl https://discord.com/api/webhooks/123456789012345678/${s}`],
  "Teams webhook": [(m) => m.word(40), (s) => `curl https://acme.webhook.office.com/webhookb2/${s}`],
  "Zapier webhook": [(m) => `123456/${m.word(12)}`, (s) => `curl https://hooks.zapier.com/hooks/catch/${s}/`],
  "key parameter": [(m) => m.word(32), (s) => `curl 'https://maps.example.com/geo?q=x&key=${s}'`],
  "signature parameter": [
    (m) => m.word(40),
    (s) => `curl 'https://a.blob.example.net/c/x?sv=2022-11-02&sig=${s}'`,
    (s) => `wget 'https://b.s3.example.com/x?X-Amz-Signature=${s}'`,
  ],
  "access token parameter": [password, (s) => `curl 'https://api.example.com/me?access_token=${s}'`],
  "URL credentials": [
    password,
    (s) => `git clone https://dev:${s}@git.example.com/x.git`,
    (s) => `psql postgres://app:${s}@db.example.com/prod`,
    (s) => `redis-cli -u redis://:${s}@cache.example.com:6379`,
  ],
  "environment assignment": [
    password,
    (s) => `export DB_PASSWORD=${s}`,
    (s) => `API_TOKEN='${s}' ./deploy`,
    (s) => `set -x GITHUB_TOKEN ${s}`,
    (s) => `export ENCRYPTION_KEY="${s}"`,
    (s) => `docker run -e POSTGRES_PASSWORD=${s} postgres`,
  ],
  "password option": [
    password,
    (s) => `deploy --password ${s} --host x`,
    (s) => `deploy --auth-token=${s}`,
    (s) => `gpg --batch --passphrase ${s} -d x.gpg`,
  ],
  "keytool -storepass": [
    password,
    (s) => `keytool -list -keystore k.jks -storepass ${s} -keypass changeit9`,
    (s) => `keytool -genkey -storepass first9 -keypass ${s}`,
  ],
  "ssh-keygen -N": [password, (s) => `ssh-keygen -t ed25519 -N ${s} -f k`, (s) => `ssh-keygen -p -P ${s} -N '' -f k`],
  "openssl -k": [
    password,
    (s) => `openssl enc -aes-256-cbc -k ${s} -in a -out b`,
    (s) => `openssl rsa -passin pass:${s} -in k.pem`,
    (s) => `openssl dgst -sha256 -hmac ${s} x`,
    (s) => `openssl passwd -6 ${s}`,
  ],
  "plink -pw": [password, (s) => `plink -pw ${s} root@host uptime`],
  "sshpass -p": [password, (s) => `sshpass -p ${s} ssh root@host`, (s) => `sshpass -p'${s}' scp a host:`],
  "mysql -p": [password, (s) => `mysql -uroot -p${s} app`, (s) => `mysqldump -h db -u root -p'${s}' app > x.sql`],
  "curl -u": [
    password,
    (s) => `curl -u admin:${s} https://x.example`,
    (s) => `curl -sSu 'admin:${s}' https://x.example`,
  ],
  "bearer header": [
    (m) => m.word(30),
    (s) => `curl -H "Authorization: Bearer ${s}" https://x.example`,
    (s) => `curl -H 'X-Api-Key: ${s}' https://x.example`,
    (s) => `http https://x.example Authorization:"token ${s}"`,
  ],
  cookie: [
    password,
    (s) => `curl -b 'sid=${s}' https://x.example`,
    (s) => `curl -H 'Cookie: sid=${s}' https://x.example`,
  ],
  "vault login": [(m) => m.word(24), (s) => `vault login ${s}`, (s) => `vault operator unseal ${s}`],
  "docker login -p": [password, (s) => `docker login -u me -p ${s} registry.example.com`],
  "redis-cli -a": [password, (s) => `redis-cli -h cache -a ${s} ping`],
  "mongo -p": [password, (s) => `mongosh -u root -p ${s} --authenticationDatabase admin`],
  "sqlcmd -P": [password, (s) => `sqlcmd -S h -U sa -P ${s} -Q 'select 1'`],
  "sqlplus login": [password, (s) => `sqlplus scott/${s}@orcl @x.sql`],
  "ldap -w": [password, (s) => `ldapsearch -x -D cn=admin -w ${s} -b dc=x`],
  "archive password": [
    password,
    (s) => `unzip -P ${s} a.zip`,
    (s) => `7z x -p${s} a.7z`,
    (s) => `zip -r -P ${s} a.zip src`,
  ],
  "smbclient -U": [password, (s) => `smbclient //h/s -U me%${s} -c ls`],
  "password on standard input": [
    password,
    (s) => `echo ${s} | sudo -S true`,
    (s) => `echo ${s} | docker login -u me --password-stdin`,
    (s) => `gh auth login --with-token <<< ${s}`,
    (s) => `echo 'root:${s}' | sudo chpasswd`,
  ],
  "secret put into a vault": [
    password,
    (s) => `gh secret set DEPLOY --body ${s}`,
    (s) => `kubectl create secret generic x --from-literal=any=${s}`,
    (s) => `fly secrets set ANY=${s}`,
    (s) => `aws ssm put-parameter --name /x --type SecureString --value ${s}`,
  ],
  "token as an operand": [
    (m) => m.word(30),
    (s) => `cargo login ${s}`,
    (s) => `ngrok config add-authtoken ${s}`,
    (s) => `snyk auth ${s}`,
    (s) => `poetry config pypi-token.pypi ${s}`,
    (s) => `mc alias set s3 https://s3.example.com access ${s}`,
    (s) => `rabbitmqctl add_user bob ${s}`,
    (s) => `htpasswd -nb me ${s}`,
  ],
  "registry credentials": [
    password,
    (s) => `npm config set //registry.example.com/:_authToken ${s}`,
    (s) => `skopeo copy --src-creds me:${s} docker://a docker://b`,
    (s) => `dotnet nuget push x.nupkg -k ${s}`,
    (s) => `twine upload -u me -p ${s} dist/x.whl`,
  ],
  "git configuration": [
    password,
    (s) => `git config --global github.token ${s}`,
    (s) => `git -c http.extraHeader='Authorization: Basic ${s}' fetch`,
  ],
};

/** Contents of files and words of people. */
const TEXTS = {
  "private key": [
    (m) => m.word(64),
    (s) => `-----BEGIN OPENSSH ${"PRIVATE KEY"}-----\n${s}\n-----END OPENSSH ${"PRIVATE KEY"}-----\n`,
    (s) => `-----BEGIN PGP ${"PRIVATE KEY"} BLOCK-----\n\n${s}\n-----END PGP ${"PRIVATE KEY"} BLOCK-----\n`,
  ],
  "password hash": [(m) => `$2${"y"}$10$${m.word(53)}`, (s) => `admin:${s}\n`],
  ".env line": [password, (s) => `PORT=3000\nSECRET_KEY_BASE=${s}\nDEBUG=1\n`, (s) => `STRIPE_API_KEY="${s}"\n`],
  "JSON setting": [
    password,
    (s) => JSON.stringify({ database: { user: "app", password: s } }, null, 2),
    (s) => `{"auths":{"r.example.com":{"auth":"${s}"}}}`,
  ],
  "YAML setting": [
    password,
    (s) => `db:\n  user: app\n  password: ${s}\n`,
    (s) => `env:\n  - name: API_KEY\n    value: ${s}\n`,
    (s) => `users:\n- user:\n    client-key-data: ${s}\n`,
  ],
  "XML setting": [password, (s) => `<server><id>x</id><password>${s}</password></server>`],
  "connection string": [
    password,
    (s) => `Server=db;Database=x;User Id=sa;Password=${s};Encrypt=true`,
    (s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s}==;EndpointSuffix=x`,
  ],
  "source code": [
    password,
    (s) => `const client = new Client({ apiKey: "${s}" });`,
    (s) => `os.environ["API_TOKEN"] = "${s}"`,
    (s) => `subprocess.run(["deploy", "--password", "${s}"])`,
    (s) => `ENV API_TOKEN ${s}\n`,
  ],
  ".netrc line": [password, (s) => `machine x.example login me password ${s}\n`],
  ".pgpass line": [password, (s) => `db.example.com:5432:app:root:${s}\n`],
  "what a person says": [
    password,
    (s) => `the password is ${s}, use it`,
    (s) => `パスワードは ${s} です`,
    (s) => `log in with password ${s} first`,
  ],
};

/** Every kind: name, whether a line of a shell can hold it, the maker of its secrets, and the texts around one. */
export const KINDS = [
  ...Object.entries(TOKENS).map(([kind, make]) => ({
    kind,
    is: "token",
    make,
    texts: [(s) => `deploy ${s} now`, (s) => `echo "${s}" > t.txt`],
  })),
  ...Object.entries(LINES).map(([kind, [make, ...texts]]) => ({ kind, is: "line", make, texts })),
  ...Object.entries(TEXTS).map(([kind, [make, ...texts]]) => ({ kind, is: "text", make, texts })),
];

/** Ordinary texts that look like secrets; nothing of them may be masked. */
export const LOOK_ALIKES = [
  "git show 3f2a9c1e5b7d8f0a1c2e3d4b5a69788796a5b4c3",
  "git revert --no-edit 9fceb02",
  "curl https://x.example/jobs/3f2504e0-4f89-11d3-9a0c-0305e82c3301",
  "echo aGVsbG8= | base64 -d",
  "deploy --password-file /run/secrets/db",
  "deploy --token-file=token.txt",
  "PASSWORD=$VAR ./run",
  `export API_KEY="\${API_KEY:-}"`,
  "docker run -p 8080:80 nginx",
  "mkdir -p src/auth/tokens",
  "key=value theme=dark node x.js",
  "curl 'https://x.example/list?key=name&sort=asc'",
  "npm test -- --grep 'token expires'",
  "git commit -m 'Add password reset and token refresh'",
  "git commit -m 'fix cargo login flow'",
  "git checkout -b feature/auth && curl -fsS https://x.example/health",
  "git push -u origin main && curl -u $USER:$PASS https://x.example",
  "sort -u names.txt",
  "ssh-keygen -t ed25519 -N '' -f k",
  "openssl x509 -in cert.pem -noout -passin env:PASS",
  "mysql -u root -p app < dump.sql",
  "cp -p a b && tar -p -xf x.tar",
  "node -p 1+1",
  "max_tokens=4096 temperature=0.2 python x.py",
  "kubectl get secrets -n prod",
  "kubectl describe secret db",
  "gh auth status",
  "const token = await getToken(user);",
  "function login(password: string): Promise<void> {}",
  "password: process.env.DB_PASSWORD,",
  "token: user.token,",
  "tokens: 1200, passed: 12",
  `Authorization: \${TOKEN}`,
  "secretName: tls-cert",
  "tokenUrl: https://x.example/oauth",
  "basic authentication and bearer tokens are described below",
  "sk-toggleable-content-label",
  "sha512-abc and sha256 of package-lock.json",
  "https://github.com/a/b/pull/12#issuecomment-3",
  "git@github.com:a/b.git",
  "ssh://git@github.com/a/b.git",
  "node_modules/.cache/babel-loader/AbstractSingletonFactory.js",
  "export default function tokenizer(source) {}",
  "keyboard shortcuts, monkey=banana, keyword=if",
  "passing=3 failing=0 compass=north",
  "rm -rf ./build && npm run build:prod",
  "docker login registry.example.com",
  "vault login -method=oidc",
  "This would show a stored token or password to the model ($AWS_SECRET_ACCESS_KEY to the model).",
];
