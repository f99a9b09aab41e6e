/** How far the work of a session has grown since the person's last request, by work tree. */
import { bounded, own } from "../../lib/keyed.ts";

export interface Growth {
  /** The person's last request. */
  readonly since: number;
  readonly trees: Readonly<Record<string, GrowingTree>>;
  /** The last size at which a change was refused. */
  readonly told?: { readonly tier: string; readonly at: number };
  /** The person said then that this request needs no plan. */
  readonly waivedAt?: number;
  /** The tool use that moves a work tree to other commits. */
  readonly moving?: string;
  /** A command passed then that was more than a look around. */
  readonly passedAt?: number;
}

export interface GrowingTree {
  /** What was checked out when counting began, and when that was; empty if it could not be read. */
  readonly commit: string;
  readonly at: number;
  /** Path of a file that counts, below the root → when a tool was last about to write it, or git showed it as changed. */
  readonly files: Readonly<Record<string, number>>;
  /** Something ran then whose changes nobody can read, and git has not been asked since. */
  readonly unreadAt?: number;
  /** A plan covered the last change, so that git need not be asked for the next one in the same files. */
  readonly covered?: true;
}

interface Counted {
  readonly root: string;
  /** The first few. */
  readonly files?: readonly string[];
  /** Git was asked, so nothing before this change is unread. */
  readonly measured?: true;
}

export type GrowthChange = { readonly record: "growth" } & (
  | { readonly do: "request"; readonly root: string; readonly commit: string }
  | { readonly do: "waive" }
  | ({
      readonly do: "grow";
      /** The first time in this work tree. */
      readonly commit?: string;
      readonly unread?: true;
      readonly covered?: true;
      readonly moving?: string;
    } & Counted)
  | ({ readonly do: "refuse"; readonly tier: string } & Counted)
  | { readonly do: "moved"; readonly root: string; readonly commit: string }
  | { readonly do: "passed" }
);

/** More than the largest number of files in a setting. */
const FILES_MAX = 60;
const TREES_MAX = 4;

export function newGrowth(since: number): Growth {
  return { since, trees: {} };
}

/** A change of a newer version changes nothing. */
export function reduceGrowth(growth: Growth, change: GrowthChange, now: number): Growth {
  switch (change.do) {
    case "request":
      return requested(growth, change, now);
    case "waive":
      return { ...growth, waivedAt: now };
    case "grow": {
      const grown = withTree(growth, change.root, afterChange(treeOf(growth, change), change, now));
      return change.moving === undefined ? grown : { ...grown, moving: change.moving };
    }
    case "refuse":
      return {
        ...withTree(growth, change.root, withFiles(treeOf(growth, change), change, now)),
        told: { tier: change.tier, at: now },
      };
    case "moved": {
      const { moving: _, ...rest } = growth;
      const { commit, root } = change;
      return withTree(rest, root, { ...treeOf(growth, change), commit, at: now });
    }
    case "passed":
      return { ...growth, passedAt: now };
    default:
      return growth;
  }
}

/** The request may be confirmed late, so what happened after it is kept. */
function requested(growth: Growth, { root, commit }: GrowthChange & { do: "request" }, at: number): Growth {
  if (at < growth.since) return growth;
  const { told, waivedAt = 0, passedAt = 0, moving } = growth;
  const trees = Object.entries(growth.trees).map(([name, tree]) => [name, sinceThen(tree, at)] as const);
  const known = own(Object.fromEntries(trees), root);
  const here = known && known.at > at ? known : { ...known, files: known?.files ?? {}, commit, at };
  return {
    since: at,
    trees: { ...Object.fromEntries(trees.filter(([, tree]) => Object.keys(tree.files).length > 0)), [root]: here },
    ...(told && told.at > at && { told }),
    ...(waivedAt >= at && { waivedAt }),
    ...(passedAt > at && { passedAt }),
    ...(moving !== undefined && { moving }),
  };
}

function sinceThen({ unreadAt = 0, files, ...tree }: GrowingTree, at: number): GrowingTree {
  const kept = Object.fromEntries(Object.entries(files).filter(([, last]) => last > at));
  return { ...tree, files: kept, ...(unreadAt > at && { unreadAt }) };
}

function treeOf({ trees, since }: Growth, { root, commit = "" }: { readonly root: string; readonly commit?: string }) {
  return own(trees, root) ?? { commit, at: since, files: {} };
}

function withTree(growth: Growth, root: string, tree: GrowingTree): Growth {
  return { ...growth, trees: bounded(growth.trees, root, tree, TREES_MAX, ({ at }) => at) };
}

function afterChange(tree: GrowingTree, change: GrowthChange & { do: "grow" }, now: number): GrowingTree {
  const { covered: _, ...rest } = withFiles(tree, change, now);
  return { ...rest, ...(change.unread && { unreadAt: now }), ...(change.covered && { covered: true }) };
}

function withFiles(tree: GrowingTree, { files = [], measured }: Counted, now: number): GrowingTree {
  const { unreadAt: _, ...read } = tree;
  const all = files.reduce((known, path) => bounded(known, path, now, FILES_MAX, (at) => at), tree.files);
  return { ...(measured ? read : tree), files: all };
}
