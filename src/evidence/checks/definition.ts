/** Analyses a check's own definition: the commands it consists of, and whether their failure fails the check. */

import { names } from "../../lib/name-table.ts";
import { scriptsIn } from "../../reading/scripts/entries.ts";
import { type Proof, proofOf } from "../../reading/shell/proof/proof.ts";
import type { Step, Why } from "../../reading/shell/proof/state.ts";
import type { Check } from "./check.ts";
import { scriptCall } from "./spelling.ts";

const SCRIPTS_MAX = 40;
const DEFINITION_MAX = 16 * 1024;

/** The script with its pre and post scripts and every script it may call, each preceded by `# name`. */
export function packageDefinition(text: string, script: string): string {
  const scripts = scriptsIn(text);
  const open = [script];
  const seen = new Set<string>();
  const blocks: string[] = [];
  for (let name = open.shift(); name !== undefined && seen.size < SCRIPTS_MAX; name = open.shift()) {
    const line = Object.hasOwn(scripts, name) && !seen.has(name) ? scripts[name] : undefined;
    seen.add(name);
    if (typeof line !== "string") continue;
    blocks.push(`# ${name}\n${line}`);
    open.push(`pre${name}`, `post${name}`, ...(CALLS.test(line) ? calledIn(line, scripts) : []));
  }
  return blocks.join("\n").slice(0, DEFINITION_MAX);
}

const CALLS =
  /\b(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all\d?|concurrently|wireit|turbo|nx|composer|deno|node --run)\b/;

/** Includes too many rather than too few: an unused script does no harm in a comparison. */
function calledIn(line: string, scripts: Readonly<Record<string, unknown>>): readonly string[] {
  const words = new Set(line.split(/[\s"'&|;()]+/).map((word) => word.replace(/^(?:npm|yarn|pnpm|bun):/, "")));
  const groups = [...words].flatMap((word) => (/^[^*]+\*+$/.test(word) ? [word.replace(/\*+$/, "")] : []));
  return Object.keys(scripts).filter((name) => words.has(name) || groups.some((group) => name.startsWith(group)));
}

type Blocks = ReadonlyMap<string, string>;

function blocksOf({ definition }: Check): Blocks {
  const [, ...parts] = definition.split(/^# (\S+)\n/m);
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) found.set(parts[at] ?? "", (parts[at + 1] ?? "").trimEnd());
  return found;
}

/** The commands of a makefile's recipes, each its own shell, with known variables substituted. */
function recipesOf({ definition }: Check): readonly string[] {
  const variables = new Map([["MAKE", "make"]]);
  return definition.split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+)=(?:"([^"]*)"|\$MAKE_UNKNOWN)$/.exec(line) ?? [];
    if (name !== undefined) variables.set(name, value ?? name);
    return name === undefined && line.trim() !== ""
      ? [
          line.replace(
            /\$\{(\w+)\}|\$(MAKE_UNKNOWN)/g,
            (_, one: string, two: string) => variables.get(one) ?? one ?? two,
          ),
        ]
      : [];
  });
}

/** The texts to read for a check, and its scripts by name so that calls can be followed. */
function textsOf(check: Check): { readonly texts: readonly string[]; readonly blocks: Blocks } {
  if (check.target !== undefined) return { texts: recipesOf(check), blocks: new Map() };
  const blocks: Blocks = check.script === undefined ? new Map() : blocksOf(check);
  return { texts: [blocks.get(check.script ?? "") ?? check.definition], blocks };
}

const PLACE = { cwd: "/", home: "/", root: "/" } as const;
/** `read` uses the strict rules for a typed line; `authored` also accepts what the project puts around its commands. */
const read = (text: string): Proof => proofOf(text, { ...PLACE, as: "script" });
const authored = (text: string): Proof => proofOf(text, { ...PLACE, as: "authored" });

const DEPTH_MAX = 6;

/** Why the check's definition proves nothing; undefined when it does. */
export function provesItself(check: Check): Why | undefined {
  const { texts, blocks } = textsOf(check);
  const whys = texts.map((text) => whyNot(text, blocks, 0));
  return whys.includes(undefined) ? undefined : (whys.find((why) => why !== "unread") ?? "unread");
}

/** A single real command whose failure fails the text is enough. */
function whyNot(text: string, blocks: Blocks, depth: number): Why | undefined {
  if (depth > DEPTH_MAX) return "unread";
  const { conclusive, swallowed } = authored(text);
  let why: Why | undefined;
  for (const step of conclusive.filter(isReal)) {
    const called = calledBy(step, blocks);
    const inner = called === undefined ? undefined : whyNot(called, blocks, depth + 1);
    if (inner === undefined) return undefined;
    why ??= inner;
  }
  return why ?? swallowed.find(isReal)?.why ?? "unread";
}

function calledBy({ words }: Step, blocks: Blocks): string | undefined {
  const call = scriptCall(words);
  // `npm test --workspaces` calls other packages' scripts, not this one.
  return call && !call.away ? blocks.get(call.script) : undefined;
}

/** True if the check does nothing: the placeholder of `npm init`, `true`, an echo. */
export function checksNothing(check: Check): boolean {
  const { texts, blocks } = textsOf(check);
  return !texts.some((text) => doesSomething(text, blocks, 0));
}

function doesSomething(text: string, blocks: Blocks, depth: number): boolean {
  const { conclusive, swallowed } = authored(text);
  return [...conclusive, ...swallowed].filter(isReal).some((step) => {
    const called = calledBy(step, blocks);
    return called === undefined || (depth < DEPTH_MAX && doesSomething(called, blocks, depth + 1));
  });
}

function isReal({ words: [name = ""] }: Step): boolean {
  return name !== "" && !AROUND.has(name);
}

/** Commands that surround a check but are not one. */
const AROUND = names(
  "true false : exit echo printf sleep rm mkdir rmdir touch cp mv ln cat tee tail head grep sort wc ls pwd date which type sed awk clear kill wait test [",
);

/** The commands whose combined success is the check's success; undefined when that is not certain. */
export function partsOf(check: Check): readonly (readonly string[])[] | undefined {
  const { texts, blocks } = textsOf(check);
  const parts = texts.map((text) => partsIn(text, blocks, 0));
  if ([...blocks.keys()].some((name) => name === `pre${check.script}` || name === `post${check.script}`))
    return undefined;
  const all = parts.flatMap((some) => some ?? []);
  return parts.includes(undefined) || all.length === 0 ? undefined : all;
}

function partsIn(text: string, blocks: Blocks, depth: number): readonly (readonly string[])[] | undefined {
  const { conclusive, swallowed } = read(text);
  const isPlain = conclusive.every(({ open, cwd }) => !open && cwd === "/");
  if (!isPlain || swallowed.length > 0 || depth > DEPTH_MAX) return undefined;
  const parts = conclusive.map((step) => {
    const called = calledBy(step, blocks);
    return called === undefined ? [step.words] : partsIn(called, blocks, depth + 1);
  });
  return parts.includes(undefined) ? undefined : parts.flatMap((some) => some ?? []);
}

/** All commands in the check's text. */
export function wordsIn(check: Check): readonly (readonly string[])[] {
  const { texts, blocks } = textsOf(check);
  return [...texts, ...blocks.values()].flatMap((text) => {
    const { conclusive, swallowed } = read(text);
    const own = [...conclusive, ...swallowed].filter((step) => isReal(step) && calledBy(step, blocks) === undefined);
    return own.map(({ words }) => words);
  });
}
