import type { Arming, SettingsFile } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { ask, definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../kernel/text.ts";
import { own, type Registration } from "../../state/session.ts";
import { bash, edit, read } from "../example.ts";
import { handsOver, namesUsUnread, reservedVerb, writesToUs } from "./own-command.ts";
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
      const path = facts.targets[event.path] ?? event.path;
      return onConfigChange(path, facts.session.registration, facts.hostSettings);
    }
    if (!operation) return pass;
    const places = ownPlaces(facts.places);
    const ground = { project: facts.places.project, home: facts.places.home, targets: facts.targets };
    // The file tools show what a settings file would become, so they may edit it while our hooks stay whole.
    const shown = event.tool.kind === "write" || event.tool.kind === "edit" ? facts.hostSettings : [];
    for (const effect of operation.effects) {
      const reached = placeReached(effect, ground, places);
      const ruling = reached ? onPlace(reached, inline(effect.spelled, 80), shown) : pass;
      if (ruling !== pass) return ruling;
    }
    return event.tool.kind === "bash" ? onShell(event.tool.command, operation, places) : pass;
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

/** Whatever happened on the disk: what the session began with must still be there, and nothing new may disarm it. */
function onConfigChange(path: string, registration: Registration, files: readonly SettingsFile[]): Ruling {
  for (const [registered, before] of Object.entries(registration)) {
    const file = files.find((candidate) => candidate.path === registered);
    const loss = lossIn(before, file?.now ?? MISSING);
    if (loss) return keepRegistration(registered, loss);
  }
  const changed = files.find((candidate) => candidate.path === path);
  return changed ? keepRegistration(path, lossIn(own(registration, path) ?? [], changed.now)) : pass;
}

const MISSING: Arming = { readable: true, hooks: [], disarms: [], strange: [], runs: [] };

function onPlace(reached: OwnPlace, spelled: string, shown: readonly SettingsFile[]): Ruling {
  const file = reached.kind === "registration" ? shown.find(({ path }) => path === reached.path) : undefined;
  if (!file) return refuse(PLACE_NAMES[reached.kind], spelled);
  const loss = lossIn(marksOf(file.now), file.after);
  return loss ? keepRegistration(file.path, loss) : askAboutRuns(file);
}

/** The client runs these itself, past every gate: a status line, a helper, a hook of somebody else's. */
function askAboutRuns({ path, now, after }: SettingsFile): Ruling {
  const added = after.runs.filter((run) => !now.runs.includes(run));
  if (added.length === 0) return pass;
  const file = inline(path, 100);
  const what = inline(added[0] ?? "", 120);
  return ask({
    what: text(
      `${file} would get a command that the client runs by itself: ${what}.`,
      `${file} に、クライアントが自ら実行するコマンドが加わります: ${what}。`,
    ),
    fix: text(
      "Let a person confirm it, or leave that key out.",
      "利用者に確認してもらうか、そのキーを外してください。",
    ),
  });
}

function onShell(command: string, { shell, effects }: Operation, places: readonly OwnPlace[]): Ruling {
  if (!shell) return pass;
  const paths = places.map(({ path }) => path);
  const verb = reservedVerb(shell, paths);
  if (verb !== undefined) {
    return refuse(text("a command that is for people only", "人だけが使えるコマンド"), `sekisho ${inline(verb, 40)}`);
  }
  const handed = handsOver(shell, effects, places);
  if (handed !== undefined) return refuse(OWN_FILES, inline(handed, 40));
  if (namesUsUnread(command, shell)) return refuse(OWN_FILES, shell.unknown.join(", "));
  const program = shell.programs.find((candidate) => writesToUs(candidate, paths));
  return program ? refuse(OWN_FILES, `${program.language} program`) : pass;
}

const OWN_FILES = text("one of Sekisho's own files", "関所自身のファイル");

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
