/** Commands that speak to other machines, and how: the one table, for whoever runs, weighs or follows what they carry. */

import { names } from "./name-table.ts";

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

const SPEAK = names(Object.values(NAMES).join(" "));
const USES = Object.keys(NAMES) as NetworkUse[];

export function networkUse(name: string | undefined): NetworkUse | undefined {
  if (name === undefined) return undefined;
  const plain = name.toLowerCase();
  if (!SPEAK.has(plain)) return plain.startsWith("smtp") ? "mail" : undefined;
  return USES.find((use) => NAMES[use].split(" ").includes(plain));
}
