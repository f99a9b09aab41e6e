import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { policies } from "../index.ts";

const files = readdirSync(import.meta.dirname).map((name) => name.replace(/\.ts$/, ""));
const ours = policies.filter(({ id }) => files.includes(id));

it.each(ours.map(({ id, why }) => [id, why] as const))("%s says why by what it does, not by a maxim", (_, why) => {
  expect(why.en).not.toMatch(/^(?:What|Whoever|Who|Whom|Of|One|How|Small)\b|\bnobody\b|\bwhoever\b/i);
  expect(why.ja).toMatch(/(?:です|ます|ません|ました)。$/);
});

it("looks at all policies of this folder", () => {
  expect(ours.length).toBeGreaterThan(14);
});
