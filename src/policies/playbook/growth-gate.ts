/** Judges one change by the size of everything since the person's request. */
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts, GrownFound, PlanFound } from "../../kernel/facts.ts";
import { type Ruling, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { namesOf } from "../../lib/path-meeting.ts";
import type { ChangedFile } from "../../playbook/diff.ts";
import { isAbove, isSlight, type Size, sizeOf } from "../../playbook/ladder.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Change } from "../../state/change.ts";
import type { Growth, GrowthChange } from "../../state/session/growth.ts";
import { growthOf } from "../../state/session/session.ts";
import { isReached } from "../repository/protected-match.ts";
import { type Added, addedBy, isUnread, movesTree } from "./growing.ts";
import { seenIn } from "./plan-gate.ts";
import { tooLarge } from "./size-words.ts";

interface Found {
  readonly root: string;
  readonly commit: string;
  readonly plan: PlanFound;
  readonly grown?: GrownFound;
}

type Known = Pick<Facts, "settings" | "session" | "places" | "targets" | "standing" | "scripts" | "protectedFiles">;

/** A record has little room. What does not fit is found again by git. */
const FILES_KEPT = 6;
const PATH_CHARS_MAX = 120;

export function onGrowth(
  event: HookEvent<"PreToolUse">,
  operation: Operation,
  facts: Known,
  { root, commit, plan, grown }: Found,
): Ruling {
  const growth = growthOf(facts.session);
  const tree = own(growth.trees, root);
  const measured = grown?.changed ?? Object.keys(tree?.files ?? {}).map((path) => ({ path, lines: 1, all: 1 }));
  const isProtected = (path: string): boolean => isListed(path.startsWith("/") ? path : `${root}/${path}`, facts);
  const counts = (path: string): boolean => !isSlight(path) || isProtected(path);
  const all = withoutFolders(addedBy(event, operation, facts, root), root, grown);
  const added: Added = {
    ...all,
    written: all.written.filter(({ path }) => counts(path)),
    deleted: all.deleted.filter(counts),
  };
  const size = (files: readonly ChangedFile[]): Size => sizeOf(files, facts.settings.plan, isProtected);
  const [before, after] = [size(measured), size(joined(measured, added.written))];
  // Until the request is confirmed, git also shows what was changed before it.
  const shown = isAwaited(facts.session) ? undefined : grown;
  const counted = countedIn(added, tree?.files ?? {}, shown);
  const isCovered = covers(plan, after, growth);
  const isFree = !isAbove(after.tier, "S") || isCovered || isWaived(growth);
  if (isFree || !isMore(event, operation, added, before)) {
    return remembered(seenIn(plan), {
      ...{ record: "growth", do: "grow", root, ...counted },
      ...(!tree && { commit }),
      ...(added.isUnread && { unread: true }),
      ...(isCovered && isAbove(after.tier, "S") && { covered: true }),
      ...(movesTree(operation) && event.call !== "" && { moving: event.call }),
    });
  }
  const refusal: Change = { record: "growth", do: "refuse", root, tier: after.tier, ...countedIn(NOTHING, {}, shown) };
  return { ...tooLarge(after, grown?.changed !== undefined, plan, facts.settings.plan), changes: [refusal] };
}

function isAwaited({ awaiting = [] }: Known["session"]): boolean {
  return awaiting.some(({ change }) => change.record === "growth" && change.do === "request");
}

const NOTHING: Added = { written: [], deleted: [], isUnread: false };

/** Nothing is recorded where there is nothing to say. */
function remembered(seen: readonly Change[], change: GrowthChange & { readonly do: "grow" }): Ruling {
  const { files, measured, unread, covered, moving, commit } = change;
  const isAny = [files, measured, unread, covered, moving, commit].some((one) => one !== undefined);
  return remember(...seen, ...(isAny ? [change] : []));
}

/** Where the change is too large already, only work that adds nothing goes on: looking, testing, taking back. */
function isMore(event: HookEvent<"PreToolUse">, operation: Operation, added: Added, before: Size): boolean {
  if (added.written.length > 0) return true;
  if (!isAbove(before.tier, "S")) return false;
  const isOther = added.deleted.some((path) => !before.files.includes(path));
  return isOther || (event.tool.kind === "bash" && isUnread(event.tool, operation));
}

function covers({ active }: PlanFound, { tier }: Size, { told }: Growth): boolean {
  if (active?.standing !== "approved") return false;
  if (tier !== "L" || active.long) return true;
  return told?.tier === "L" && (active.approvedAt ?? 0) > told.at;
}

export function isWaived({ waivedAt = 0, since }: Growth): boolean {
  return waivedAt > 0 && waivedAt >= since;
}

function joined(measured: readonly ChangedFile[], written: readonly ChangedFile[]): readonly ChangedFile[] {
  const known = new Map(measured.map((file) => [file.path, file]));
  for (const { path, lines, all } of written) {
    const file = known.get(path);
    known.set(path, { path, lines: (file?.lines ?? 0) + lines, all: (file?.all ?? 0) + all });
  }
  return [...known.values()];
}

function withoutFolders(added: Added, root: string, grown: GrownFound | undefined): Added {
  const isFile = ({ path }: ChangedFile): boolean => !grown?.folders.includes(`${root}/${path}`);
  return grown && grown.folders.length > 0 ? { ...added, written: added.written.filter(isFile) } : added;
}

/** The files to keep in the record, and whether that is all git knows of. */
function countedIn(
  { written, deleted }: Added,
  known: Readonly<Record<string, number>>,
  grown: GrownFound | undefined,
): { readonly files?: readonly string[]; readonly measured?: true } {
  const named = [...written.map(({ path }) => path), ...deleted];
  const news = (grown?.changed ?? []).flatMap(({ path, lines }) => (lines > 0 && !own(known, path) ? [path] : []));
  const files = [...new Set([...named, ...news])].filter(({ length }) => length <= PATH_CHARS_MAX);
  const isAll = grown?.changed !== undefined && files.length <= FILES_KEPT;
  return {
    ...(files.length > 0 && { files: files.slice(0, FILES_KEPT) }),
    ...(isAll && { measured: true }),
  };
}

function isListed(path: string, { protectedFiles }: Pick<Known, "protectedFiles">): boolean {
  return protectedFiles.some((file) => isReached(file, { names: namesOf(path, false), how: "path", spelled: path }));
}
