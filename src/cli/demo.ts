import { here } from "../app/project.ts";
import { demoScreens } from "../app/rehearsal/demo.ts";
import { demoScenarios, type Scenario } from "../views/demo-scenarios.ts";
import { defineCommand } from "./command.ts";
import { paint, say, sayWords, table } from "./print.ts";

export const demo = defineCommand({
  name: "demo",
  summary: "Shows how trust is earned, lost and won back: the screens with a sample, and four stories in steps.",
  options: {},
  run() {
    sayWords("A sample in a scratch project: nothing of yours is read or written. The screens and numbers are real.");
    for (const { words, show } of demoScreens(here(process.cwd(), "none"))) {
      say(`\n${paint.bold(`$ sekisho ${words.join(" ")}`)}`);
      show();
    }
    for (const scenario of demoScenarios()) printScenario(scenario);
    return 0;
  },
});

function printScenario({ title, head, rows, note }: Scenario): void {
  say(`\n${paint.bold(title)}`);
  say(table([head.map((cell) => paint.dim(cell)), ...rows], "  "));
  sayWords(note);
}
