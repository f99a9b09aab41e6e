/** Lines in which a program of the tables runs a command: the written examples, and one from the row of each runner. */

import { carrierNames, carriersOf } from "./carriers.ts";
import { EXAMPLES } from "./examples.ts";
import { interpreterNames } from "./languages.ts";
import { runnerNames, wrapperOf } from "./runners.ts";

/** Names whose row needs an example and has none. */
export function withoutExample(): readonly string[] {
  const runs = carrierNames().filter((name) => carriersOf(name).some(({ language }) => language !== "sql"));
  return [...runs, ...interpreterNames()].filter((name) => !Object.hasOwn(EXAMPLES, name));
}

/** Undefined where the command can't be put into the example: a quote inside a quoted program would end it. */
export function carrying(name: string, command: string): string | undefined {
  const example = EXAMPLES[name] ?? runnerExample(name);
  if (example.includes("{string}") && /['"\\`$!{}()\n]/.test(command)) return undefined;
  const quoted = `'${command.replaceAll("'", `'\\''`)}'`;
  return example
    .replace("{words}", () => command)
    .replace("{text}", () => quoted)
    .replace("{string}", () => command);
}

export function carryingNames(): readonly string[] {
  return [...new Set([...Object.keys(EXAMPLES), ...runnerNames()])];
}

function runnerExample(name: string): string {
  const { after, from, operands = 0, script } = wrapperOf(name) ?? {};
  const given = [name, after?.[0], ...Array.from({ length: operands }, () => "1"), from?.[0]];
  const lead = given.filter((word) => word !== undefined).join(" ");
  return script && !after ? `${lead} ${script[0]} {text}` : `${lead} {words}`;
}
