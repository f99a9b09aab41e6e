/** The definition of a command: help text, options and what it does. */

import { parseArgs } from "node:util";
import type { Demand } from "../app/admission.ts";
import type { Person } from "../app/person.ts";
import { Problem } from "../app/problem.ts";
import { letIn } from "./person.ts";
import { paint, table, terminalColumns, wrap } from "./print.ts";

export interface Option {
  readonly type: "boolean" | "string";
  readonly about: string;
  /** May be given more than once; all values count. */
  readonly multiple?: true;
  /** The placeholder for the value in the help page. */
  readonly hint?: string;
}

export type Values<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: (O[K] extends { multiple: true } ? readonly string[] : One<O[K]>) | undefined;
};

type One<O extends Option> = O["type"] extends "boolean" ? boolean : string;

export interface Command<O extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>> {
  readonly name: string;
  /** The name in version 0.1. It still works, and help does not show it. */
  readonly formerly?: string;
  readonly summary: string;
  /** Arguments after the name, such as `[id]`. */
  readonly words?: string;
  readonly wordsMax?: number;
  /** A table that explains the possible arguments, under a heading. */
  readonly glossary?: { readonly title: string; readonly rows: readonly (readonly [string, string])[] };
  readonly options: O;
  /** With --json, an error is printed on standard output as `{"error": …}` too. */
  readonly errorsAsJson?: true;
  readonly examples?: readonly string[];
  /** What these arguments demand of the caller, if they grant something or remove protection. */
  door?(values: Values<O>, words: readonly string[]): Demand | undefined;
  /** Returns the exit code: 0 success, 1 usage or operational error, 2 a check failed. */
  run(values: Values<O>, words: readonly string[], person: Person): number | Promise<number>;
}

export function defineCommand<const O extends Readonly<Record<string, Option>>>(command: Command<O>): Command<O> {
  return command;
}

export const jsonOption = { json: { type: "boolean", about: "print JSON" } } as const;

/** Where the door asked for nothing. */
const ANYBODY: Person = { from: "" };

/** An option of every command with a door. */
export const PASSPHRASE_STDIN = "passphrase-stdin";
const stdinOption: Option = { type: "boolean", about: "read your passphrase from standard input, for scripts" };

export async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(command, args);
  if (values["help"]) {
    process.stdout.write(`${commandHelp(command)}\n`);
    return 0;
  }
  const max = command.wordsMax ?? 0;
  if (positionals.length > max) {
    throw new Problem(
      `sekisho ${command.name} takes ${max === 0 ? "no words" : `at most ${max} word(s)`} but got "${positionals.join(" ")}".`,
    );
  }
  const given = values as Values<typeof command.options>;
  // Before anything else, so that no message helps an agent to probe the arguments.
  const demand = command.door?.(given, positionals);
  const person = demand ? await letIn(demand, PASSPHRASE_STDIN in values) : ANYBODY;
  return command.run(given, positionals, person);
}

/** What a command line demands of its caller. For the test that lists all of them. */
export function demandOf(command: Command, args: readonly string[]): Demand | undefined {
  const { values, positionals } = parse(command, args);
  return command.door?.(values as Values<typeof command.options>, positionals);
}

function optionsOf({ options, door }: Command): Readonly<Record<string, Option>> {
  return door ? { ...options, [PASSPHRASE_STDIN]: stdinOption } : options;
}

/** Unknown options are errors: a misspelt --purge must not be ignored silently. */
function parse(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(optionsOf(command)).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  try {
    return parseArgs({
      args: [...args],
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new Problem(`${reason}. See \`sekisho ${command.name} --help\`.`);
  }
}

function fitted(line: string, indent: string): string {
  return process.stdout.isTTY ? wrap(line, terminalColumns(), indent) : line;
}

export function commandHelp(command: Command): string {
  const options = { ...optionsOf(command), help: { type: "boolean", about: "show this page" } as Option };
  const rows = Object.entries(options).map(([name, { hint, about }]) => [
    `  --${name}${hint ? ` ${hint}` : ""}`,
    about,
  ]);
  return [
    fitted(command.summary, ""),
    "",
    paint.bold("Usage"),
    fitted(`  sekisho ${command.name}${command.words ? ` ${command.words}` : ""} [options]`, "    "),
    "",
    ...(command.glossary
      ? [
          paint.bold(command.glossary.title),
          table(command.glossary.rows.map(([word, about]) => [`  ${word}`, about])),
          "",
        ]
      : []),
    paint.bold("Options"),
    table(rows),
    ...(command.examples ? ["", paint.bold("Examples"), ...command.examples.map((line) => `  ${line}`)] : []),
  ].join("\n");
}
