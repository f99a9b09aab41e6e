import type { SettingsFile } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../kernel/text.ts";
import { own } from "../../state/session.ts";
import { bash, edit, read } from "../example.ts";
import { reservedVerb, writesToUs } from "./own-command.ts";
import { type OwnPlace, ownPlaces, PLACE_NAMES, placeReached } from "./own-place.ts";
import { lossIn, marksOf } from "./registration.ts";

/** The governed agent may look at the checkpoint, and may not move it. */
export const noTampering = definePolicy({
  id: "no-tampering",
  on: ["PreToolUse", "ConfigChange"],
  needs: ["places", "targets", "hostSettings", "session"],
  floor: true,
  why: text(
    "A guard that the guarded can switch off is none: Sekisho's journal, settings, program and hooks are changed by people only.",
    "守られる側が切れる番人は番人ではない。関所の記録・設定・プログラム・フックを変えられるのは人だけ。",
  ),
  applies: (event, operation) =>
    event.name === "ConfigChange" ||
    operation?.shell !== undefined ||
    operation?.effects.some(({ kind }) => kind !== "read") === true,

  check({ event, operation, facts }) {
    if (event.name === "ConfigChange") {
      const changed = facts.hostSettings.find(({ path }) => path === event.path);
      const before = own(facts.session.registration, event.path) ?? [];
      return changed ? keepRegistration(changed.path, lossIn(before, changed.now)) : pass;
    }
    const places = ownPlaces(facts.places);
    // The file tools show what a settings file would become, so they may edit it while our hooks stay whole.
    const shown = event.tool.kind === "write" || event.tool.kind === "edit" ? facts.hostSettings : [];
    for (const effect of operation?.effects ?? []) {
      const reached = placeReached(effect, facts.targets, places, facts.places.project);
      const ruling = reached ? onPlace(reached, inline(effect.spelled, 80), shown) : pass;
      if (ruling !== pass) return ruling;
    }
    return onShell(operation, places, facts.places.installed);
  },

  examples: [
    { expect: "deny", when: bash("sed -i s/PreToolUse/x/ .claude/settings.local.json") },
    { expect: "deny", when: bash("rm -rf ~/.local/state/sekisho") },
    { expect: "deny", when: edit("/home/dev/project/.sekisho/config.yaml") },
    { expect: "deny", when: bash("sekisho uninstall") },
    { expect: "pass", when: bash("sekisho status && cat .claude/settings.local.json") },
    { expect: "pass", when: read("/home/dev/project/.sekisho/config.yaml") },
  ],
});

function onPlace(reached: OwnPlace, spelled: string, shown: readonly SettingsFile[]): Ruling {
  const file = reached.kind === "registration" ? shown.find(({ path }) => path === reached.path) : undefined;
  return file
    ? keepRegistration(file.path, lossIn(marksOf(file.now), file.after))
    : refuse(PLACE_NAMES[reached.kind], spelled);
}

function onShell(operation: Operation | undefined, places: readonly OwnPlace[], installed: readonly string[]): Ruling {
  if (!operation?.shell) return pass;
  const verb = reservedVerb(operation.shell, installed);
  if (verb !== undefined) {
    return refuse(text("a command that is for people only", "人だけが使えるコマンド"), `sekisho ${inline(verb, 40)}`);
  }
  const paths = places.map(({ path }) => path);
  const program = operation.shell.programs.find((candidate) => writesToUs(candidate, paths));
  if (!program) return pass;
  return refuse(text("one of Sekisho's own files", "関所自身のファイル"), `${program.language} program`);
}

function keepRegistration(path: string, loss: Text | undefined): Ruling {
  if (!loss) return pass;
  const file = inline(path, 100);
  return deny({
    what: text(`${file} would change: ${loss.en}.`, `${file} の変更: ${loss.ja}。`),
    fix: text(
      "Leave Sekisho's entries under `hooks` as they are; other settings may be edited with Edit or Write. A person removes them with `sekisho uninstall`.",
      "`hooks` の関所の項目はそのままに。ほかの設定は Edit や Write で編集できます。外せるのは人の `sekisho uninstall` だけです。",
    ),
  });
}

function refuse(target: Text, spelled: string): Ruling {
  return deny({
    what: text(
      `This would change or use ${target.en} (${spelled}).`,
      `${target.ja}に手を加える操作です (${spelled})。`,
    ),
    fix: text(
      "Look if you must (`sekisho status`, `sekisho explain --last`), and ask the person to make the change in their own terminal.",
      "見るのは構いません (`sekisho status`, `sekisho explain --last`)。変更は利用者に、その人の端末で頼んでください。",
    ),
  });
}
