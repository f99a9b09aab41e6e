/** Which lane a registration takes, and what stands between the client and the gatehouse. */
import { envOf, excepts, LOOPBACK, passesProxies } from "../hosts/claude-code/disarming.ts";
import { type Lane, readSettings } from "../hosts/claude-code/hooks.ts";
import type { Note } from "../hosts/claude-code/uninstall.ts";
import type { Environment } from "../world/places.ts";
import { type Client, FAILS_CLOSED_SINCE } from "./client.ts";
import type { OtherFile } from "./elsewhere.ts";
import { CommandError } from "./print.ts";
import type { Scope } from "./scope.ts";

export const LANES: Readonly<Record<Lane, string>> = {
  fast: "a small resident program, the gatehouse, answers; a few ms each",
  plain: "a process for every event; works everywhere, some 50 ms each",
};

export interface Choice {
  readonly lane: Lane;
  /** Why it is not the one that people would expect. */
  readonly because?: string;
}

interface Ground {
  readonly asked: Lane | undefined;
  readonly scope: Scope;
  readonly client: Client | undefined;
  /** As Node names it. */
  readonly platform: string;
  /** What keeps the client from reaching the gatehouse, if anything. */
  readonly barred: string | undefined;
}

/** The fast lane where nothing speaks against it. What a person asked for is done or refused, never changed. */
export function chooseLane({ asked, scope, client, platform, barred }: Ground): Choice {
  if (asked === "plain") return { lane: "plain" };
  const against = objection(scope, client, barred);
  if (asked === "fast" && against !== undefined) {
    throw new CommandError(`--lane fast is not possible here: ${against}. Use --lane plain.`);
  }
  if (asked === "fast") return { lane: "fast" };
  if (against !== undefined) return { lane: "plain", because: against };
  // It would judge all the same, but nothing that came that way could count as evidence.
  if (platform !== "linux") return { lane: "plain", because: "who holds a connection can only be told on Linux" };
  return client ? { lane: "fast" } : { lane: "plain", because: "no client was found to try the fast lane with" };
}

function objection(scope: Scope, client: Client | undefined, barred: string | undefined): string | undefined {
  if (scope === "project") return "its port and token belong to this machine, and the project's file is shared by git";
  if (client && !client.failsClosed) {
    return `client ${client.version} lets an action pass when a hook fails; that can be closed since ${FAILS_CLOSED_SINCE}`;
  }
  return barred;
}

const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

/** The exception that our file must name: the client would send its hooks to the proxy, loopback or not. */
export function exceptionFor(
  text: string | undefined,
  note: Note | undefined,
  env: Environment,
  others: readonly OtherFile[],
): string | undefined {
  const settings = (text === undefined ? undefined : readSettings(text)) ?? {};
  const own = envOf(settings);
  // Ours of an earlier time is written again as it was.
  if (note?.noProxy && own["NO_PROXY"] === note.noProxy.written) return note.noProxy.written;
  const everywhere = [env, own, ...others.map((file) => envOf(file.settings))];
  const isProxied = everywhere.some((place) => PROXIES.some((name) => Boolean(place[name])));
  if (!isProxied || passesProxies(settings)) return undefined;
  // What stands in a settings file hides what the shell says, so that must be said again.
  const lists = [own, ...others.map((file) => envOf(file.settings)).reverse(), env];
  const list = lists.map(listIn).find((value) => value !== undefined) ?? "";
  return excepts(list) ? list : [...(list.trim() === "" ? [] : [list]), LOOPBACK].join(",");
}

function listIn(env: Readonly<Record<string, unknown>>): string | undefined {
  return [env["NO_PROXY"], env["no_proxy"]].find((value) => typeof value === "string");
}

/** A nearer file with a list of its own hides ours. */
export function barredBy(path: string, noProxy: string | undefined, files: readonly OtherFile[]): string | undefined {
  const at = files.findIndex((file) => file.path === path);
  const hiding = files
    .slice(at + 1)
    .find(({ settings }) => listIn(envOf(settings)) !== undefined && !passesProxies(settings));
  if (noProxy === undefined || !hiding) return undefined;
  return `a proxy is set, and env.NO_PROXY in ${hiding.path} does not name ${LOOPBACK}`;
}
