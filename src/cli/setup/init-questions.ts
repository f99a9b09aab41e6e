/** The questions of `init`: six at most, each answer with an explanation. */

import { type HostProgram, hostLine } from "../../app/setup/host-program.ts";
import { isFastPossible, LANES } from "../../app/setup/lane.ts";
import { type Scope, sessionDirectory, settingsPath } from "../../app/setup/scope.ts";
import type { Wishes } from "../../app/setup/wishes.ts";
import { PROFILES } from "../../state/settings/profiles.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { pad } from "../print.ts";

const SCOPES: Readonly<Record<Scope, string>> = {
  local: "this checkout, yours alone; not shared",
  project: "everybody who works here; shared by git, plain lane only",
  user: "all your projects on this machine",
};

/**
 * Asks only what the options did not answer. Returns undefined when the person cancelled. `isAnswered` asks for the
 * passphrase, and is false when the person cancelled there.
 */
export async function askWishes(
  given: Partial<Wishes>,
  installed: HostProgram | undefined,
  { profile: before, trust }: Settings,
  isAnswered: () => Promise<boolean>,
): Promise<Wishes | undefined> {
  // Loaded on demand, because few commands ask.
  const { confirm, intro, isCancel, log, outro, select } = await import("@clack/prompts");
  /** Returns `false` when the person cancelled. */
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
  log.info(`Client: ${hostLine(installed)}`);
  const scope = given.scope || (await choose("Which agents should it govern?", choicesOf(SCOPES)));
  if (!scope) return undefined;
  const profile = given.profile?.name || (await choose<string>("How strict?", PROFILE_CHOICES, before.name));
  if (!profile) return undefined;
  const approve = given.approve ?? (await confirm({ message: MAY_APPROVE, initialValue: trust.approve }));
  if (isCancel(approve)) return undefined;
  const lane =
    given.lane ||
    (isFastPossible(scope, installed)
      ? await choose("Which lane?", choicesOf(LANES), installed ? "fast" : "plain")
      : "plain");
  if (!lane) return undefined;
  if (!(await isAnswered())) return undefined;
  const path = settingsPath(scope, sessionDirectory());
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
