/** Recognises lines that run a package manager and nothing else that could change a program. */
import { names } from "../../lib/name-table.ts";
import { within } from "../../lib/paths.ts";
import { proofOf } from "../../reading/shell/proof/proof.ts";
import type { Step } from "../../reading/shell/proof/state.ts";
import { programOf } from "./spelling.ts";

/** They fill directories that the digest ignores. */
const INSTALLS = names(
  "npm:ci npm:install npm:i pnpm:install pnpm:i yarn:install bun:install pip:install pip3:install uv:sync poetry:install bundle:install composer:install go:mod cargo:fetch",
);
/** They also change files of the project. */
const ADDS = names(
  "npm:add npm:clean-install npm:rebuild pnpm:add yarn:add bun:add bun:i uv:add uv:pip uv:venv poetry:add pdm:install pipenv:install pipx:install gem:install go:install cargo:install venv: virtualenv: corepack:enable",
);
/** Managers that install programs outside the project as well. */
const MACHINE = /^(?:pip3?|uv|pipx|gem|go|cargo|poetry) |\s(?:-g|--global)(?:\s|$)/;

export function fillsIgnored({ words: [name = "", verb = ""] }: Pick<Step, "words">): boolean {
  return INSTALLS.has(`${name}:${verb}`) || (name === "yarn" && verb === "");
}

const COMMAND_MAX = 80;

/** The command of the package manager. Undefined if there is none, or something else on the line could change programs. */
export function installIn(
  command: string,
  place: { readonly cwd: string; readonly home: string; readonly root: string },
  isIdle: (step: Step) => boolean,
): string | undefined {
  // Reading the line costs more, and few lines that name a package manager install something.
  if (!INSTALLERS.occurIn(command) || !VERBS.occurIn(command)) return undefined;
  const { conclusive, swallowed } = proofOf(command, place);
  const steps = [...conclusive, ...swallowed];
  const found = steps.filter((step) => isInstall(step, place.root));
  const isClear = steps.every((step) => found.includes(step) || isIdle(step) || step.words[0] === "rm");
  return isClear ? found[0]?.words.join(" ").slice(0, COMMAND_MAX) : undefined;
}

const INSTALLERS = names(
  "npm pnpm yarn bun pip pip3 uv poetry pdm pipenv pipx bundle composer gem go cargo venv virtualenv corepack",
);
/** One of these words is in every command of the two tables above. */
const VERBS = names("ci install i add sync mod fetch rebuild pip venv virtualenv enable yarn");

function isInstall(step: Step, root: string): boolean {
  // As typed, because `pnpm add` could also be a program `add` that pnpm runs.
  const isKnown = [step.words, programOf(step.words, root)].some(installs);
  const isSure = step.why === undefined || step.why === "pipe" || step.why === "sequence" || step.why === "or";
  return isKnown && isSure && step.cwd !== undefined && within(step.cwd, root);
}

function installs(words: readonly string[]): boolean {
  const [name = "", verb = ""] = words;
  return fillsIgnored({ words }) || ADDS.has(`${name}:${verb}`) || ADDS.has(`${name}:`);
}

export function installsOutside(command: string): boolean {
  return MACHINE.test(command);
}
