/** The NO_PROXY value our settings file needs: with a proxy, Claude Code would send even loopback hooks through it. */
import type { Environment } from "../../world/machine/places.ts";
import type { Note } from "../registration.ts";
import type { SettingsText } from "../setup.ts";
import { envOf, excepts, LOOPBACK, passesProxies } from "./disarming.ts";
import { readSettings } from "./hooks.ts";
import type { Settings } from "./settings-shape.ts";

const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

export function proxyException(
  text: string | undefined,
  note: Note | undefined,
  env: Environment,
  others: readonly SettingsText[],
): string | undefined {
  const settings = settingsOf(text);
  const own = envOf(settings);
  // Our own value from an earlier registration stays the same.
  if (note?.noProxy && own["NO_PROXY"] === note.noProxy.written) return note.noProxy.written;
  const theirs = others.map((file) => envOf(settingsOf(file.text)));
  const isProxied = [env, own, ...theirs].some((place) =>
    PROXIES.some((name) => Boolean(place[name]) || Boolean(place[name.toLowerCase()])),
  );
  if (!isProxied || passesProxies(settings)) return undefined;
  // NO_PROXY in a settings file overrides the shell's, so the existing list must be repeated.
  const list = [own, ...theirs.reverse(), env].map(listIn).find((value) => value !== undefined) ?? "";
  return excepts(list) ? list : [...(list.trim() === "" ? [] : [list]), LOOPBACK].join(",");
}

function listIn(env: Readonly<Record<string, unknown>>): string | undefined {
  return [env["NO_PROXY"], env["no_proxy"]].find((value) => typeof value === "string");
}

/** A nearer file with its own NO_PROXY overrides ours. */
export function proxyBar(
  path: string,
  noProxy: string | undefined,
  files: readonly SettingsText[],
): string | undefined {
  const at = files.findIndex((file) => file.path === path);
  const hiding = files.slice(at + 1).find(({ text }) => {
    const settings = settingsOf(text);
    return listIn(envOf(settings)) !== undefined && !passesProxies(settings);
  });
  if (noProxy === undefined || !hiding) return undefined;
  return `a proxy is set, and env.NO_PROXY in ${hiding.path} does not name ${LOOPBACK}`;
}

function settingsOf(text: string | undefined): Settings {
  return (text === undefined ? undefined : readSettings(text)) ?? {};
}
