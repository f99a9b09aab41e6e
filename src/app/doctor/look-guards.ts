/** Checks that the project's own guards are as a person trusts them. */
import { type GuardView, guardsHere } from "../queries/guards.ts";
import { type Check, ok } from "./check.ts";

export const ownGuards: Check = {
  id: "guards",
  title: "Own guards",
  look(premises) {
    const guards = guardsHere(premises);
    const wrong = guards.filter(({ state }) => state !== "trusted" && state !== "untrusted");
    if (wrong.length > 0) {
      return {
        state: "fail",
        what: wrong.map(({ name, state }) => `.sekisho/guards/${name} is ${WORDS[state]}`).join("; "),
        why: "A trusted guard that is not as you trusted it is not run, and every change is refused meanwhile.",
        fix: "Look at it (`git diff .sekisho/guards`), then `sekisho guard trust NAME`, or `sekisho guard forget NAME`.",
      };
    }
    const strange = guards.filter(({ state }) => state === "untrusted").map(({ name }) => name);
    if (strange.length > 0) {
      return {
        state: "warn",
        what: `not trusted, so not run: ${strange.join(", ")}`,
        why: "A guard runs only after you have read it.",
        fix: "Read it, then `sekisho guard trust NAME`; or remove the file.",
      };
    }
    return ok(guards.length === 0 ? "none" : `${guards.length} as you trusted them`);
  },
};

const WORDS: Readonly<Record<GuardView["state"], string>> = {
  trusted: "trusted",
  untrusted: "not trusted",
  changed: "changed",
  missing: "missing",
  "not-executable": "not executable",
};
