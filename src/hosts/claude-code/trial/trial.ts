/** Prepares a run of Claude Code in a scratch directory, with the registered hooks and a scripted model. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Environment } from "../../../world/machine/places.ts";
import type { Trial, TrialStage } from "../../setup.ts";
import { isOurs, readSettings } from "../hooks.ts";
import { DIRECTORY } from "../layout.ts";
import { rehearsal } from "../rehearsal.ts";
import { towardsModel } from "./messages-api.ts";
import { startModel } from "./scripted-model.ts";

export async function startTrial(stage: TrialStage): Promise<Trial> {
  setStage(stage);
  const uses = Object.entries(stage.commands).map(([id, command]) => ({
    id,
    name: "Bash",
    input: { command, description: "a step of the trial" },
  }));
  const { url, told, close } = await startModel(uses);
  const args = ["-p", "--allowedTools", "Bash", "--", "Play the script."];
  return { args, env: environment(stage, url), told, close };
}

function setStage({ root, files, userDirectory }: TrialStage): void {
  const project = join(root, "project");
  for (const place of ["home", "project"]) mkdirSync(join(root, place, DIRECTORY), { recursive: true });
  for (const { path, text, ours } of files) {
    const target = placeOf(path, root, userDirectory);
    // When two files map to the same place, the one with our hooks is tested.
    if (ours || !existsSync(target)) writeFileSync(target, trialSettings(text));
  }
  const trusted = { hasCompletedOnboarding: true, projects: { [project]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(root, "home", ".claude.json"), JSON.stringify(trusted));
}

/** The user's file goes to the scratch home, all others to the scratch project. Managed settings apply anyway. */
function placeOf(path: string, root: string, userDirectory: string): string {
  return join(root, dirname(path) === userDirectory ? "home" : "project", DIRECTORY, basename(path));
}

/**
 * Settings that decide whether a hook runs. Other keys are dropped, because they could start other programs or answer
 * instead of us.
 */
const KEPT_KEYS = ["disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls", "sandbox"];

function trialSettings(text: string): string {
  const settings = readSettings(text);
  if (!settings) return text;
  const kept = Object.entries(settings).filter(([key]) => KEPT_KEYS.includes(key));
  const proxies = Object.entries((settings.env ?? {}) as object).filter(([name]) => /_proxy$/i.test(name));
  const hooks = Object.entries(settings.hooks ?? {}).map(([event, groups]) => [
    event,
    Array.isArray(groups) ? groups.map(withoutForeign) : groups,
  ]);
  return JSON.stringify({
    ...Object.fromEntries(kept),
    env: Object.fromEntries(proxies),
    hooks: Object.fromEntries(hooks),
  });
}

/**
 * Removes hooks of other tools, because the trial must not run them. Their group stays, because its shape is part of
 * the test.
 */
function withoutForeign(group: unknown): unknown {
  const { hooks } = (group ?? {}) as { hooks?: unknown };
  return Array.isArray(hooks) ? { ...(group as object), hooks: hooks.filter(isOurs).map(rehearsal.unwatching) } : group;
}

/** Passes only PATH and the proxy variables from the surrounding environment; proxies affect how hooks are reached. */
function environment({ root, env, node }: TrialStage, url: string): Environment {
  const proxies = Object.entries(env).filter(([name]) => /_proxy$/i.test(name));
  // The scripted model runs on loopback, so it is excluded from proxies; only the path to the hooks is tested.
  const spared = [env["NO_PROXY"] ?? env["no_proxy"], new URL(url).host].filter(Boolean).join(",");
  return {
    ...Object.fromEntries(proxies),
    ...(proxies.length > 0 && { NO_PROXY: spared, no_proxy: spared }),
    PATH: `${dirname(node)}:${env["PATH"] ?? "/usr/bin:/bin"}`,
    HOME: join(root, "home"),
    XDG_STATE_HOME: join(root, "state"),
    XDG_CONFIG_HOME: join(root, "config"),
    TMPDIR: join(root, "tmp"),
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    ...towardsModel(url),
    CLAUDE_CODE_TMPDIR: join(root, "tmp"),
  };
}
