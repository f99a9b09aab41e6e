/** Strings in a program that read as a command, where the program starts others. */

import { commandsInText, listedCommands } from "../../../reading/programs/commands-in-text.ts";
import { MARK, type Skeleton } from "../../../reading/programs/skeleton.ts";
import type { Danger } from "./danger.ts";

const startsPattern = (): RegExp =>
  /\b(?:system\w*|exec\w*|spawn\w*|popen\w*|sh|shell\w*|subprocess|open3|capture\w*|call|check_output|run\w*|eval|command|cmd|process|write18)\b|\$/i;
const STRINGS_MAX = 60;

export function stringDangers(
  { code, strings }: Skeleton,
  source: string,
  read: (command: string) => Danger[],
): readonly Danger[] {
  const told = inlined(code, strings);
  if (!startsPattern().test(told)) return [];
  // `exec rm -rf x`: without quotes only in languages of commands.
  const bare = commandsInText(told.replaceAll(MARK, "'")).flatMap(({ command, certain }) =>
    certain && !command.startsWith("'") ? floors(read(command), true) : [],
  );
  const found = strings.slice(0, STRINGS_MAX).flatMap(({ text }, at) => {
    const [first] = commandsInText(text);
    if (!first?.certain || !text.trimStart().startsWith(first.command.slice(0, 4))) return [];
    return floors(read(first.command), isStarted(told, at));
  });
  return [...bare, ...found, ...listedCommands(source).flatMap((command) => floors(read(command), false))];
}

function floors(dangers: readonly Danger[], isSure: boolean): readonly Danger[] {
  const [worst] = dangers;
  if (!worst?.floor) return [];
  const { floor: _, ...danger } = worst;
  return [isSure ? worst : { ...danger, decision: "ask" }];
}

/** Strings that are the name of a call, `getattr(os, "system")`, or open a shell, `open(F, "|sh")`. */
function inlined(code: string, strings: Skeleton["strings"]): string {
  return code.replace(new RegExp(`${MARK}(\\d+)${MARK}`, "g"), (mark, at: string) => {
    const value = strings[Number(at)]?.text.trim() ?? "";
    if (/^\|\s*(?:ba|z|da)?sh$/.test(value)) return "popen";
    return /^\w{2,14}$/.test(value) && startsPattern().test(value) ? value : mark;
  });
}

/** A call stands just before the string, with no other string between. */
function isStarted(code: string, at: number): boolean {
  const end = code.indexOf(`${MARK}${at}${MARK}`);
  const before = code.slice(Math.max(0, end - 60), Math.max(0, end));
  return startsPattern().test(before.slice(before.lastIndexOf(MARK) + 1));
}
