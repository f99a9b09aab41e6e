import { rmSync } from "node:fs";
import { withoutOurs } from "../hosts/claude-code/install.ts";
import { isFault } from "../store/store.ts";
import { defineCommand } from "./command.ts";
import { here } from "./here.ts";
import { hasOurs } from "./init.ts";
import { requirePerson } from "./person.ts";
import { CommandError, paint, say } from "./print.ts";
import { readText, replaceText, SCOPES, type Scope, settingsPath } from "./settings-file.ts";

export const uninstall = defineCommand({
  name: "uninstall",
  summary: "Takes Sekisho's hooks out of Claude Code's settings. The journal stays.",
  options: {
    scope: {
      type: "string",
      hint: "local|project|user",
      about: "only this settings file (default: wherever they are)",
    },
  },
  run({ scope }) {
    requirePerson("uninstall");
    if (scope !== undefined && !(SCOPES as readonly string[]).includes(scope)) {
      throw new CommandError(`--scope is local, project or user, not "${scope}".`);
    }
    const { places, store } = here();
    const paths = scope === undefined ? places.hostSettings : [settingsPath(scope as Scope, process.cwd())];
    const ours = paths.filter((path) => hasOurs(readText(path)));
    for (const path of ours) {
      const result = withoutOurs(readText(path));
      if ("problem" in result) throw new CommandError(`${path} was left as it is: ${result.problem}.`);
      // A file that held nothing else was ours, and goes with us.
      if (result.text.trim() === "{}") rmSync(path);
      else replaceText(path, result.text);
      say(`${paint.green("✔")} hooks removed from ${path}`);
    }
    if (ours.length === 0) {
      say("No hooks of Sekisho are registered here.");
      return 0;
    }
    const kept = store.append({ kind: "action", action: "uninstall", detail: ours.join(", ") }, Date.now());
    if (isFault(kept)) say(`${paint.yellow("!")} this could not be recorded: ${kept.fault}`);
    return 0;
  },
});
