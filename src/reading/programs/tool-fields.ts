/** What the fields of an unknown tool hold, by their names: commands, statements, programs and paths. Others are prose. */

import { names } from "../../lib/name-table.ts";
import type { Tool } from "../tool.ts";

export interface ToolWork {
  /** Shell commands, in the order of the fields. */
  readonly commands: readonly string[];
  readonly statements: readonly string[];
  readonly programs: readonly { readonly language: string; readonly text: string }[];
  /** Only of a tool whose name says that it removes something. */
  readonly removed: readonly string[];
}

const SHELL = names("command cmd shell bash commandline command_line shell_command exec keystrokes");
const ARGUMENTS = names("args arguments argv");
const SQL = names("sql query statement statements queries");
const CODE = names("code script source_code program javascript python expression function");
const PATHS = names("path paths file files file_path filepath filename directory dir folder target targets source uri");
const REMOVES = names("delete remove rm rmdir unlink trash erase wipe purge destroy drop");
const DATABASE =
  /sql|postgres|mysql|maria|mongo|database|\bdb\b|_db_|supabase|neon|bigquery|snowflake|duckdb|clickhouse/i;

/** Undefined if no field of the tool would be judged. */
export function workOf(tool: Tool): ToolWork | undefined {
  if (tool.kind !== "mcp" && tool.kind !== "unknown") return undefined;
  const { fields = [], name } = tool;
  const of = (table: typeof SHELL): readonly string[] =>
    fields.filter((field) => table.has(field.name.toLowerCase())).map(({ text }) => text);
  const [first, ...more] = of(SHELL);
  const lines = first === undefined ? [] : [[first, ...of(ARGUMENTS)].join(" "), ...more];
  const isPowershell = /^powershell$/i.test(name);
  const parts = name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const removed = parts.some((part) => REMOVES.has(part)) ? of(PATHS) : [];
  const statements = DATABASE.test(name) || fields.some((field) => field.name.toLowerCase() === "sql") ? of(SQL) : [];
  const inCode = of(CODE).map((text) => ({ language: languageOf(name, text), text }));
  const programs = isPowershell ? lines.map((text) => ({ language: "powershell", text })) : inCode;
  const commands = isPowershell ? [] : lines;
  const isEmpty = commands.length + statements.length + programs.length + removed.length === 0;
  return isEmpty ? undefined : { commands, statements, programs, removed };
}

function languageOf(name: string, text: string): string {
  if (/python|jupyter|ipython/i.test(name) || /^\s*(?:import|from) \w/m.test(text)) return "python";
  return "javascript";
}
