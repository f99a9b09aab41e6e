import { expect, it } from "vitest";
import { TOPICS, topicsFor } from "./learnings.ts";

it.each([
  ["feature-spec", ["feature-spec"]],
  ["design", ["feature-spec", "design"]],
  ["implement", ["design", "coding"]],
  ["plan", ["design", "coding"]],
  ["review", ["design", "coding"]],
  ["debug", ["coding"]],
  ["research", TOPICS],
  ["compound", TOPICS],
  ["constructor", TOPICS],
  [undefined, TOPICS],
])("GT-55 for %s: %j", (activity, topics) => {
  expect(topicsFor(activity)).toEqual(topics);
});
