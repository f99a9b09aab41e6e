/**
 * The table of commands that use the network, and how. Shared by all policies that judge or follow the data they carry.
 */

import { names } from "../../lib/name-table.ts";

/**
 * `web`: a request to a URL. `line`: raw bytes. `lookup`: a name lookup, which sends the name out. `shell`: a remote
 * shell. `share`: data for anyone with the code. `probe`: a reachability check. `mail`: an email.
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
