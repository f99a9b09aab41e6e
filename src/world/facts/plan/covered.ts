/** The files that a critic must have seen: computed here, so that nobody can leave one out. */
import { lstatSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { plainFile } from "../../../disk/plain-file.ts";
import type { Steps } from "../../../kernel/effect.ts";
import { type Covered, isUnknown, type Unknown } from "../../../kernel/facts.ts";
import { own } from "../../../lib/keyed.ts";
import { within } from "../../../lib/paths.ts";
import { markOf } from "../../../lib/sha256.ts";
import { isWeightless } from "../../../playbook/ladder.ts";
import { asker } from "../../machine/git-asking.ts";
import { saysHead } from "../../machine/head-commit.ts";
import { changedNames } from "../../machine/work-change.ts";
import { rootOf } from "../../machine/work-tree.ts";
import type { Looking } from "../looking.ts";

const NOTHING: Covered = { files: [], isKnown: false };

/** Since the person approved the plan at work; without a plan there is nothing to cover. */
export function* coveredFiles({
  event,
  places,
  state,
  env,
  deadline,
  clock,
  digest,
}: Looking): Steps<Covered | Unknown> {
  if (isUnknown(state)) return state;
  const root = rootOf(event.cwd, places.project);
  const { active, approvals = {}, work = {} } = own(state.playbooks ?? {}, root) ?? {};
  if (active === undefined) return NOTHING;
  const known = own(work, active);
  const approval = own(approvals, active);
  const base = approval?.base ?? known?.base ?? "";
  const ask = asker({ directory: root }, { env, project: root, deadline, clock });
  const written = (own(state.sessions, event.session)?.written ?? []).filter((path) => within(path, root));
  const changed = yield* changedNames(root, base || (saysHead(root) ? EMPTY_TREE : "HEAD"), written, ask);
  if (!changed) return base === "" ? NOTHING : { ...NOTHING, isLost: true };
  const judged = new Set(known?.judged ?? []);
  const isHosts = (path: string): boolean => places.hostSettings.includes(join(root, path));
  const paths = changed.filter((path) => isForCritic(path, active) && !isHosts(path));
  return {
    isKnown: true,
    files: [...new Set(paths)].map((path) => {
      const { mark, isThere } = markAt(root, path, digest ?? markOf);
      return { path, mark, isThere, isJudged: judged.has(mark) };
    }),
  };
}

/** Where nothing was committed when the plan was approved, everything counts. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Plans are judged by people and reviewers; lock files and build output are nobody's work. */
function isForCritic(path: string, active: string): boolean {
  return path !== active && !path.startsWith(".sekisho/") && !isWeightless(path);
}

const BYTES_MAX = 1024 * 1024;
const MARK_CHARS = 12;

function markAt(root: string, path: string, digest: (text: string) => string) {
  const full = join(root, path);
  const itself = lstatSync(full, { throwIfNoEntry: false });
  // A link leads to what is run, wherever that lies.
  const link = itself?.isSymbolicLink() ? readlinkSync(full) : "";
  const stat = link === "" ? itself : targetAt(full);
  const file = stat?.isFile() ? plainFile(full, BYTES_MAX) : undefined;
  const rest = file?.cut ? `${stat?.size} ${stat?.ctimeMs}` : "";
  const content = file ? `${link}${rest}\n${file.bytes.toString("latin1")}` : link;
  const isThere = file !== undefined || (link !== "" && stat !== undefined);
  return { mark: digest(`${path}\0${content}`).slice(0, MARK_CHARS), isThere };
}

function targetAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link in a circle leads nowhere.
    return undefined;
  }
}
