import { leaveView } from "../views/leave.ts";
import { keepAction } from "./action.ts";
import { defineCommand } from "./command.ts";
import { here, orFail } from "./here.ts";
import { requirePerson } from "./person.ts";
import { CommandError, paint, say } from "./print.ts";

export const denyAgain = defineCommand({
  name: "deny",
  summary: "Takes back what `sekisho allow` gave (people only).",
  words: "<id>",
  wordsMax: 1,
  options: {},
  examples: ["sekisho deny mr3x91a2"],
  run(_, [id = ""]) {
    requirePerson("deny");
    const { store } = here();
    const now = Date.now();
    const fitting = leaveView(orFail(store.read()), now).grants.filter((grant) => id !== "" && grant.id.startsWith(id));
    const [grant] = fitting;
    if (!grant || fitting.length > 1) {
      throw new CommandError(`${fitting.length} of what is allowed here begins with "${id}". See \`sekisho status\`.`);
    }
    const changes = [{ record: "grant", do: "take-back", id: grant.id }] as const;
    keepAction(store, { action: "deny", detail: `${grant.id}: ${grant.what}`, changes }, now);
    say(`${paint.green("✔")} no longer allowed: ${grant.what}`);
    return 0;
  },
});
