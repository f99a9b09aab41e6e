/** What a prompt asks for, by rules over English and Japanese: everything said is weighed, not the first word met. */
import { ACTIVITIES, type Activity, knownActivity } from "../state/activity.ts";
import { readEnglish } from "./activity-english.ts";
import { readJapanese } from "./activity-japanese.ts";
import { type Said, TROUBLE } from "./activity-said.ts";
import { sentencesOf } from "./prose.ts";

export function activityOf(prompt: string): Activity {
  return explicitActivity(prompt) ?? heaviest(sentencesOf(prompt).map(saidIn));
}

/** `/debug …`, also with the name of a plugin before it: who says it outright is not second-guessed. */
export function explicitActivity(prompt: string): Activity | undefined {
  const word = /^\s{0,20}\/(?:[\w-]{1,60}:)?([a-z]{1,20})(?=\s|$)/.exec(prompt)?.[1];
  const activity = word === undefined ? undefined : knownActivity(word);
  return activity === "none" ? undefined : activity;
}

export function saidIn(sentence: string): readonly Said[] {
  return JAPANESE.test(sentence) ? readJapanese(sentence) : readEnglish(sentence);
}

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;

/** Less than this is chance. */
const ENOUGH = 2;
/** However often something is mentioned, it weighs less than one command; trouble nearly as much. */
const MENTIONS_MAX = 3;
const TROUBLE_MAX = 5;

/** Where two weigh the same the earlier one here holds: what is unclear between research and design is research. */
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
