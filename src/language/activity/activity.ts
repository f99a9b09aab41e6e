/** Classifies a prompt by rules for English and Japanese; all statements are weighed, not just the first match. */
import { ACTIVITIES, type Activity, knownActivity } from "../../state/activity.ts";
import { isPasted, sentencesOf } from "../prose.ts";
import { readEnglish } from "./english.ts";
import { readJapanese } from "./japanese.ts";
import { type Said, TROUBLE } from "./said.ts";

export function activityOf(prompt: string): Activity {
  const said = explicitActivity(prompt) ?? heaviest(sentencesOf(prompt).map(saidIn));
  return said === "none" && isFailure(prompt) ? "debug" : said;
}

/** A pasted failure of a program, with nothing else asked. */
function isFailure(prompt: string): boolean {
  return prompt
    .slice(0, PASTED_CHARS_MAX)
    .split("\n")
    .some(
      (line) =>
        isPasted(line) &&
        /\b(?:FAIL(?:ED|URE)?|ERROR|ERR!|panic|Traceback|[A-Za-z]+(?:Error|Exception))\b/.test(line.slice(0, 160)),
    );
}

const PASTED_CHARS_MAX = 4000;

/** `/debug …`, also with a plugin name: an explicit command takes precedence. */
export function explicitActivity(prompt: string): Activity | undefined {
  const word = /^\s{0,20}\/(?:[\w-]{1,60}:)?([a-z]{1,20})(?=\s|$)/.exec(prompt)?.[1];
  const activity = word === undefined ? undefined : knownActivity(word);
  return activity === "none" ? undefined : activity;
}

export function saidIn(sentence: string): readonly Said[] {
  return JAPANESE.test(sentence) ? readJapanese(sentence) : readEnglish(sentence);
}

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;

/** A lower total counts as noise. */
const ENOUGH = 2;
/** Repeated mentions together weigh less than one command; trouble almost as much as one. */
const MENTIONS_MAX = 3;
const TROUBLE_MAX = 5;

/** Breaks ties in favour of the earlier entry: unclear between research and design means research. */
const ORDER = ["debug", "research", "implement", "design", "plan", "review", "compound"] as const;

function heaviest(sentences: readonly (readonly Said[])[]): Activity {
  const all = sentences.flat();
  const isTroubled = all.some(
    ({ activity, weight, isCommand }) => activity === "debug" && !isCommand && weight >= TROUBLE,
  );
  const said = all.map((one) => (one.isOpen && isTroubled ? { ...one, activity: "debug" as const } : one));
  const last = sentences.findLast((one) => one.some(({ isCommand }) => isCommand))?.find(({ isCommand }) => isCommand);
  const weights = new Map<Activity, number>(
    ACTIVITIES.map((activity) => {
      const [commands, mentions] = [true, false].map((wanted) =>
        said
          .filter((one) => one.activity === activity && one.isCommand === wanted)
          .reduce((sum, { weight }) => sum + weight, 0),
      ) as [number, number];
      const most = activity === "debug" ? TROUBLE_MAX : MENTIONS_MAX;
      return [activity, commands + Math.min(most, mentions) + (last?.activity === activity ? 1 : 0)];
    }),
  );
  const best = Math.max(...weights.values());
  return best < ENOUGH ? "none" : (ORDER.find((activity) => weights.get(activity) === best) ?? "none");
}
