import { expect, it } from "vitest";
import { verdictOf } from "../describe-policy.ts";
import { bash, PLACE, read, write } from "../example.ts";
import { trackWritten } from "./track-written.ts";

function pathsOf(when: Parameters<typeof verdictOf>[1], targets?: Record<string, string>): readonly string[] {
  const { changes } = verdictOf(trackWritten, when, targets && { targets });
  return changes.flatMap((change) => (change.record === "session" && change.do === "write" ? change.paths : []));
}

it("remembers the path that a tool or a redirection writes", () => {
  expect(pathsOf(write(`${PLACE}/x.sh`, "make\n"))).toEqual([`${PLACE}/x.sh`]);
  expect(pathsOf(bash("echo make > x.sh"))).toEqual([`${PLACE}/x.sh`]);
});

it("remembers the file behind a link, not the link", () => {
  expect(pathsOf(write(`${PLACE}/link`), { [`${PLACE}/link`]: `${PLACE}/real.sh` })).toEqual([`${PLACE}/real.sh`]);
});

it("remembers nothing that was only read, or that git brings", () => {
  expect(pathsOf(read(`${PLACE}/x.sh`))).toEqual([]);
  expect(pathsOf(bash("git checkout main -- x.sh"))).toEqual([]);
});

it("names a path once, at most eight of them, and none that is too long for a record", () => {
  expect(pathsOf(bash("echo a > x.sh; echo b >> x.sh"))).toEqual([`${PLACE}/x.sh`]);
  expect(pathsOf(bash(`tee ${Array.from({ length: 12 }, (_, at) => `f${at}`).join(" ")}`))).toHaveLength(8);
  expect(pathsOf(write(`${PLACE}/${"d".repeat(200)}.sh`))).toEqual([]);
});
