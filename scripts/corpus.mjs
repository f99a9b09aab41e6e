/**
 * Scores the verdicts and the readers of prompts on rows that exist beside the project (../shared/corpus), with every row
 * behind a figure. The rows are not part of the project; without them only its own are scored. A third of the rows is
 * also shown by itself: leave it alone while working on the rest. Usage: npm run corpus [-- --figures]
 */
import { commandFigures } from "./corpus/commands.mjs";
import { printAlarms, printTable } from "./corpus/figures.mjs";
import { promptFigures } from "./corpus/prompts.mjs";
import { hasRows } from "./corpus/rows.mjs";

if (!hasRows) console.log("no rows beside the project (../shared/corpus): what needs them is left out\n");
const figures = [...(hasRows ? commandFigures() : []), ...(await promptFigures())];
printTable(figures);
if (!process.argv.includes("--figures")) printAlarms(figures);
if (figures.some(({ holds }) => !holds)) process.exitCode = 1;
