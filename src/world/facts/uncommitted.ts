/** The files of the work tree that are in no commit, as git lists them. */
import type { Steps } from "../../kernel/effect.ts";
import { asker } from "../machine/git-asking.ts";
import { rootOf } from "../machine/work-tree.ts";
import type { Looking } from "./looking.ts";

type From = Pick<Looking, "event" | "env" | "places" | "deadline" | "clock">;

const RESERVE_MS = 700;
const FILES_MAX = 50;

/** None where git cannot tell, as outside a repository. */
export function* uncommitted({ event, env, places, deadline, clock }: From): Steps<readonly string[]> {
  const directory = rootOf(event.cwd, places.project);
  const ask = asker({ directory }, { env, project: places.project, deadline: deadline - RESERVE_MS, clock });
  return uncommittedIn((yield* ask(UNCOMMITTED)) ?? "").slice(0, FILES_MAX);
}

export const UNCOMMITTED = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"];

export function uncommittedIn(text: string): readonly string[] {
  return text.split("\0").flatMap((entry) => (entry.length > 3 ? [entry.slice(3)] : []));
}
