/** Registers the hooks, proves that they refuse, and sets what the person wished for. */
import { ON_PATH } from "../../hosts/index.ts";
import type { SettingsText } from "../../hosts/setup.ts";
import { registeredEvents } from "../../policies/index.ts";
import { PROFILES } from "../../state/settings/profiles.ts";
import type { Stance } from "../../state/stance.ts";
import { profileGaps, profileGapWords } from "../../views/profile-gaps.ts";
import type { KeyState } from "../../views/signature.ts";
import { readableHostFile } from "../../world/machine/host-file.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import { trueName } from "../../world/machine/places.ts";
import type { Doer } from "../actions/action.ts";
import { takeStance } from "../actions/stance.ts";
import { setup } from "../host.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, here, orFail } from "../project.ts";
import { refuseDouble, settingsFiles } from "../queries/host-settings.ts";
import { type SkillsLack, skillsLack } from "../queries/skills.ts";
import { gitSight, hideFromGit } from "./git-sight.ts";
import type { HostProgram } from "./host-program.ts";
import { carryOutWishes, planWishes } from "./init-settings.ts";
import { keyingFor, type Protection, refuseWeak } from "./key.ts";
import { type Choice, chooseLane } from "./lane.ts";
import { openDoor, type Registered, register } from "./register.ts";
import { readNote } from "./registration-note.ts";
import { offerReviewCriteria } from "./review-criteria.ts";
import { type Scope, sessionDirectory, settingsPath } from "./scope.ts";
import type { Wishes } from "./wishes.ts";
import { hooksOutsideWorktrees } from "./worktrees.ts";

export interface Installed extends Registered {
  readonly path: string;
  readonly lane: Choice;
  readonly profile: { readonly name: string; readonly about: string; readonly approve: boolean };
  readonly stance: Stance;
  readonly key: KeyState;
  /** What was written to Sekisho's own settings files. */
  readonly written: readonly string[];
  /** The value of NO_PROXY there, if one was needed. */
  readonly noProxy: string | undefined;
  /** What the person should know or do. */
  readonly cautions: readonly string[];
  readonly skills: SkillsLack | undefined;
  /** Changes need plans here. */
  readonly hasPlans: boolean;
}

export async function install(
  wishes: Wishes,
  client: HostProgram | undefined,
  protection: Protection,
  person: Person,
): Promise<Installed> {
  refuseWeak(protection);
  const { scope, lane } = wishes;
  const place = here();
  const planned = planWishes(wishes, place);
  const path = settingsPath(scope, sessionDirectory());
  refuseTracked(path, scope);
  const files = settingsFiles(place.places.hostSettings);
  refuseDouble(trueName(path), files);
  const before = rewritableText(path);
  const note = readNote(path);
  const { choice, noProxy } = laneFor({ path, before, note, files, wishes, client });
  const opened = choice.lane === "fast" ? await openDoor(place.program, lane === undefined) : undefined;
  const taken: Choice = opened && "because" in opened ? opened : choice;
  const keying = keyingFor(protection, place, person);
  const own = { ...(opened && "program" in opened ? opened.program : place.program), key: keying.name };
  const program = scope === "project" ? ON_PATH : own;
  const exception = taken.lane === "fast" ? noProxy : undefined;
  const registration = { path, before, note, events: registeredEvents, program, lane: taken.lane, noProxy: exception };
  const registered = await register(registration, place).catch(keying.drop);
  keying.settle(path);
  const written = carryOutWishes(planned);
  const now = here();
  const criteria = offerReviewCriteria(now, scope);
  return {
    ...registered,
    path,
    lane: taken,
    profile: profileIn(now),
    stance: settleStance(now, place, wishes.stance, keying.doer),
    key: now.key.state,
    written: criteria === undefined ? written : [...written, criteria],
    noProxy: exception,
    cautions: cautionsFor(path, wishes, now),
    skills: skillsLack(now),
    hasPlans: now.settings.settings.plan.required !== "off",
  };
}

interface LaneGround {
  readonly path: string;
  readonly before: string | undefined;
  readonly note: ReturnType<typeof readNote>;
  readonly files: readonly SettingsText[];
  readonly wishes: Wishes;
  readonly client: HostProgram | undefined;
}

function laneFor({ path, before, note, files, wishes, client }: LaneGround) {
  const target = trueName(path);
  const others = files.filter((file) => file.path !== target);
  const noProxy = setup.settings.proxyException(before, note, process.env, others);
  const choice = chooseLane({
    asked: wishes.lane,
    scope: wishes.scope,
    installed: client,
    platform: process.platform,
    barred: setup.settings.proxyBar(target, noProxy, files),
  });
  return { choice, noProxy };
}

/** Paths, port and token are specific to this machine, and the token is secret, so they must not be committed. */
function refuseTracked(path: string, scope: Scope): void {
  if (scope === "project" || gitSight(path) !== "tracked") return;
  const instead =
    scope === "local"
      ? `Take it out of git (git rm --cached ${path}), or use --scope project, which names no paths.`
      : "Use --scope local in each project.";
  throw new Problem(
    `${path} is tracked by git, and what would be written there belongs to this machine alone.\n${instead}`,
  );
}

function profileIn({ settings }: Here): Installed["profile"] {
  const { profile, trust } = settings.settings;
  const about = PROFILES.find(({ name }) => name === profile.name)?.about ?? "";
  return { name: profile.name, about, approve: trust.approve };
}

/** Records the default stance if none was chosen. A chosen stance stays, unless another is asked for. */
function settleStance(now: Here, { settings }: Here, wanted: Stance | undefined, doer: Doer): Stance {
  const before = orFail(now.store.read()).stance;
  const stance = wanted ?? before ?? settings.settings.stance.default;
  if (stance !== before) takeStance(now, stance, "by init", doer);
  return stance;
}

function committing({ places }: Here): readonly string[] {
  const file = hooksOutsideWorktrees(places.project, settingsFiles(places.hostSettings));
  return file === undefined ? [] : [`hooks do not run in worktrees (\`claude -w\`) until ${file} is committed`];
}

function cautionsFor(path: string, { scope, profile }: Wishes, now: Here): readonly string[] {
  const { settings, places, armingOf } = now;
  const otherProfile = profile !== undefined && profile.name !== settings.settings.profile.name;
  const switches = places.hostSettings.flatMap((file) => {
    const { disarms } = armingOf(readableHostFile(file));
    return disarms.length === 0
      ? []
      : [`${file} switches hooks off (${disarms.join(", ")}): nothing will be refused until that is taken out`];
  });
  return [
    ...(otherProfile ? [`the profile in force is another: ${settings.from?.["profile.name"]} has the last word`] : []),
    ...(profile === undefined ? [] : profileGaps(settings).map(profileGapWords)),
    ...sharing(path, scope),
    ...committing(now),
    ...switches,
    ...(settings.settings.enabled
      ? []
      : ["this project has opted out (enabled: false), so nothing will be refused here"]),
  ];
}

/** A file that names this machine is hidden from git; a shared one needs the program on everybody's PATH. */
function sharing(path: string, scope: Scope): readonly string[] {
  if (scope === "project")
    return [
      "this file is shared: whoever works here needs `sekisho` on the PATH, or nothing can be changed by their agent",
    ];
  if (gitSight(path) !== "open") return [];
  const list = hideFromGit(path);
  return [`git did not ignore ${path}: ${list ? `it does now (${list})` : "keep it out of your commits"}`];
}
