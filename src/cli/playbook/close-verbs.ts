/** The end of a plan: by a person, or by an agent once everything is proven. */
import { type Closed, closePlaybook } from "../../app/actions/playbook-close.ts";
import type { Person } from "../../app/person.ts";
import { here } from "../../app/project.ts";
import { planAtWork } from "../../app/queries/plan-at-work.ts";
import { playbookNamed, workRoot } from "../../app/queries/playbooks.ts";
import type { Language } from "../../lib/text.ts";
import { sayCaution, sayDone, sayJson, sayWords } from "../print.ts";
import { CLOSED } from "./words.ts";

interface Given {
  readonly json: boolean;
  readonly force: string | undefined;
  readonly pr: boolean;
  readonly merge: boolean;
}

type Asked = Omit<Given, "json">;

async function close(name: string | undefined, asked: Asked, json: boolean, person: Person): Promise<number> {
  const place = here();
  const root = workRoot(place);
  const file = playbookNamed(root, name ?? planAtWork(place, root));
  const publish = asked.merge ? "merge" : asked.pr ? "pr" : "off";
  const closed = await closePlaybook(place, root, file, { reason: asked.force, publish }, person);
  if (json) sayJson(closed);
  else print(closed, place.language);
  return 0;
}

export const CLOSE_VERBS = {
  close: ([name]: readonly string[], { json, ...asked }: Given, person: Person) => close(name, asked, json, person),
  /** Without a reason nothing is forced, and nothing leaves the machine. */
  archive: ([name]: readonly string[], { json }: Given, person: Person) =>
    close(name, { force: undefined, pr: false, merge: false }, json, person),
};

function print({ path, archived, unproven, uncommitted, published, next }: Closed, language: Language): void {
  sayDone(CLOSED.here(path, archived)[language]);
  if (unproven.length > 0) sayCaution(CLOSED.unproven(unproven)[language]);
  if (published) sayDone(CLOSED.published(published.branch, published.request)[language]);
  if (uncommitted.length > 0) sayCaution(CLOSED.uncommitted(uncommitted)[language]);
  sayWords(CLOSED.next(next)[language]);
}
