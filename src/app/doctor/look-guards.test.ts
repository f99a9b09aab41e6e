import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256Hex } from "../../store/digest.ts";
import { memoryStore } from "../../store/memory.ts";
import { guardDigest } from "../../world/machine/guard-file.ts";
import { keepAction } from "../actions/action.ts";
import { openHouse } from "./example-house.ts";
import { ownGuards } from "./look-guards.ts";

it("PB-23 PB-82 the doctor reports a trusted guard that is changed or missing as an error, an untrusted one as a warning", async () => {
  const house = openHouse();
  const store = memoryStore();
  expect(await house.look(ownGuards, { store })).toEqual({ state: "ok", what: "none" });
  const path = join(house.project, ".sekisho/guards/no-friday");
  const put = (text: string): void => chmodSync(house.write(path, text), 0o755);
  put("#!/bin/sh\nexit 0\n");
  expect(await house.look(ownGuards, { store })).toMatchObject({
    state: "warn",
    what: "not trusted, so not run: no-friday",
  });
  const digest = guardDigest(path, sha256Hex) ?? "";
  const changes = [{ record: "guard", do: "trust", name: "no-friday", digest, on: "changes" } as const];
  keepAction(store, { action: "guard", changes }, Date.now(), {});
  expect(await house.look(ownGuards, { store })).toMatchObject({ state: "ok" });
  put("#!/bin/sh\nexit 0 # x\n");
  expect(await house.look(ownGuards, { store })).toMatchObject({
    state: "fail",
    what: ".sekisho/guards/no-friday is changed",
  });
  rmSync(path);
  expect(await house.look(ownGuards, { store })).toMatchObject({
    state: "fail",
    what: ".sekisho/guards/no-friday is missing",
  });
});
