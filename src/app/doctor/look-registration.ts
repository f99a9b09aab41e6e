/** Checks that our hooks are in the host's settings, complete, and only once. */

import type { Program, Registration, Rewritten } from "../../hosts/registration.ts";
import { EVENT_NAMES } from "../../kernel/event.ts";
import { registration as hooks, host, setup } from "../host.ts";
import { installationOf } from "../setup/installation.ts";
import { type Check, type Finding, type HostFile, ok, type Premises, registered } from "./check.ts";
import { rewriteFile } from "./rewrite.ts";

type OurFile = HostFile & { readonly ours: Registration };

export const registration: Check = {
  id: "registration",
  title: "Hooks registered",
  look(premises) {
    const files = registered(premises);
    if (files.length === 0) {
      const [plugin] = pluginsIn(premises);
      return plugin === undefined ? NOT_REGISTERED : ok(`by the plugin that is enabled in ${plugin}`);
    }
    const flawed = files.map((file) => ({ file, flaws: flawsOf(file, premises) })).filter(({ flaws }) => flaws !== "");
    if (flawed.length === 0) {
      return ok(files.map(({ path, ours }) => `${ours.hooks.length} hooks (${ours.lane} lane) in ${path}`).join("; "));
    }
    const own = flawed.filter(({ file }) => !isOfAnotherVersion(file, premises));
    return {
      state: "fail",
      what: flawed.map(({ file, flaws }) => `${file.path}: ${flaws}`).join("; "),
      why: "The client starts exactly what stands there. An event without its hook is not seen, and an altered hook may fail open.",
      fix:
        own.length > 0
          ? "Write the hooks anew: `sekisho doctor --fix`, or `sekisho init`."
          : "They start another version, which knows best what it wants: `sekisho upgrade --to this`, or its own doctor.",
      ...(own.length > 0 && {
        repair: () => {
          for (const { file } of own) rewriteFile(file.path, file.text, whole(file, premises));
          return `hooks written anew in ${own.map(({ file }) => file.path).join(", ")}`;
        },
      }),
    };
  },
};

/** Another version may listen to other events, so only its gates are checked. */
function isOfAnotherVersion(file: OurFile, premises: Premises): boolean {
  const { version = premises.version } = installationOf(startedBy(file, premises).bundle);
  return version !== premises.version;
}

const NOT_REGISTERED: Finding = {
  state: "fail",
  what: "no settings file of Claude Code holds a hook of Sekisho for this directory",
  why: "Nothing is checked and nothing is recorded here.",
  fix: "Run `sekisho init` in the project's directory, in a terminal of your own. Where to register is your choice, so --fix does not do it.",
};

/** Lists missing, altered and surplus hooks; empty when the file is as we would write it. */
function flawsOf(file: OurFile, premises: Premises): string {
  const program = startedBy(file, premises);
  const marks = host.arming(file.text, program).hooks;
  const held = marks.filter((mark) => EVENT_NAMES.some((event) => mark.split(" ")[0] === event));
  const isOther = isOfAnotherVersion(file, premises);
  const events = premises.events.filter((event) => !isOther || event === "PreToolUse");
  const wanted = hooks.slots(events, program, file.ours.lane).map(hooks.slotName);
  const missing = wanted.filter((name) => !held.includes(name));
  const surplus = isOther ? 0 : file.ours.hooks.length - held.length;
  return [
    ...(missing.length > 0 ? [`missing or altered: ${missing.join(", ")}`] : []),
    ...(missing.length === 0 && surplus > 0 ? [`${surplus} hook(s) of ours too many`] : []),
  ].join("; ");
}

/** The program as registered; another check tests whether its paths exist. */
function startedBy({ ours }: OurFile, { program }: Premises): Program {
  return { ...(ours.programs[0] ?? program), door: ours.door };
}

function whole(file: OurFile, premises: Premises): Rewritten {
  return hooks.withOurs(file.text, premises.events, startedBy(file, premises), { lane: file.ours.lane });
}

const SHARED = `/${host.layout.directory}/${setup.settingsFiles.project}`;

export const doubleRegistration: Check = {
  id: "double-registration",
  title: "Registered once",
  look(premises) {
    const files = registered(premises);
    const plugins = pluginsIn(premises);
    const count = files.length + plugins.length;
    if (count <= 1) return ok(count === 0 ? "not at all" : "in one place");
    const [kept, ...others] = files;
    // A file shared by git is not changed without its other users knowing.
    const removable = others.filter(({ path }) => !path.endsWith(SHARED));
    const places = [...files.map(({ path }) => path), ...plugins.map((path) => `the plugin enabled in ${path}`)];
    // Remove the others only if the remaining registration is complete.
    const isMendable = kept !== undefined && removable.length > 0 && flawsOf(kept, premises) === "";
    return {
      state: "fail",
      what: `registered ${places.length} times: ${places.join(", ")}`,
      why: "Every event is decided and recorded twice, and an uninstall of one leaves the other.",
      fix: isMendable
        ? `Keep ${kept.path}, which covers the most, and take the hooks out of ${removable.map(({ path }) => path).join(", ")}.`
        : "Keep one of them: `sekisho uninstall --scope …` for a settings file, `enabledPlugins` for the plugin.",
      ...(isMendable && {
        repair: () => {
          for (const { path, text } of removable) rewriteFile(path, text, hooks.withoutOurs(text));
          return `hooks taken out of ${removable.map(({ path }) => path).join(", ")}; those in ${kept.path} stay`;
        },
      }),
    };
  },
};

/** The settings files that enable our plugin. */
function pluginsIn({ files }: Premises): readonly string[] {
  return files.flatMap(({ path, text }) => (setup.settings.enabledPlugins(text).length > 0 ? [path] : []));
}
