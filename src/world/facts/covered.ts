/** The files that a critic must have seen: computed here, so that nobody can leave one out. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { plainFile } from "../../disk/plain-file.ts";
import type { Steps } from "../../kernel/effect.ts";
import { type Covered, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { markOf } from "../../lib/sha256.ts";
import { isWeightless } from "../../playbook/ladder.ts";
import { asker } from "../machine/git-asking.ts";
import { changedSince } from "../machine/work-change.ts";
import { rootOf } from "../machine/work-tree.ts";
import type { Looking } from "./looking.ts";

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
  const base = own(approvals, active)?.base ?? known?.base ?? "HEAD";
  const ask = asker({ directory: root }, { env, project: root, deadline, clock });
  const changed = yield* changedSince(root, base === "" ? "HEAD" : base, ask);
  if (!changed) return NOTHING;
  const judged = new Set(known?.judged ?? []);
  const isHosts = (path: string): boolean => places.hostSettings.includes(join(root, path));
  const paths = changed
    .filter(({ path, all }) => all > 0 && isForCritic(path, active) && !isHosts(path))
    .map(({ path }) => path);
  return {
    isKnown: true,
    files: [...new Set(paths)].map((path) => {
      const { mark, isThere } = markAt(root, path, digest ?? markOf);
      return { path, mark, isThere, isJudged: judged.has(mark) };
    }),
  };
}

/** Plans are judged by people and reviewers; lock files and build output are nobody's work. */
function isForCritic(path: string, active: string): boolean {
  return path !== active && !path.startsWith(".sekisho/") && !isWeightless(path);
}

const BYTES_MAX = 1024 * 1024;
const MARK_CHARS = 12;

function markAt(root: string, path: string, digest: (text: string) => string) {
  const full = join(root, path);
  const stat = lstatSync(full, { throwIfNoEntry: false });
  const file = stat?.isFile() ? plainFile(full, BYTES_MAX) : undefined;
  const content = file ? `${file.cut ? stat?.size : ""}\n${file.bytes.toString("latin1")}` : "";
  return { mark: digest(`${path}\0${content}`).slice(0, MARK_CHARS), isThere: file !== undefined };
}
