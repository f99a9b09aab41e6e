import { Problem } from "../../app/problem.ts";
import { here } from "../../app/project.ts";
import { findHost, type HostProgram, hostLine } from "../../app/setup/host-program.ts";
import { type Installed, install } from "../../app/setup/install.ts";
import { maySetPassphrase } from "../../app/setup/key.ts";
import { LANES } from "../../app/setup/lane.ts";
import { DEFAULT_WISHES, wishesIn } from "../../app/setup/wishes.ts";
import { PROFILES } from "../../state/settings/profiles.ts";
import { STANCES } from "../../state/stance.ts";
import { KEY_WORDS } from "../../views/signature.ts";
import { defineCommand, PASSPHRASE_STDIN } from "../command.ts";
import { paint, say, sayCaution, sayDone, sayWords, table, terminalColumns, wrap } from "../print.ts";
import { isAttended } from "../tty.ts";
import { askWishes } from "./init-questions.ts";
import { askProtection, protectionGiven } from "./passphrase.ts";

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
    const client = findHost();
    if (!yes && !isAttended()) {
      throw new Problem(
        "There is nobody to ask: this is not a terminal.\nSay that nothing need be asked: sekisho init --yes [--scope local|project|user] [--lane fast|plain]",
      );
    }
    const { key, settings } = here();
    const fromInput = PASSPHRASE_STDIN in values;
    const asks = !yes && !isBare && !fromInput && maySetPassphrase(key.state);
    let protection = asks ? undefined : protectionGiven(isBare, fromInput, key);
    const wishes = yes
      ? { ...DEFAULT_WISHES, ...given }
      : await askWishes(given, client, settings.settings, async () => {
          protection ??= await askProtection();
          return protection !== undefined;
        });
    if (wishes === undefined || protection === undefined) {
      say("Nothing was changed.");
      return 1;
    }
    print(await install(wishes, client, protection, person), client);
    return 0;
  },
});

function print(done: Installed, client: HostProgram | undefined): void {
  describe(done, client);
  const { path, hooks, isProven, written, noProxy, cautions, skills, hasPlans } = done;
  sayDone(`${hooks} hooks registered in ${path}`);
  if (isProven) sayDone("a forbidden command was sent through the hook and refused");
  for (const words of written) sayDone(words);
  if (noProxy !== undefined) sayDone(`env.NO_PROXY there is ${noProxy}, so that no proxy is asked about the gatehouse`);
  for (const words of [...cautions, ...(skills ? [skills.words] : [])]) sayCaution(words);
  if (skills?.command) say(`  ${skills.command}`);
  say();
  sayWords(
    "Claude Code picks this up at once, also in sessions that are running. `sekisho status` shows what passes, " +
      "`sekisho explain --last` why something was refused, `sekisho uninstall` takes it away.",
  );
  if (!hasPlans) sayWords("To have larger changes planned first: `sekisho config set plan.required auto`.");
}

function describe({ profile, stance, key, lane: { lane, because } }: Installed, client: HostProgram | undefined): void {
  const answers = profile.approve ? "; earned trust answers the client's own questions" : "";
  const rows: readonly (readonly [string, string])[] = [
    ["Client", client?.failsClosed === false ? paint.yellow(hostLine(client)) : hostLine(client)],
    ["Profile", `${profile.name}: ${profile.about}${answers}`],
    ["Stance", `${stance.toUpperCase()}; \`sekisho stance\` says what is open in it`],
    ["Key", KEY_WORDS[key]],
    ["Lane", `${lane}: ${LANES[lane]}${because === undefined ? "" : `. Not fast: ${because}`}`],
  ];
  say(table(rows.map(([name, words]) => [name, wrap(words, terminalColumns(), " ".repeat(9))])));
}
