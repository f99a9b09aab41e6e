/** Are our hooks in the client's settings, whole, and only once? */
import { arming } from "../../hosts/claude-code/arming.ts";
import { type Program, readSettings, slots } from "../../hosts/claude-code/hooks.ts";
import { withOurs, withoutOurs } from "../../hosts/claude-code/install.ts";
import type { Registration } from "../../hosts/claude-code/registered.ts";
import { installationOf } from "../installation.ts";
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

/** Another version may listen to other events; of its hooks only the gates are ours to judge. */
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

/** What is missing, altered or too much; empty when the file is as we would write it. */
function flawsOf(file: OurFile, premises: Premises): string {
  const program = startedBy(file, premises);
  const held = arming(file.text, program).hooks;
  const isOther = isOfAnotherVersion(file, premises);
  const events = premises.events.filter((event) => !isOther || event === "PreToolUse");
  const wanted = slots(events, program, file.ours.lane).map(({ event, hook }) =>
    event === "PreToolUse" && hook.onFailure !== "block" ? `${event} (harmless)` : event,
  );
  const missing = wanted.filter((name) => !held.includes(name));
  const surplus = isOther ? 0 : file.ours.hooks.length - held.length;
  return [
    ...(missing.length > 0 ? [`missing or altered: ${missing.join(", ")}`] : []),
    ...(missing.length === 0 && surplus > 0 ? [`${surplus} hook(s) of ours too many`] : []),
  ].join("; ");
}

/** As it stands there: whether those paths lead anywhere is a question of its own. */
function startedBy({ ours }: OurFile, { program }: Premises): Program {
  return { ...(ours.programs[0] ?? program), door: ours.door };
}

function whole(file: OurFile, premises: Premises): ReturnType<typeof withOurs> {
  return withOurs(file.text, premises.events, startedBy(file, premises), { lane: file.ours.lane });
}

export const doubleRegistration: Check = {
  id: "double-registration",
  title: "Registered once",
  look(premises) {
    const files = registered(premises);
    const plugins = pluginsIn(premises);
    const count = files.length + plugins.length;
    if (count <= 1) return ok(count === 0 ? "not at all" : "in one place");
    const [kept, ...others] = files;
    // A file that git shares is not ours to change behind the backs of the others who use it.
    const removable = others.filter(({ path }) => !/\/\.claude\/settings\.json$/.test(path));
    const places = [...files.map(({ path }) => path), ...plugins.map((path) => `the plugin enabled in ${path}`)];
    // What stays must be enough by itself.
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
          for (const { path, text } of removable) rewriteFile(path, text, withoutOurs(text));
          return `hooks taken out of ${removable.map(({ path }) => path).join(", ")}; those in ${kept.path} stay`;
        },
      }),
    };
  },
};

/** The files that switch ours on. */
function pluginsIn({ files }: Premises): readonly string[] {
  return files.flatMap(({ path, text }) => (pluginIn(text) ? [path] : []));
}

function pluginIn(text: string): boolean {
  const plugins = readSettings(text)?.["enabledPlugins"];
  return (
    typeof plugins === "object" &&
    plugins !== null &&
    Object.entries(plugins).some(([name, on]) => name.startsWith("sekisho@") && on === true)
  );
}
