/** Lists other tools' hooks that run before a tool and could change its input after Sekisho has judged it. */

import { inline } from "../../lib/text.ts";
import { otherGates } from "../../policies/access/tampering/registration.ts";
import { host } from "../host.ts";
import { type Check, ok } from "./check.ts";

export const otherHooks: Check = {
  id: "other-hooks",
  title: "Other hooks",
  look({ files, program }) {
    const found = files.flatMap(({ path, text, ours }) => {
      const registered = { ...(ours?.programs[0] ?? program), door: ours?.door };
      return otherGates(host.arming(text, registered)).map((run) => `${path}: ${inline(commandIn(run), 80)}`);
    });
    if (found.length === 0) return ok("no other hook runs before tools");
    return {
      state: "warn",
      what: `these hooks also run before tools: ${found.join("; ")}`,
      why: "Such a hook can change a command after Sekisho has judged it. Sekisho notices that only when the tool has ended.",
      fix: "Keep the hooks you know, and remove the others from the settings file.",
    };
  },
};

/** The command or URL of a hook, without its other fields. */
function commandIn(run: string): string {
  const { command, url } = JSON.parse(run.slice(run.indexOf("{"))) as { command?: unknown; url?: unknown };
  return String(command ?? url ?? run);
}
