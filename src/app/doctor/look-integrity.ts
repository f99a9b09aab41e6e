/** Checks that the program's files match the build and the contract files match what a person accepted. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { shellPattern } from "../../lib/paths.ts";
import { acceptanceRecords, acceptedIn, differenceOf, type Sums } from "../../views/contract.ts";
import { isoTime } from "../../views/time.ts";
import { type Doer, keepAction } from "../actions/action.ts";
import { setup } from "../host.ts";
import { installationOf, sumOf } from "../setup/installation.ts";
import { type Check, ok, type Premises, registered, skip } from "./check.ts";

export const installedFiles: Check = {
  id: "installed-files",
  title: "Installed files",
  look(premises) {
    const bundles = registered(premises).flatMap(({ ours }) => ours.programs.map(({ bundle }) => bundle));
    const all = [...new Set([premises.program.bundle, ...bundles])]
      .filter((bundle) => existsSync(bundle))
      .map(installationOf);
    const wrong = all.flatMap(({ bundle, missing, changed }) => [
      ...missing.map((name) => `${name} is missing beside ${bundle}`),
      ...changed.map((name) => `${name} beside ${bundle} was changed`),
    ]);
    if (wrong.length > 0) {
      return {
        state: "fail",
        what: wrong.join("; "),
        why: "What decides about the agent is not what was built. An update that was cut short does this; so does tampering.",
        fix: "Install Sekisho again from where you have it, then run `sekisho doctor` once more.",
      };
    }
    const unknown = all.flatMap(({ unknown }) => unknown ?? []);
    if (unknown.length > 0) {
      return {
        state: "warn",
        what: unknown.join("; "),
        why: "Without the list of the build nobody can tell whether the program's files were changed.",
        fix: "Install Sekisho again; every build brings the list.",
      };
    }
    const count = all.reduce((sum, { files }) => sum + Object.keys(files).length, 0);
    return ok(`${count} files as they were built`);
  },
};

/** The files that instruct the agent, and those that guard it. A name that ends in a slash stands for all below it. */
const CONTRACT = [...setup.contractFiles, ".sekisho/"];

export const contractFiles: Check = {
  id: "contract-files",
  title: "Contract files",
  look({ store, places, wants, now }) {
    if (!wants.integrity) return skip("looked at with --integrity");
    const sums = contractSums(places.project);
    const accepted = acceptedIn(store.records());
    if (!accepted?.whole) {
      return {
        state: "warn",
        what: `${Object.keys(sums).length} file(s), and none was accepted by a person yet`,
        why: "Only against something that was accepted can a change be told.",
        fix: "Look at them, then: `sekisho doctor --integrity --accept`.",
      };
    }
    const { changed, added, removed } = differenceOf(accepted.sums, sums);
    const told = [
      ...changed.map((path) => `${path} changed`),
      ...added.map((path) => `${path} is new`),
      ...removed.map((path) => `${path} is gone`),
    ];
    if (told.length === 0) return ok(`${Object.keys(sums).length} file(s) as accepted ${isoTime(accepted.at)}`);
    return {
      state: "fail",
      what: `since ${isoTime(Math.min(accepted.at, now))}: ${told.join(", ")}`,
      why: "These files tell the agent how to behave and what guards it; an agent that changes them changes its own rules.",
      fix: "Look at the change (`git diff`). If it is yours: `sekisho doctor --integrity --accept`.",
    };
  },
};

export function contractSums(project: string): Sums {
  const paths = CONTRACT.flatMap((name) => filesAt(join(project, name), name));
  // Agents write plans, and an approval is bound to their words anyway.
  const isPlan = (path: string): boolean => relative(project, path).startsWith(".sekisho/playbooks/");
  const files = paths.filter((path) => !isPlan(path) && statSync(path, { throwIfNoEntry: false })?.isFile());
  return Object.fromEntries(
    files.map((path) => [relative(project, path), sumOf(path) ?? ""] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function filesAt(path: string, name: string): readonly string[] {
  if (name.endsWith("/")) return filesBelow(path);
  if (!name.includes("*")) return [path];
  const directory = dirname(path);
  const matcher = shellPattern(basename(path));
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.filter((one) => matcher.test(one)).map((one) => join(directory, one));
}

function filesBelow(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Records the current contract files as accepted by a person. */
export function acceptContract({ store, places, now }: Pick<Premises, "store" | "places" | "now">, doer: Doer): void {
  const sums = contractSums(places.project);
  for (const record of acceptanceRecords(sums, `${now.toString(36)}-${process.pid.toString(36)}`)) {
    keepAction(store, record, now, doer);
  }
}
