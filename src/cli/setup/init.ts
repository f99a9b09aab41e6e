import { type Doer, takeStance } from "../../app/actions/action.ts";
import { setup } from "../../app/host.ts";
import type { Person } from "../../app/person.ts";
import { type Here, here, orFail } from "../../app/project.ts";
import { refuseDouble, settingsFiles } from "../../app/queries/host-settings.ts";
import { skillsLack } from "../../app/queries/skills.ts";
import { gitSight, hideFromGit } from "../../app/setup/git-sight.ts";
import { findHost, type HostProgram, hostLine } from "../../app/setup/host-program.ts";
import { keyingFor, type Protection } from "../../app/setup/key.ts";
import { type Choice, chooseLane, LANES } from "../../app/setup/lane.ts";
import { readNote } from "../../app/setup/registration-note.ts";
import { type Scope, sessionDirectory, settingsPath } from "../../app/setup/scope.ts";
import { ON_PATH } from "../../hosts/index.ts";
import { registeredEvents } from "../../policies/index.ts";
import { PROFILES } from "../../state/settings/profiles.ts";
import { STANCES, type Stance } from "../../state/stance.ts";
import { KEY_WORDS } from "../../views/signature.ts";
import { readableHostFile } from "../../world/machine/host-file.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import { trueName } from "../../world/machine/places.ts";
import { defineCommand } from "../command.ts";
import { CommandError, paint, say, sayWords, table, terminalColumns, wrap } from "../print.ts";
import { askWishes, isAttended } from "./init-questions.ts";
import { carryOutWishes, planWishes } from "./init-settings.ts";
import { askProtection, isOpen, protectionGiven } from "./passphrase.ts";
import { openDoor, register } from "./register.ts";
import { type Wishes, wishesIn } from "./wishes.ts";

export const init = defineCommand({
  name: "init",
  summary: "Registers Sekisho's hooks with Claude Code and proves that they refuse.",
  options: {
    yes: { type: "boolean", about: "ask nothing; what is not given stays as it is, or is the default" },
    scope: {
      type: "string",
      hint: "local|project|user",
      about: "which settings file (default local: this checkout, not shared)",
    },
    lane: {
      type: "string",
      hint: "fast|plain",
      about: "fast: a resident gatehouse answers; plain: one process per event (default: fast where it works)",
    },
    profile: {
      type: "string",
      hint: PROFILES.map(({ name }) => name).join("|"),
      about:
        "a named set of settings: balanced (the default), oath asks until trust is earned, praxis wants skills before edits and proof before done",
    },
    approve: { type: "boolean", about: "earned trust answers the client's own questions (trust.approve; default: no)" },
    stance: {
      type: "string",
      hint: STANCES.join("|"),
      about: "what it is time for in this project (default building)",
    },
    "no-passphrase": { type: "boolean", about: "no passphrase for your own commands, also if there was one" },
  },
  examples: [
    "sekisho init",
    "sekisho init --yes --scope local --lane plain",
    "sekisho init --yes --profile oath        asks wherever trust has not been earned yet",
    "sekisho init --yes --scope project       for everybody who has `sekisho` on the PATH",
  ],
  door: () => ({ verb: "init", need: "authority" }),
  async run(values, _, person) {
    const { yes, scope, lane, profile, approve, stance, "no-passphrase": isBare = false } = values;
    const given = wishesIn({ scope, lane, profile, approve, stance });
    const installed = findHost();
    if (!yes && !isAttended()) {
      throw new CommandError(
        "There is nobody to ask: this is not a terminal.\nSay that nothing need be asked: sekisho init --yes [--scope local|project|user] [--lane fast|plain]",
      );
    }
    const { key, settings } = here();
    const fromInput = "passphrase-stdin" in values;
    const asks = !yes && !isBare && !fromInput && isOpen(key.state);
    let protection = asks ? undefined : protectionGiven(isBare, fromInput, key);
    const wishes = yes
      ? { ...DEFAULTS, ...given }
      : await askWishes(given, installed, settings.settings, async () => {
          protection ??= await askProtection();
          return protection !== undefined;
        });
    if (wishes === undefined || protection === undefined) {
      say("Nothing was changed.");
      return 1;
    }
    await install(wishes, installed, protection, person);
    return 0;
  },
});

const DEFAULTS: Wishes = {
  scope: "local",
  profile: undefined,
  lane: undefined,
  approve: undefined,
  stance: undefined,
};

async function install(
  wishes: Wishes,
  installed: HostProgram | undefined,
  protection: Protection,
  person: Person,
): Promise<void> {
  const { scope, lane } = wishes;
  const place = here();
  const planned = planWishes(wishes, place);
  const path = settingsPath(scope, sessionDirectory());
  refuseTracked(path, scope);
  const [target, files] = [trueName(path), settingsFiles(place.places.hostSettings)];
  refuseDouble(target, files);
  const before = rewritableText(path);
  const note = readNote(path);
  const noProxy = setup.settings.proxyException(
    before,
    note,
    process.env,
    files.filter((file) => file.path !== target),
  );
  const choice = chooseLane({
    asked: lane,
    scope,
    installed,
    platform: process.platform,
    barred: setup.settings.proxyBar(target, noProxy, files),
  });
  const opened = choice.lane === "fast" ? await openDoor(place.program, lane === undefined) : undefined;
  const taken: Choice = opened && "because" in opened ? opened : choice;
  const keying = keyingFor(protection, place, person);
  const own = { ...(opened && "program" in opened ? opened.program : place.program), key: keying.name };
  const program = scope === "project" ? ON_PATH : own;
  const exception = taken.lane === "fast" ? noProxy : undefined;
  const registration = {
    path,
    before,
    note,
    events: registeredEvents,
    program,
    lane: taken.lane,
    noProxy: exception,
  };
  const { hooks, isProven } = await register(registration, place).catch(keying.drop);
  keying.settle(path);
  const written = carryOutWishes(planned);
  const now = here();
  const stance = settleStance(now, place, wishes.stance, keying.doer);
  describe(installed, taken, now, stance);
  done(`${hooks} hooks registered in ${path}`);
  if (isProven) done("a forbidden command was sent through the hook and refused");
  for (const words of written) done(words);
  if (exception !== undefined)
    done(`env.NO_PROXY there is ${exception}, so that no proxy is asked about the gatehouse`);
  afterwards(path, wishes, now);
}

/** Records the default stance if none was chosen. A chosen stance stays, unless another is asked for. */
function settleStance({ store }: Here, { settings }: Here, wanted: Stance | undefined, doer: Doer): Stance {
  const before = orFail(store.read()).stance;
  const stance = wanted ?? before ?? settings.settings.stance.default;
  if (stance !== before) takeStance(store, stance, "by init", doer);
  return stance;
}

/** Paths, port and token are specific to this machine, and the token is secret, so they must not be committed. */
function refuseTracked(path: string, scope: Scope): void {
  if (scope === "project" || gitSight(path) !== "tracked") return;
  const instead =
    scope === "local"
      ? `Take it out of git (git rm --cached ${path}), or use --scope project, which names no paths.`
      : "Use --scope local in each project.";
  throw new CommandError(
    `${path} is tracked by git, and what would be written there belongs to this machine alone.\n${instead}`,
  );
}

function describe(
  installed: HostProgram | undefined,
  { lane, because }: Choice,
  { settings, key }: Here,
  stance: Stance,
): void {
  const { profile, trust } = settings.settings;
  const about = PROFILES.find(({ name }) => name === profile.name)?.about;
  const answers = trust.approve ? "; earned trust answers the client's own questions" : "";
  const rows: readonly (readonly [string, string])[] = [
    ["Client", installed?.failsClosed === false ? paint.yellow(hostLine(installed)) : hostLine(installed)],
    ["Profile", `${profile.name}: ${about}${answers}`],
    ["Stance", `${stance.toUpperCase()}; \`sekisho stance\` says what is open in it`],
    ["Key", KEY_WORDS[key.state]],
    ["Lane", `${lane}: ${LANES[lane]}${because === undefined ? "" : `. Not fast: ${because}`}`],
  ];
  say(table(rows.map(([name, words]) => [name, wrap(words, terminalColumns(), " ".repeat(9))])));
}

function afterwards(path: string, { scope, profile }: Wishes, now: Here): void {
  const { settings, places, armingOf } = now;
  if (profile && profile.name !== settings.settings.profile.name)
    heed(`the profile in force is another: ${settings.from?.["profile.name"]} has the last word`);
  if (scope === "project") {
    heed(
      "this file is shared: whoever works here needs `sekisho` on the PATH, or nothing can be changed by their agent",
    );
  } else if (gitSight(path) === "open") {
    const list = hideFromGit(path);
    heed(`git did not ignore ${path}: ${list ? `it does now (${list})` : "keep it out of your commits"}`);
  }
  for (const file of places.hostSettings) {
    const { disarms } = armingOf(readableHostFile(file));
    if (disarms.length > 0)
      heed(`${file} switches hooks off (${disarms.join(", ")}): nothing will be refused until that is taken out`);
  }
  if (!settings.settings.enabled) heed("this project has opted out (enabled: false), so nothing will be refused here");
  const lack = skillsLack(now);
  if (lack) heed(lack.words);
  if (lack?.command) say(`  ${lack.command}`);
  say();
  sayWords(
    "Claude Code picks this up at once, also in sessions that are running. `sekisho status` shows what passes, " +
      "`sekisho explain --last` why something was refused, `sekisho uninstall` takes it away.",
  );
}

function done(words: string): void {
  sayWords(`${paint.green("✔")} ${words}`, "  ");
}

function heed(words: string): void {
  sayWords(`${paint.yellow("!")} ${words}`, "  ");
}
