/** A scratch world for the real client: a project with the hooks as they are registered, a home and a state of its own. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isOurs, readSettings } from "../../hosts/claude-code/hooks.ts";
import { dropPins } from "../../store/pin.ts";
import { placesOf, stateRoot, trueName } from "../../world/places.ts";
import { unwatching } from "../canary.ts";
import type { HostFile, Premises } from "./check.ts";
import { towardsModel } from "./messages-api.ts";
import { startModel } from "./scripted-model.ts";

export interface Trial {
  /** What the model was told about the forbidden command; undefined when the client never came back with it. */
  readonly forbidden: string | undefined;
  /** The forbidden command left its mark. */
  readonly forbiddenRan: boolean;
  readonly harmless: string | undefined;
  readonly harmlessRan: boolean;
  readonly ms: number;
  /** Why the client gave no answer. */
  readonly problem?: string;
}

const CLIENT_MS_MAX = 15_000;
/** Refused by us and by nobody else; where it runs it costs a scratch file its change. */
const FORBIDDEN = "git reset --hard";
const UNCOMMITTED = "not committed\n";

export async function tryClient(client: string, premises: Premises): Promise<Trial> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-doctor-client-")));
  const project = join(root, "project");
  try {
    await setStage(root, premises);
    const model = await startModel([bash("forbidden", FORBIDDEN), bash("harmless", "echo made > made.txt")]);
    try {
      const env = environment(root, model.url, premises);
      const args = ["-p", "--allowedTools", "Bash", "--", "Play the script."];
      const { code, stderr, ms, problem } = await premises.run(client, args, {
        cwd: project,
        env,
        timeoutMs: CLIENT_MS_MAX,
      });
      const failure = problem ?? (code === 0 ? undefined : `exit code ${code}: ${stderr.trim().slice(0, 300)}`);
      return {
        forbidden: model.told("forbidden"),
        forbiddenRan: contentOf(join(project, "kept.txt")) !== UNCOMMITTED,
        harmless: model.told("harmless"),
        harmlessRan: contentOf(join(project, "made.txt")) !== undefined,
        ms,
        ...(failure !== undefined && { problem: failure }),
      };
    } finally {
      await model.close();
    }
  } finally {
    // The gatehouse, if it was asked, kept this in the person's state: under a name that nobody else has.
    rmSync(placesOf(premises.env, project, [], project).journal, { recursive: true, force: true });
    dropPins(join(stateRoot(premises.env), "sessions"), project);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function bash(id: string, command: string) {
  return { id, name: "Bash", input: { command, description: "a step of the trial" } };
}

async function setStage(root: string, { files, places, run, env: surroundings }: Premises): Promise<void> {
  const project = join(root, "project");
  for (const directory of ["project", "home/.claude", "project/.claude", "state", "config", "tmp"])
    mkdirSync(join(root, directory), { recursive: true });
  writeFileSync(join(project, "kept.txt"), "committed\n");
  const who = ["-c", "user.name=doctor", "-c", "user.email=doctor@example.invalid"];
  const env = { PATH: process.env["PATH"], HOME: join(root, "home"), GIT_CONFIG_NOSYSTEM: "1" };
  await run("git", ["init", "--quiet"], { cwd: project, env });
  await run("git", ["add", "kept.txt"], { cwd: project, env });
  await run("git", [...who, "commit", "--quiet", "--message", "begin"], { cwd: project, env });
  writeFileSync(join(project, "kept.txt"), UNCOMMITTED);
  const users = trueName(surroundings["CLAUDE_CONFIG_DIR"] || join(places.home, ".claude"));
  for (const file of files) {
    const target = placeOf(file.path, root, users);
    // Two files for one place: the one that holds our hooks is on trial.
    if (file.ours || !existsSync(target)) writeFileSync(target, trialSettings(file));
  }
  const trusted = { hasCompletedOnboarding: true, projects: { [project]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(root, "home", ".claude.json"), JSON.stringify(trusted));
}

/** The user's file becomes the scratch user's, everything else the scratch project's; managed settings hold anyway. */
function placeOf(path: string, root: string, users: string): string {
  return join(root, dirname(path) === users ? "home" : "project", ".claude", basename(path));
}

/** Settings that decide whether a hook is asked. Everything else could start foreign programs, or answer for us. */
const KEPT_KEYS = ["disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls", "sandbox"];

function trialSettings({ text }: HostFile): string {
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

/** Foreign hooks are not run: what they do is not ours to set off. Their group stays, for its shape is part of the proof. */
function withoutForeign(group: unknown): unknown {
  const { hooks } = (group ?? {}) as { hooks?: unknown };
  return Array.isArray(hooks) ? { ...(group as object), hooks: hooks.filter(isOurs).map(unwatching) } : group;
}

/** Nothing of the surrounding environment comes through but the way to programs, and proxies: they are part of the lane. */
function environment(root: string, url: string, { program, env }: Premises): NodeJS.ProcessEnv {
  const proxies = Object.entries(env).filter(([name]) => /_proxy$/i.test(name));
  // The model is ours and on loopback: only the way to the hooks is on trial.
  const spared = [env["NO_PROXY"] ?? env["no_proxy"], new URL(url).host].filter(Boolean).join(",");
  return {
    ...Object.fromEntries(proxies),
    ...(proxies.length > 0 && { NO_PROXY: spared, no_proxy: spared }),
    PATH: `${dirname(program.node)}:${env["PATH"] ?? "/usr/bin:/bin"}`,
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

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
