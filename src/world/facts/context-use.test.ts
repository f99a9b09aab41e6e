import { readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { contextUse, keepContextUse } from "./context-use.ts";

function sessions(): string {
  const directory = tempDirectory("use");
  return directory;
}

it("GT-54 keeps the newest percentage of a session and when it last changed", () => {
  const directory = sessions();
  expect(contextUse(directory, "s1")).toBeUndefined();
  keepContextUse(directory, "s1", 61.9);
  expect(contextUse(directory, "s1")?.percent).toBe(61);
  utimesSync(join(directory, "s1.context"), 5, 5);
  keepContextUse(directory, "s1", 61.2);
  expect(contextUse(directory, "s1")).toEqual({ percent: 61, at: 5000 });
  keepContextUse(directory, "s1", 12);
  expect(contextUse(directory, "s1")?.percent).toBe(12);
  expect(contextUse(directory, "s2")).toBeUndefined();
  expect(readdirSync(directory)).toEqual(["s1.context"]);
});

it.each([null, undefined, "80", Number.NaN, Number.POSITIVE_INFINITY, {}, [80]])(
  "GT-54 %j is not a percentage",
  (told) => {
    const directory = sessions();
    keepContextUse(directory, "s1", told);
    expect(readdirSync(directory)).toEqual([]);
  },
);

it("GT-54 clamps out-of-range values and ignores other content", () => {
  const directory = sessions();
  keepContextUse(directory, "s1", 1e9);
  expect(contextUse(directory, "s1")?.percent).toBe(100);
  keepContextUse(directory, "s1", -3);
  expect(contextUse(directory, "s1")?.percent).toBe(0);
  writeFileSync(join(directory, "s2.context"), "many");
  symlinkSync("/dev/zero", join(directory, "s3.context"));
  expect([contextUse(directory, "s2"), contextUse(directory, "s3")]).toEqual([undefined, undefined]);
  keepContextUse(join(directory, "gone"), "s1", 50);
});
