/** The questions of `init`: five at most, each answer with what it means. */
import { PROFILES } from "../state/profiles.ts";
import type { Settings } from "../state/settings.ts";
import { type Client, clientLine } from "./client.ts";
import { LANES } from "./lane.ts";
import { pad } from "./print.ts";
import { type Scope, settingsPath } from "./scope.ts";
import type { Wishes } from "./wishes.ts";

export function isAttended(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

const SCOPES: Readonly<Record<Scope, string>> = {
  local: "this checkout, yours alone; not shared",
  project: "everybody who works here; shared by git, plain lane only",
  user: "all your projects on this machine",
};

/** What was given is not asked again. Undefined: the person has left. */
export async function askWishes(
  given: Partial<Wishes>,
  client: Client | undefined,
  { profile: before, trust }: Settings,
): Promise<Wishes | undefined> {
  // Loaded here: no other command needs it.
  const { confirm, intro, isCancel, log, outro, select } = await import("@clack/prompts");
  /** `false` when the person has left. */
  const choose = async <T extends string>(
    message: string,
    options: readonly Choice<T>[],
    initial = options[0]?.value,
  ): Promise<T | false> => {
    const size = Math.max(...options.map(({ value }) => value.length));
    const labelled = options.map(({ value, about }) => ({ value, label: `${pad(value, size)}  ${about}` }));
    const answer = await select({
      message,
      options: labelled as Parameters<typeof select<T>>[0]["options"],
      ...(initial !== undefined && { initialValue: initial }),
    });
    return isCancel(answer) ? false : answer;
  };
  intro("Sekisho: a checkpoint on Claude Code's hooks");
  log.info(`Client: ${clientLine(client)}`);
  const scope = given.scope || (await choose("Whom shall it govern?", choicesOf(SCOPES)));
  if (!scope) return undefined;
  const profile = given.profile?.name || (await choose<string>("How strict?", PROFILE_CHOICES, before.name));
  if (!profile) return undefined;
  const approve = given.approve ?? (await confirm({ message: MAY_APPROVE, initialValue: trust.approve }));
  if (isCancel(approve)) return undefined;
  const lane =
    given.lane ||
    (isFastPossible(scope, client)
      ? await choose("Which lane?", choicesOf(LANES), client ? "fast" : "plain")
      : "plain");
  if (!lane) return undefined;
  const path = settingsPath(scope, process.env["CLAUDE_PROJECT_DIR"] || process.cwd());
  const sure = await confirm({ message: `Write the hooks to ${path}?` });
  if (isCancel(sure) || !sure) return undefined;
  outro("Everything else in that file stays as it is.");
  const chosen = PROFILES.find(({ name }) => name === profile);
  return { scope, profile: chosen, lane, approve, stance: given.stance };
}

const MAY_APPROVE = "May earned trust answer the client's own questions? (trust.approve)";

interface Choice<T> {
  readonly value: T;
  readonly about: string;
}

function choicesOf<T extends string>(table: Readonly<Record<T, string>>): readonly Choice<T>[] {
  return (Object.entries(table) as [T, string][]).map(([value, about]) => ({ value, about }));
}

const PROFILE_CHOICES: readonly Choice<string>[] = PROFILES.map(({ name, about }) => ({ value: name, about }));

function isFastPossible(scope: Scope, client: Client | undefined): boolean {
  return scope !== "project" && client?.failsClosed !== false;
}
