/** The machines that a request goes to, as far as the line names them. */
import type { Word } from "../shell/parse/reading.ts";

/** Hosts as written. If any word has a scheme, only those count; otherwise a bare name counts as a host. */
export function hostsIn(args: readonly Word[], name?: string): readonly string[] {
  const words = args.map(({ text }) => (text.startsWith("--url=") ? text.slice(6) : text));
  const plain = words.filter((word, at) => word.includes("://") && !(name === "curl" && isHeader(word, words[at - 1])));
  return (plain.length > 0 ? plain : words).flatMap((word) => hostPattern().exec(word)?.[1]?.toLowerCase() ?? []);
}

/** In curl, `-H "Origin: http://localhost"` names a host that the request doesn't go to; in wget `-H` takes no value. */
function isHeader(word: string, before: string | undefined): boolean {
  return HEADER_OPTION.test(before ?? "") || /^(?:-H|--header=|--referer=)./.test(word);
}

const HEADER_OPTION = /^(?:-[sSkLvifgN]*H|--header|-e|--referer|-A|--user-agent|-d|--data[\w-]*|--json)$/;

const hostPattern = (): RegExp =>
  /^(?:[a-z][a-z\d+.-]{0,20}:\/\/)?(?:[^/@]{0,256}@)?(\[[\d:a-f]+\]|[\w.-]+\.[a-z]{2,}|localhost|[\d.]{7,15})(?::\d+)?(?:[/?#]|$)/i;

const localPattern = (): RegExp =>
  /^(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|.*\.localhost)$/;

export function isLocalHost(host: string): boolean {
  return localPattern().test(host.includes("@") ? host.replace(/^.*@/, "") : host);
}

/** True if every named machine is this one, and no option sends the request another way. */
export function staysHere(args: readonly Word[], name: string | undefined): boolean {
  const hosts = hostsIn(args, name);
  return hosts.length > 0 && hosts.every(isLocalHost) && !args.some(({ text }) => DETOURS.test(text));
}

const DETOURS = /^(?:-x|--(?:proxy|preproxy|socks\w*|connect-to|resolve|unix-socket|config)\b|-\w*K)/;
