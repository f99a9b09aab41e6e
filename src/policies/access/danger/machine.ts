/** Power, processes and schedules of the machine itself; its disks and its settings are in other files. */

import { names } from "../../../lib/name-table.ts";
import { text } from "../../../lib/text.ts";
import { hasOption, operandStart } from "../../../reading/shell/parse/options.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, type Judge, never, question, SHOW_A_PERSON, shown } from "./danger.ts";
import { diskRule } from "./disks.ts";
import { systemRule } from "./system.ts";

export const machineDanger: Judge = (invocation) => {
  const { name, args } = invocation;
  if (name === undefined || invocation.contained) return undefined;
  const rule = ruleOf(name) ?? diskRule(name) ?? systemRule(name);
  if (!rule || args.some(({ text: word }) => TELLS.test(word)) || asksForHelp(args[0]?.text, name)) return undefined;
  return rule(invocation);
};

const TELLS = /^(?:--(?:long)?help|--version|--no-act|--dry-run)$/;

/** For these commands `-h` means halt, hash marks or human-readable. */
function asksForHelp(first: string | undefined, name: string): boolean {
  return first === "-h" && !/^(?:shutdown|halt|poweroff|reboot|rpm|ip)$/.test(name);
}

type Rule = (invocation: Invocation) => Danger | undefined;

const power: Rule = (invocation) => {
  if (invocation.args.some(({ text: word }) => word === "-c" || word === "--show")) return undefined;
  return forbid(
    text(
      "This would switch the machine off and end everything that runs on it.",
      "マシンが停止し、実行中のすべてが終了します。",
    ),
    text("Restart the one service or process you need.", "必要なサービスやプロセスだけを再起動してください。"),
  );
};

const runLevel: Rule = (invocation) =>
  /^[016sS]$/.test(invocation.args[0]?.text ?? "") ? power(invocation) : undefined;

const service: Rule = (invocation) => {
  const verb = invocation.args.find(({ text: word }) => !word.startsWith("-"))?.text ?? "";
  if (/^(?:poweroff|reboot|halt|kexec|suspend|hibernate|emergency|rescue|isolate)$/.test(verb))
    return power(invocation);
  if (!/^(?:stop|disable|mask|kill)$/.test(verb)) return undefined;
  return question(
    text(`This would end a service: ${shown(invocation)}.`, `サービスが止まります: ${shown(invocation)}。`),
    SHOW_A_PERSON,
  );
};

const kill: Rule = ({ args }) => {
  const words = args.map(({ text: word }) => word);
  const every = words.slice(1).includes("-1") || (words.includes("--") && words.includes("-1"));
  const init = words.includes("1") && words.some((word) => /^-(?:9|KILL|SIGKILL|s)$/.test(word));
  return every || init
    ? forbid(text("This would kill every process.", "すべてのプロセスが終了します。"), ONE_PROCESS)
    : undefined;
};

const ONE_PROCESS = text(
  "Kill the one process by its id: `kill <pid>`.",
  "対象のプロセスだけを `kill <pid>` で終了してください。",
);

const schedule: Rule = (invocation) => {
  const { args, stdin } = invocation;
  const file = args[operandStart(args, { short: "u" })]?.text;
  const empties = file === "/dev/null" || (file === "-" && stdin?.text?.trim() === "");
  if (hasOption(args, "r") || empties) return forbid(JOBS, SAVE_JOBS);
  // Appending to the output of `crontab -l` keeps the old entries.
  const adds = stdin?.from.some(({ name, args: words }) => name === "crontab" && hasOption(words, "l")) ?? false;
  if (file === undefined || hasOption(args, "le")) return undefined;
  return adds ? question(LATER, SHOW_A_PERSON) : question(JOBS, SAVE_JOBS);
};

const LATER = text(
  "This would have something run again and again, long after this session.",
  "このセッションの後も繰り返し実行される予約が加わります。",
);
const JOBS = text("Every scheduled job of this user would be deleted.", "このユーザーの予約ジョブがすべて消えます。");
const SAVE_JOBS = text(
  "Save them first: `crontab -l > crontab.bak`, then add to that file and load it.",
  "先に `crontab -l > crontab.bak` で保存し、それに追記して読み込んでください。",
);

/** `cmd /c rd /s C:\`: the Windows shell, called from Git Bash, and its commands on their own. */
const windowsShell: Rule = (invocation) => {
  // `pnpm format` runs the project's script of that name.
  if (PACKAGE_RUNNERS.has(invocation.via.at(-1) ?? "")) return undefined;
  const words = [invocation.name, ...invocation.args.map(({ text: word }) => word)].join(" ");
  if (!/\b(?:rd|rmdir|del|erase|format|remove-item|format-volume|clear-disk|remove-partition)\b/i.test(words))
    return undefined;
  const what = text(
    `This would delete through the Windows shell: ${shown(invocation)}.`,
    `Windows シェルで削除されます: ${shown(invocation)}。`,
  );
  if (/\b(?:format-volume|clear-disk|remove-partition)\b/i.test(words)) return never(what, SHOW_A_PERSON);
  const deep = /\/s\b|-r(?:ecurse)?\b/i.test(words);
  const whole = /(?:^|[\s"'])(?:[a-z]:[\\/]*\*?|~|\$home|\$env:userprofile|%userprofile%)["']?(?:\s|$)/i.test(words);
  if (whole && (deep || /\bformat\b/i.test(words))) return never(what, SHOW_A_PERSON);
  return deep ? forbid(what, SHOW_A_PERSON) : question(what, SHOW_A_PERSON);
};

const PACKAGE_RUNNERS = names("npm pnpm yarn bun npx bunx pnpx");

function ruleOf(name: string): Rule | undefined {
  switch (name) {
    case "shutdown":
    case "reboot":
    case "poweroff":
    case "halt":
      return power;
    case "init":
    case "telinit":
      return runLevel;
    case "systemctl":
      return service;
    case "kill":
      return kill;
    case "killall5":
      return () => forbid(text("This would kill every process.", "すべてのプロセスが終了します。"), ONE_PROCESS);
    case "crontab":
      return schedule;
    case "powershell":
      return (invocation) => (invocation.args[0]?.text.startsWith("-") ? undefined : windowsShell(invocation));
    case "cmd":
    case "Format-Volume":
    case "Clear-Disk":
    case "rd":
    case "del":
    case "erase":
    case "format":
    case "Remove-Item":
      return windowsShell;
    default:
      return undefined;
  }
}
