/** The programs that the checks of a project run, by name. */
import { Rows } from "../../lib/name-table.ts";
import type { Check } from "./check.ts";
import { known } from "./match.ts";

const PROGRAMS_MAX = 14;

/** Programs that another one runs its work with. */
const BEHIND = new Rows(`
npm: node
npx: node
pnpm: node
yarn: node
pytest: python3
make: sh
just: sh
cargo: rustc
bundle: ruby
`);

/** Paths are left out: they are files of the project and part of its digest. */
export function programsOf(checks: readonly Check[], root: string): readonly string[] {
  const typed = checks.flatMap(({ command }) => command.split(" ").slice(0, 1));
  const inside = checks.flatMap((check) => known(check, root).programs.flatMap(([name]) => name ?? []));
  const named = [...typed, ...inside].filter((name) => /^[\w][\w.+-]*$/.test(name));
  const behind = named.flatMap((name) => BEHIND.get(name)?.split(" ") ?? []);
  const all = new Set([...typed.filter((name) => named.includes(name)), ...behind, "sh", ...named]);
  return checks.length === 0 ? [] : [...all].slice(0, PROGRAMS_MAX);
}
