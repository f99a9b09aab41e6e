import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PARTS } from "./parts.ts";
import { newState } from "./state.ts";

it("every part has a valid name and a reducer where the build finds it", () => {
  for (const name of Object.keys(PARTS)) {
    expect(name).toMatch(/^[a-z][a-z-]*$/);
    expect(newState).not.toHaveProperty(name);
    expect(existsSync(join(import.meta.dirname, name, "part.ts"))).toBe(true);
  }
});
