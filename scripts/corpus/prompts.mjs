/** Scores the readers of prompts: modes that start unasked, orders that are heard, and the activity hint. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { activityLabels, ID_CHARS } from "./activity-labels.mjs";
import { figure } from "./figures.mjs";
import { reader } from "./reader.mjs";
import { hashOf, root, rowsOf } from "./rows.mjs";

/** Keywords that change how the session continues; the others only add instructions. */
const MODES = ["cancel", "persistent", "turbo", "web-qa"];

const tell = ({ said, expected = [] }) => `${said} (expected ${expected.join(" or ") || "nothing"}): `;
const isStarted = ({ said }) => said.some((name) => MODES.includes(name));

export async function promptFigures() {
  const { keywordsIn, modesMentioned, activityOf } = await reader();
  const heard = (row) => ({ ...row, said: keywordsIn(row.prompt) });
  const prompts = rowsOf("real/prompts.jsonl");
  return [
    ...(prompts === undefined ? [] : realFigures(prompts, { heard, modesMentioned })),
    figure("original patterns and explicit orders heard", orders().map(heard), isHeard, {
      ...{ least: 95, tell },
      // The list was written with the vocabulary in view.
      isApart: () => false,
    }),
    ...(prompts === undefined ? [] : activityFigures(prompts, activityOf)),
  ];
}

function realFigures(prompts, { heard, modesMentioned }) {
  const hinted = prompts.map((row) => ({ ...row, said: modesMentioned(row.prompt) }));
  return [
    figure("real prompts that start or cancel a mode", prompts.map(heard), isStarted, { most: 0, tell }),
    figure("real prompts answered with a hint", hinted, ({ said }) => said.length > 0, { tell }),
  ];
}

/** Written for the project, with those that are known to be missed. */
function orders() {
  const lists = JSON.parse(readFileSync(join(root, "test", "orders.json"), "utf8"));
  return Object.values(lists)
    .flatMap(Object.entries)
    .flatMap(([keyword, prompts]) => prompts.map((prompt) => ({ prompt, expected: [keyword] })));
}

/** A cancel must be alone. */
function isHeard({ said, expected: [keyword] }) {
  return said.includes(keyword) && (keyword !== "cancel" || said.length === 1);
}

function activityFigures(prompts, activityOf) {
  const labelled = [...new Set(prompts.map(({ prompt }) => prompt))].flatMap((prompt) => {
    const expected = activityLabels.get(hashOf(prompt).slice(0, ID_CHARS));
    return expected === undefined ? [] : [{ prompt, expected, said: activityOf(prompt) }];
  });
  // Held out while the classifier was worked on: every third of the sample, in the order of the labels.
  const ids = [...activityLabels.keys()];
  const isApart = ({ prompt }) => ids.indexOf(hashOf(prompt).slice(0, ID_CHARS)) % 3 === 2;
  const isRight = ({ said, expected }) => expected.includes(said);
  const isBest = ({ said, expected: [best] }) => said === best;
  return [
    figure("activity hint right", labelled, isRight, { least: 85, tell, isApart }),
    figure("activity hint the best of those that are right", labelled, isBest, { isApart }),
  ].map((one, at) => (at === 1 ? { ...one, alarms: [] } : one));
}
