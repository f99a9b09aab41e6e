/**
 * What the checks of a session stand on besides the project's files: shell start files, variables and programs, as they
 * were when the session began. Each is kept as a mark of 13 characters: four for its name, nine for its state.
 */
import { bounded, own } from "../../lib/keyed.ts";

export interface Ground {
  /** Files that changed later were changed by the session or beside it. */
  readonly at: number;
  /** Marks of what shapes every shell: start files, the host's shell files, variables. */
  readonly shell: string;
  /** Marks of the files that the host runs before each command, and when they were taken. */
  readonly setup?: { readonly marks: string; readonly at: number };
  /** By work tree: marks of the programs that its checks run. */
  readonly programs: Readonly<Record<string, string>>;
  /** Runs of a package manager whose changes to those programs were accepted, oldest first. */
  readonly installs?: readonly Install[];
}

export interface Install {
  readonly root: string;
  readonly command: string;
  readonly at: number;
}

/** An open tool use that runs a package manager. */
export interface Installing {
  readonly root: string;
  readonly command: string;
  /** Marks of the programs before it. */
  readonly programs: string;
}

export type GroundChange =
  /** The start of a session: replaces what is known. */
  | { readonly record: "ground"; readonly do: "lay"; readonly ground: Ground }
  /** A work tree or a shell file of the host that was not known yet. */
  | {
      readonly record: "ground";
      readonly do: "add";
      readonly shell?: string;
      readonly setup?: string;
      readonly root?: string;
      readonly programs?: string;
    }
  | ({ readonly record: "ground"; readonly do: "begin-install"; readonly id: string } & Installing)
  | ({ readonly record: "ground"; readonly do: "install" } & Installing);

const ROOTS_MAX = 6;
const INSTALLS_MAX = 8;
/** About 100 marks. */
const SHELL_CHARS_MAX = 1300;

export function reduceGround(
  ground: Ground | undefined,
  change: Exclude<GroundChange, { do: "begin-install" }>,
  now: number,
): Ground | undefined {
  if (change.do === "lay") return change.ground;
  const known: Ground = ground ?? { at: now, shell: "", programs: {} };
  if (change.do === "add") return added(known, change, now);
  const { root, command, programs } = change;
  const installs = [...(known.installs ?? []), { root, command, at: now }].slice(-INSTALLS_MAX);
  return { ...withPrograms(known, root, programs), installs };
}

function added(
  ground: Ground,
  { shell = "", setup, root, programs }: GroundChange & { do: "add" },
  now: number,
): Ground {
  const whole = ground.shell + shell;
  const next = {
    ...ground,
    ...(whole.length <= SHELL_CHARS_MAX && { shell: whole }),
    // The first marks of a process are kept.
    ...(setup !== undefined && !(ground.setup && ground.setup.at >= ground.at) && { setup: { marks: setup, at: now } }),
  };
  // The first marks of a work tree are kept.
  const isNew = root !== undefined && programs !== undefined && own(ground.programs, root) === undefined;
  return isNew ? withPrograms(next, root, programs) : next;
}

function withPrograms(ground: Ground, root: string, programs: string): Ground {
  const [first] = Object.keys(ground.programs);
  const isKept = (name: string): number => (name === first || name === root ? 1 : 0);
  const all = bounded(
    Object.fromEntries(Object.entries(ground.programs).map(([name, marks]) => [name, { name, marks }])),
    root,
    { name: root, marks: programs },
    ROOTS_MAX,
    ({ name }) => isKept(name),
  );
  return { ...ground, programs: Object.fromEntries(Object.values(all).map(({ name, marks }) => [name, marks])) };
}
