/** Commands that start a coding agent where our hooks would not judge what it does. */

import { names, Rows } from "../../../lib/name-table.ts";
import { within } from "../../../lib/paths.ts";
import { type Text, text } from "../../../lib/text.ts";
import { takesNames } from "../../../reading/programs/text.ts";
import type { Invocation, Program, Word } from "../../../reading/shell/parse/reading.ts";
import { type Danger, type DangerContext, type Judge, question, shown } from "./danger.ts";

/**
 * Agents without hooks of ours, by command and by package. `runs`: the name is also another program's, so only these
 * words start the agent.
 */
const AGENTS = new Rows(`
codex: -
@openai/codex: -
gemini: -
@google/gemini-cli: -
opencode: -
opencode-ai: -
kilo: -
kilocode: -
@kilocode/cli: -
copilot: runs=-p,--prompt,-i,--interactive,--allow-all-tools,--allow-all-paths,--allow-all,--allow-tool,--yolo,--resume,--continue,--model
@github/copilot: -
qwen: -
@qwen-code/qwen-code: -
kimi: -
@moonshot-ai/kimi-code: -
droid: -
@factory/cli: -
@factory/cli-linux-x64: -
pi: -
@earendil-works/pi-coding-agent: -
@mariozechner/pi-coding-agent: -
cline: -
crush: -
@charmland/crush: -
amp: -
@ampcode/cli: -
auggie: -
@augmentcode/auggie: -
letta: -
@letta-ai/letta-code: -
cursor-agent: -
kiro-cli: -
aider: -
aider-chat: -
goose: runs=run,session,web,recipe
`);

export const agentDanger: Judge = (invocation, ground) => {
  if (invocation.remote || invocation.contained) return undefined;
  if (switchesOff(invocation, ground)) return unseen(shown(invocation), WITH_HOOKS);
  const started = startedBy(invocation, ground);
  if (!started) return undefined;
  const { args } = started;
  const words = args.map(({ text: word }) => word);
  if (
    /^(?:--version|-v|-V|--help|-h)$/.test(words[0] ?? "") ||
    /^(?:help|version|mcp list(?: --json)?)$/.test(words.join(" "))
  )
    return undefined;
  if (started.host) return hostDanger(invocation, words, ground);
  const { runs } = started;
  if (runs && words.length > 0 && !words.some((word) => runs.includes(word.replace(/=.*$/s, "")))) return undefined;
  return unseen(shown(invocation), BY_A_PERSON);
};

/** A program that starts the host through a library, which reads no settings file unless told to. */
export function agentProgram({ text: words, language }: Program, { host }: DangerContext): Danger | undefined {
  return host?.restart.libraries.test(words) ? unseen(`${language} program`, WITH_HOOKS) : undefined;
}

/** The host itself is fine as long as it would read the settings file with our hooks. */
function hostDanger(invocation: Invocation, words: readonly string[], ground: DangerContext): Danger | undefined {
  const { restart } = ground.host ?? {};
  if (!restart) return undefined;
  const line = words.join(" ");
  if (restart.tells.test(line)) return undefined;
  if (restart.changes.test(line)) return question(changesHost(invocation), BY_A_PERSON);
  const moved = invocation.assignments.some(({ name }) => restart.moves.test(name));
  const isOff = moved || hasOption(words, restart.options) || !isGoverned(invocation.cwd, words, ground);
  return isOff ? unseen(shown(invocation), WITH_HOOKS) : undefined;
}

/** Each word alone and with the next one, for options whose value decides. */
function hasOption(words: readonly string[], options: RegExp): boolean {
  return words.some((word, at) => options.test(word) || options.test(`${word} ${words[at + 1] ?? ""}`));
}

/** By the files that register our hooks; if none does, the hooks come with the project. */
function isGoverned(cwd: string | undefined, words: readonly string[], ground: DangerContext): boolean {
  const { host, home, project, hooked = [] } = ground;
  if (!host || cwd === undefined) return false;
  const { reachBelow, elsewhere } = host.restart;
  if (hooked.length === 0) return within(cwd, project);
  const isAway = hasOption(words, elsewhere);
  return hooked.some((path) => {
    const root = path.slice(0, path.indexOf(`/${host.directory}/`));
    if (!path.includes(`/${host.directory}/`) || root === home) return true;
    return reachBelow.test(path) ? within(cwd, root) : cwd === root && !isAway;
  });
}

/** Set on the line for one command, or exported for all of them. */
function switchesOff({ assignments, name = "", args }: Invocation, { host }: DangerContext): boolean {
  if (!host) return false;
  const { switches } = host.restart;
  const declared = DECLARES.has(name) ? args : [];
  return [...assignments.map((one) => one.name), ...declared.map(({ text: word }) => word.replace(/=.*$/s, ""))].some(
    (one) => switches.test(one),
  );
}

const DECLARES = names("export declare typeset env local readonly");

interface Started {
  readonly host?: true;
  readonly args: readonly Word[];
  readonly runs?: readonly string[];
}

/** By its name, by its package, by the path of its script, or under another name by its own options. */
function startedBy({ name = "", word, args }: Invocation, ground: DangerContext): Started | undefined {
  const bare = name.includes(".") ? name.replace(/\.(?:exe|[cm]?js)$/, "") : name;
  const byName = agentNamed(bare, word.text, args, ground);
  if (byName) return byName;
  const [next, ...rest] = args.slice(startIn(name, args));
  const byRunner = next && agentNamed(next.text, next.text, rest, ground);
  if (byRunner) return byRunner;
  const { restart } = ground.host ?? {};
  const words = args.map(({ text: one }) => one);
  const isDisguised = restart && !takesNames(name) && words.some((one) => /^(?:-p|--print)$/.test(one));
  return isDisguised && hasOption(words, restart.options) ? { host: true, args } : undefined;
}

/** Where the arguments of a runner name what it runs; beyond the end if it runs nothing. */
function startIn(name: string, args: readonly Word[]): number {
  const words = args.map(({ text: one }) => one);
  const after = (verb: string): number => (words.includes(verb) ? words.indexOf(verb) + 1 : words.length);
  if (INTERPRETERS.has(name)) {
    const at = words.findIndex((one) => /[./]/.test(one) && !one.startsWith("-"));
    return at < 0 ? words.length : at;
  }
  if (name === "pipx" || name === "uv") return after("run");
  if (name === "ollama") return after("launch");
  return name === "gh" && words[0] === "copilot" ? 0 : words.length;
}

const INTERPRETERS = names("node nodejs bun deno tsx");

function agentNamed(
  name: string,
  spelled: string,
  args: readonly Word[],
  { host }: DangerContext,
): Started | undefined {
  const pack = packageIn(spelled);
  if (host?.processNames.includes(name) || host?.restart.packages.includes(pack)) return { host: true, args };
  const row = AGENTS.get(name) ?? AGENTS.get(pack);
  if (row === undefined) return undefined;
  const runs = /^runs=(.+)/.exec(row)?.[1]?.split(",");
  return { args, ...(runs && { runs }) };
}

/** The package of `@openai/codex@latest`, or of a file in `node_modules`. */
function packageIn(spelled: string): string {
  const isInstalled = spelled.includes("node_modules/");
  const installed = isInstalled ? /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(spelled)?.[1] : undefined;
  return installed ?? (spelled.includes("@") ? spelled.replace(/(?<=.)@[^/]*$/, "") : spelled);
}

function unseen(line: string, fix: Text): Danger {
  const what = text(
    `This starts an agent whose tool calls Sekisho would not see: ${line}.`,
    `関所を通らずにツールを使うエージェントを起動します: ${line}。`,
  );
  return { ...question(what, fix), inScripts: true };
}

function changesHost(invocation: Invocation): Text {
  return text(
    `This changes what the client loads or has recorded: ${shown(invocation)}.`,
    `クライアントが読み込むもの、または記録したものが変わります: ${shown(invocation)}。`,
  );
}

const WITH_HOOKS = text(
  "Start it in the project and without that option, or use a subagent (Agent tool).",
  "プロジェクト内でその指定なしに起動するか、サブエージェント（Agent ツール）を使ってください。",
);
const BY_A_PERSON = text(
  "Use a subagent (Agent tool), or ask the person to run this.",
  "サブエージェント（Agent ツール）を使うか、利用者に実行してもらってください。",
);
