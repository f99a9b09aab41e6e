import { here } from "../app/project.ts";
import { type ProjectStatus, statusHere } from "../app/queries/status.ts";
import { trustIn } from "../app/queries/trust.ts";
import { sizeWords } from "../lib/size.ts";
import { shortModes } from "../views/modes.ts";
import { KEY_WORDS, VOID_WORDS } from "../views/signature.ts";
import type { SessionView, StatusView } from "../views/status.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, table } from "./print.ts";
import { printDomain, printTrustRows, sayUnknownDomain } from "./trust-print.ts";

export const status = defineCommand({
  name: "status",
  summary: "Shows whether the checkpoint is up here, who is working, what was refused, and what is trusted.",
  words: "[domain]",
  wordsMax: 1,
  options: jsonOption,
  examples: ["sekisho status", "sekisho status file_read", "sekisho status shell_exec --json"],
  async run({ json = false }, [domain]) {
    if (domain !== undefined) return showDomain(domain, json);
    const found = await statusHere(here());
    const { view, ...around } = found;
    if (json) sayJson({ ...view, ...around });
    else print(found);
    return 0;
  },
});

function showDomain(domain: string, json: boolean): number {
  const place = here();
  const view = trustIn(place, domain);
  if (!view) sayUnknownDomain(domain, json);
  else if (json) sayJson(view);
  else printDomain(view, place.settings.settings.profile);
  return 0;
}

function print({ view, plugins, gatehouse, uncommitted }: ProjectStatus): void {
  say(`${paint.bold("sekisho")} ${view.version}   ${view.project}`);
  say();
  say(
    table([
      ["Hooks", hooksLine(view, plugins)],
      ...(uncommitted === null
        ? []
        : [["", paint.yellow(`not in worktrees (claude -w): ${uncommitted} isn't committed`)]]),
      ...laneRows(gatehouse),
      ["Key", passphraseLine(view)],
      ["Journal", view.stateDirectory],
      ...snapshotRows(view),
      ...settingsRows(view),
      ...leaveRows(view),
      ...waitingRows(view),
    ]),
  );
  say();
  const { pass, ask, deny } = view.verdicts;
  say(
    table([
      [
        "Verdicts",
        `${paint.green(`${pass} passed`)}  ${paint.yellow(`${ask} asked`)}  ${paint.red(`${deny} refused`)}`,
      ],
      ...(view.objections.length > 0 ? [["Objections", objectionsLine(view)]] : []),
      ["Faults", String(view.faults)],
    ]),
  );
  say();
  if (view.sessions.length === 0) say("No session has passed here yet.");
  for (const session of view.sessions) printSession(session);
  say();
  printTrust(view);
}

function printTrust({ stance: { stance, isImplicit }, trust }: StatusView): void {
  const how = isImplicit ? paint.dim(" (by default; `sekisho stance` sets it)") : "";
  say(
    table([
      ["Stance", `${stance.toUpperCase()}${how}`],
      ["Operations", `${trust.operations} total`],
    ]),
  );
  say();
  if (trust.domains.length === 0) say("No outcome has been recorded yet: trust begins with the first.");
  else printTrustRows(trust.domains);
}

/** Several policies may object to the same tool use. */
function objectionsLine({ objections }: StatusView): string {
  return objections.map(({ policy, count }) => `${count} ${policy}`).join(", ");
}

function hooksLine(view: StatusView, plugins: ProjectStatus["plugins"]): string {
  if (!view.enabled) return paint.yellow("this project has opted out (enabled: false)");
  const isUp = view.registered.some(({ hooks }) => hooks.length > 0);
  const lines = view.registered.map(({ path, hooks, problem }) => {
    const count = hooks.length > 0 ? paint.green(`${hooks.length} registered`) : paint.yellow("none");
    return `${count} in ${path}${problem ? paint.red(`: ${problem}`) : ""}`;
  });
  const loaded = plugins.map(({ name, path }) => `${paint.green("by the plugin")} ${name} (${path})`);
  const none = paint.yellow("not registered here; run `sekisho init`");
  return [...(isUp || loaded.length > 0 ? [] : [none]), ...loaded, ...lines].join("\n         ");
}

/** Without the daemon the hooks of the fast lane block every change, even when they are registered correctly. */
function laneRows(state: ProjectStatus["gatehouse"]): readonly (readonly string[])[] {
  if (state === null) return [];
  const words: Readonly<Record<NonNullable<ProjectStatus["gatehouse"]>, string>> = {
    up: paint.green("fast; the gatehouse is up"),
    "other-version": paint.yellow("fast; the gatehouse is up in another version: see `sekisho doctor`"),
    down: paint.red("fast; THE GATEHOUSE IS DOWN: changes are blocked until the next prompt, or `sekisho up`"),
    none: paint.red("fast; THE GATEHOUSE IS GONE: changes are blocked. See `sekisho doctor`"),
    stranger: paint.red("fast; A STRANGER ANSWERS in the gatehouse's place. See `sekisho doctor`"),
  };
  return [["Lane", words[state]]];
}

function passphraseLine({ passphrase, voided }: StatusView): string {
  const words = KEY_WORDS[passphrase];
  const line = passphrase === "pinned" ? paint.green(words) : /^[A-Z]{3}/.test(words) ? paint.red(words) : words;
  const claims = voided.map(({ action, why }) => paint.red(`\`${action}\` does not count: ${VOID_WORDS[why]}`));
  return [line, ...claims].join("\n         ");
}

function snapshotRows({ snapshots: { count, bytes } }: StatusView): readonly (readonly string[])[] {
  return count === 0 ? [] : [["Kept", `${count} snapshot(s), ${sizeWords(bytes)}: \`sekisho undo --list\``]];
}

function settingsRows({ settings, off }: StatusView): readonly (readonly string[])[] {
  return [
    ...(settings.custom.length > 0 ? [["Settings", `custom: ${settings.custom.join(", ")}`]] : []),
    ...settings.gaps.map((gap) => ["Profile", paint.yellow(gap)]),
    ...settings.problems.map((problem) => ["Problem", paint.red(problem)]),
    ...(off.length > 0 ? [["Off", paint.yellow(off.join(", "))]] : []),
  ];
}

function leaveRows({ pause, grants }: StatusView): readonly (readonly string[])[] {
  return [
    ...(pause ? [["Paused", paint.yellow(`${pause.left} left, until ${pause.until}: only the floor is held`)]] : []),
    ...grants.map(({ id, what, once, left, until }) => [
      "Allowed",
      `${paint.yellow(`${once ? "once" : "always"}, ${left} left, until ${until}`)}  ${what}  ${paint.dim(id)}`,
    ]),
  ];
}

function waitingRows({ waitingModes }: StatusView): readonly (readonly string[])[] {
  const names = shortModes(waitingModes);
  return names.length === 0 ? [] : [["Waiting", `${names.join(", ")}: for the next session in which a person speaks`]];
}

function modeRows({ modes, ended }: SessionView): readonly (readonly string[])[] {
  const names = ended ? [] : shortModes(modes);
  return names.length === 0 ? [] : [["modes", `${names.join(", ")} (\`sekisho mode list\`)`]];
}

const TOOLS_SHOWN = 5;

/** Most used first. */
function toolRows({ tools: { total, last, counts } }: SessionView): readonly (readonly string[])[] {
  if (total === 0) return [];
  const names = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const words = names.slice(0, TOOLS_SHOWN).map(([name, count]) => `${count} ${name}`);
  const more = names.length > TOOLS_SHOWN ? ", …" : "";
  return [["tools", `${total} used (${words.join(", ")}${more}), last ${last}`]];
}

function printSession(session: SessionView): void {
  const { pass, ask, deny } = session.verdicts;
  const marks = [session.ended ? "ended" : undefined, session.bound ? undefined : "not bound"]
    .filter(Boolean)
    .join(", ");
  say(`${paint.bold(session.id)}  last seen ${session.lastSeen}${marks ? `  (${marks})` : ""}`);
  const outcomes = Object.entries(session.outcomes).filter(([, count]) => count > 0);
  say(
    table(
      [
        ["verdicts", `${pass} passed, ${ask} asked, ${deny} refused`],
        ["outcomes", outcomes.map(([name, count]) => `${count} ${name}`).join(", ") || "none yet"],
        ...toolRows(session),
        ["under way", String(session.pending)],
        ...modeRows(session),
        [
          "context",
          `${session.injectedChars} characters given to the agent, about ${session.injectedTokens} tokens (an estimate)`,
        ],
        ["transcript", `${session.transcript.met} tool uses met, ${session.transcript.waiting} not yet`],
        ...session.transcript.gaps.map(({ words, lastSeen }) => ["gap", paint.red(`${words} (${lastSeen})`)]),
        ["heartbeats", ""],
      ],
      "  ",
    ),
  );
  say(
    table(
      session.actors.map(({ id, type, event, lastSeen }) => [
        type === "main" ? "main agent" : type || "internal",
        type === "main" ? "" : id,
        event,
        lastSeen,
      ]),
      "    ",
    ),
  );
}
