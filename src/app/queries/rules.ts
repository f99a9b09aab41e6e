/** The evidence rules in force, whether the newest session satisfies them, and what the end of a turn requires. */
import { standingsOf } from "../../evidence/verification.ts";
import { standingIn } from "../../evidence/work-standing.ts";
import { bareName } from "../../state/session/proof.ts";
import type { Session } from "../../state/session/session.ts";
import type { Need } from "../../state/settings/evidence-rules.ts";
import { type RulesView, rulesView } from "../../views/rules.ts";
import { host } from "../host.ts";
import type { Here } from "../project.ts";
import { skillsHere } from "./skills.ts";
import { workHere } from "./work.ts";

export interface EndOfTurn {
  readonly stop: string;
  readonly tasks: string;
  readonly checks: readonly { readonly check: string; readonly standing: string; readonly command: string }[];
  /** The skill to use when no check is known. */
  readonly instead: string | null;
}

export function rulesHere({ places, settings }: Here): { readonly view: RulesView; readonly end: EndOfTurn } {
  const skills = skillsHere(places);
  const { tree, known, state } = workHere();
  const { skillsDirectory } = host.traits;
  const { verify } = settings.settings;
  const { person, now } = known;
  const standing = (need: Need, session: Session) => standingIn(session, undefined, { root: tree.root, person })(need);
  const view = rulesView({ settings, skills, skillsDirectory, state, now, standing });
  const checks = standingsOf(tree, known).map(({ check, standing: stands, command = "" }) => ({
    ...{ check, standing: stands, command },
  }));
  const isThere = skills.some((one) => bareName(one) === bareName(verify.skill));
  const instead = checks.length === 0 && isThere ? verify.skill : null;
  return { view, end: { stop: verify.stop, tasks: verify.tasks, checks, instead } };
}
