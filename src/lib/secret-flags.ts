/** Where programs take a password on their command line. Data; `secrets.ts` searches for it. */

type Row = readonly [mark: string, program: string, options: string];

/**
 * A word of the program's name, its pattern (with the subcommand), and the options whose value is a secret. `~`: the
 * value may follow without a blank; `!`: it must.
 */
export const flags = (): readonly Row[] => [...ofData(), ...ofOthers()];

const ofData = (): readonly Row[] => [
  ["mysql", "mysql\\w*", "-p!"],
  ["mariadb", "mariadb\\w*", "-p!"],
  ["7z", "7z[azr]?", "-p!"],
  ["rar", "(?:un)?rar", "-h?p!"],
  ["sshpass", "sshpass", "-p~"],
  ["mongo", "mongo\\w*", "-p~"],
  ["cqlsh", "cqlsh", "-p~"],
  ["login", "(?:docker|podman|nerdctl|helm registry|crane auth|oras|az acr|az|cf|argocd|skopeo|buildah) login", "-p~"],
  ["twine", "twine", "-p"],
  ["influx", "influx", "-p"],
  ["rdesktop", "rdesktop", "-p"],
  ["ncftp", "ncftp\\w*", "-p"],
  ["rabbitmqadmin", "rabbitmqadmin", "-p"],
  ["usermod", "usermod", "-p"],
  ["useradd", "useradd", "-p"],
  ["-cli", "(?:redis|valkey)-cli", "-a"],
  ["ldap", "ldap\\w+", "-w"],
  ["sqlcmd", "sqlcmd", "-P~"],
  ["bcp", "bcp", "-P~"],
  ["isql", "isql", "-P~"],
  ["tsql", "tsql", "-P~"],
  ["osql", "osql", "-P~"],
  ["zip", "(?:un)?zip(?:cloak)?", "-P~"],
  ["mosquitto_", "mosquitto_\\w+", "-P"],
  ["ipmitool", "ipmitool", "-P"],
];

const ofOthers = (): readonly Row[] => [
  ["ssh-keygen", "ssh-keygen", "-N -P"],
  ["openssl", "openssl", "-k -K -hmac"],
  ["plink", "plink", "-pw"],
  ["pscp", "pscp", "-pw"],
  ["psftp", "psftp", "-pw"],
  ["puttygen", "puttygen", "-pw"],
  ["security ", "security (?:add-\\w+-password|\\w+-keychain|import|set-key-partition-list)", "-w -p -P -k"],
  ["snmp", "snmp\\w+", "-A -X"],
  ["glab auth login", "glab auth login", "-t"],
  ["doctl", "doctl", "-t"],
  ["codecov", "codecov", "-t"],
  ["vercel", "vercel", "-t"],
  ["k6 login", "k6 login", "-t"],
  ["k6 cloud login", "k6 cloud login", "-t"],
  ["nuget", "(?:dotnet )?nuget", "-k -ApiKey"],
  ["lftp", "lftp", "-u"],
  ["etcdctl", "etcdctl", "--user"],
  ["skopeo", "skopeo", "--creds --src-creds --dest-creds"],
  ["buildah", "buildah", "--creds --src-creds --dest-creds"],
  ["podman", "podman", "--creds --src-creds --dest-creds"],
  ["oras", "oras", "--creds --src-creds --dest-creds"],
  ["gh secret", "gh secret set", "-b --body"],
  ["xfreerdp", "xfreerdp", "/p:! /p"],
  ["wfreerdp", "wfreerdp", "/p:! /p"],
  ["signtool", "signtool", "/p:! /p"],
  ["netlify", "netlify", "--auth"],
  ["curl", "curl", "-[a-zA-Z]{0,8}[uU](?=[\\s=]{0,4}\\S*:)~ --(?:proxy-)?user -b(?=\\s+\\S*=) --cookie(?=\\s+\\S*=)"],
  ["http", "https?", "-a"],
  ["xh", "xh", "-a"],
  ["put-parameter", "aws ssm put-parameter", "--value"],
];

/** The word after these is a secret: a mark to search first, then the command with the operands before the secret. */
export const operands = (): readonly (readonly [mark: string, words: string])[] => [
  ["vault", "vault login"],
  ["vault", "vault operator unseal"],
  ["cargo login", "cargo login"],
  ["snyk auth", "snyk auth"],
  ["ngrok", "ngrok (?:config add-)?authtoken"],
  ["cloudflared", "cloudflared service install"],
  ["setapikey", "nuget setapikey"],
  ["rclone", "rclone obscure"],
  ["mkpasswd", "mkpasswd"],
  ["openssl passwd", "openssl passwd"],
  ["bw unlock", "bw unlock"],
  ["bw login", "bw login \\S+@\\S+"],
  ["wpa_passphrase", "wpa_passphrase \\S+"],
  ["rabbitmqctl", "rabbitmqctl (?:add_user|change_password) \\S+"],
  ["cf auth", "cf auth \\S+"],
  ["net user", "net user \\S+"],
  ["mc ", "mc (?:alias set|config host add) \\S+ \\S+ \\S+"],
  ["poetry", "poetry config pypi-token\\.\\S+"],
  ["http-basic", "(?:poetry|composer) config http-basic\\.\\S+ \\S+"],
  ["composer", "composer config \\S*(?:oauth|token|bearer)\\S*"],
  ["env:set", "netlify env:set \\S+"],
  ["pulumi", "pulumi config set \\S+"],
];

/** Programs that read a password from their standard input, as in `echo … | program` and `program <<< …`. */
export const stdinReaders = (): readonly string[] => [
  "sudo\\s+-\\w*S",
  "(?:sudo\\s+)?chpasswd",
  "[^|;&\\n]{1,100}-stdin",
  "[^|;&\\n]{1,100}--with-token",
  "[^|;&\\n]{1,100}--passphrase-fd",
  "[^|;&\\n]{1,100}-pass(?:in)? stdin",
  "pass insert",
  "wrangler secret put",
  "vercel env add",
  "secret-tool store",
  "(?:sudo\\s+)?cryptsetup",
  "kinit",
  "gh secret set",
  "vault login",
];

/** Every such line contains one of these. */
export const stdinMarks = (): readonly string[] => [
  "sudo -",
  "chpasswd",
  "-stdin",
  " stdin",
  "--with-token",
  "--passphrase-fd",
  "pass insert",
  "secret put",
  "vercel env",
  "secret-tool",
  "cryptsetup",
  "kinit",
  "gh secret",
  "vault login",
];
