/** Commands that speak to other machines, and how: the one table, for whoever runs, weighs or follows what they carry. */

/**
 * `web`: a request to an address. `line`: bytes as they are. `lookup`: a question for a name, which goes out with it.
 * `shell`: a shell over there. `share`: something for whoever has the word. `probe`: is it there. `mail`: a letter.
 */
export type NetworkUse = "web" | "line" | "lookup" | "shell" | "share" | "probe" | "mail";

const NAMES: Readonly<Record<NetworkUse, string>> = {
  web: "curl wget wget2 http https httpie xh xhs curlie aria2c axel lynx w3m links fetch iwr irm invoke-webrequest invoke-restmethod",
  line: "nc ncat netcat socat telnet ftp lftp tftp sftp websocat",
  lookup: "dig nslookup host drill delv kdig",
  shell: "ssh mosh",
  share: "croc wormhole pastebinit",
  probe: "ping ping6 traceroute resolvectl getent whois",
  mail: "mail mailx mutt sendmail msmtp swaks",
};

let table: ReadonlyMap<string, NetworkUse> | undefined;

export function networkUse(name: string | undefined): NetworkUse | undefined {
  if (name === undefined) return undefined;
  table ??= new Map(
    Object.entries(NAMES).flatMap(([use, names]) => names.split(" ").map((one) => [one, use as NetworkUse])),
  );
  const plain = name.toLowerCase();
  return table.get(plain) ?? (plain.startsWith("smtp") ? "mail" : undefined);
}
