/** What a command is: its words for the help page, its options, and what it does. */
import { parseArgs } from "node:util";
import { CommandError, paint, table } from "./print.ts";

export interface Option {
  readonly type: "boolean" | "string";
  readonly about: string;
  /** May be given more than once; then every value counts. */
  readonly multiple?: true;
  /** What a value stands for in the help page. */
  readonly hint?: string;
}

export type Values<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: (O[K] extends { multiple: true } ? readonly string[] : One<O[K]>) | undefined;
};

type One<O extends Option> = O["type"] extends "boolean" ? boolean : string;

export interface Command<O extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>> {
  readonly name: string;
  readonly summary: string;
  /** Words after the name, as in `[id]`. */
  readonly words?: string;
  readonly wordsMax?: number;
  /** What the words may be and what they mean, under a heading. */
  readonly glossary?: { readonly title: string; readonly rows: readonly (readonly [string, string])[] };
  readonly options: O;
  readonly examples?: readonly string[];
  /** The exit code: 0 fine, 1 usage or operational error, 2 a check said no. */
  run(values: Values<O>, words: readonly string[]): number | Promise<number>;
}

export function defineCommand<const O extends Readonly<Record<string, Option>>>(command: Command<O>): Command<O> {
  return command;
}

export const jsonOption = { json: { type: "boolean", about: "print JSON" } } as const;

export async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(command, args);
  if (values["help"]) {
    process.stdout.write(`${commandHelp(command)}\n`);
    return 0;
  }
  const max = command.wordsMax ?? 0;
  if (positionals.length > max) {
    throw new CommandError(
      `sekisho ${command.name} takes ${max === 0 ? "no words" : `at most ${max} word(s)`} but got "${positionals.join(" ")}".`,
    );
  }
  return command.run(values as Values<typeof command.options>, positionals);
}

/** An option that does not exist is an error, never a silence: a misspelt --purge must not look obeyed. */
function parse(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
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
    throw new CommandError(`${reason}. See \`sekisho ${command.name} --help\`.`);
  }
}

export function commandHelp(command: Command): string {
  const options = { ...command.options, help: { type: "boolean", about: "show this page" } as Option };
  const rows = Object.entries(options).map(([name, { hint, about }]) => [
    `  --${name}${hint ? ` ${hint}` : ""}`,
    about,
  ]);
  return [
    command.summary,
    "",
    paint.bold("Usage"),
    `  sekisho ${command.name}${command.words ? ` ${command.words}` : ""} [options]`,
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
