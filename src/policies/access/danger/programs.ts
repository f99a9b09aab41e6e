/** Destructive code in another language on the command line. */

import { absolute } from "../../../lib/paths.ts";
import { inline, text } from "../../../lib/text.ts";
import { quoted } from "../../../reading/programs/commands-in-text.ts";
import { MARK, type Skeleton, skeletonOf } from "../../../reading/programs/skeleton.ts";
import type { Program } from "../../../reading/shell/parse/reading.ts";
import { type Danger, type DangerContext, forbid, forkBomb, never, question } from "./danger.ts";
import { sqlDanger } from "./data.ts";
import { worthOf } from "./places.ts";
import { fileLosses } from "./program-files.ts";
import { placesRemoved } from "./program-removals.ts";
import { shellsAway, startsUnread, wrappedIn } from "./program-shells.ts";
import { stringDangers } from "./program-strings.ts";

/** `readCommand` judges shell text that the program would run. */
export function programDanger(
  program: Program,
  ground: DangerContext,
  readCommand: (command: string) => Danger[],
): Danger[] {
  if (program.language === "sql")
    return [sqlDanger(program.text, inline(program.text, 80))].flatMap((one) => one ?? []);
  const skeleton = skeletonOf(program.language, program.text);
  const commands = commandsIn(skeleton, program.language);
  return [
    ...commands.flatMap(readCommand),
    // A program file holds statements for migrations and tests that this run doesn't reach.
    ...(ground.inFile ? [] : statementsIn(skeleton)),
    ...shellsAway(skeleton, program),
    ...(ground.inFile ? [] : [...wrappedIn(commands), ...startsUnread(skeleton)]),
    ...(ground.inFile ? [] : stringDangers(skeleton, program.text, readCommand)),
    ...deletionsIn(skeleton, program, ground),
    ...placesRemoved(skeleton, program, ground),
    ...fileLosses(skeleton, program, ground),
    ...(replicates(skeleton.code) ? [forkBomb] : []),
    ...hiddenCode(skeleton, program.language),
  ];
}

const STRING = `${MARK}(\\d+)${MARK}`;
/** Calls that pass a string or a list of strings to a shell or to the system. */
const shellCall = (): RegExp =>
  new RegExp(
    `(?:<exec[^>]*=|\\b(?:system|popen|exec(?!ut)\\w*|spawn\\w*|check_output|check_call|call|run|getoutput|os\\.execute|shell_exec|shell|(?:run-|async-)?shell-command|cmd|passthru|proc_open|do shell script|qx|Popen)|\\])\\s*\\(?\\s*(\\[?\\s*${STRING}(?:\\s*,\\s*\\[?\\s*${STRING})*)`,
    "g",
  );

function commandsIn(skeleton: Skeleton, language: string): string[] {
  const { code, strings } = joinedStrings(skeleton);
  const found: string[] = [];
  for (const match of withValues(code).matchAll(shellCall())) {
    const parts = [...(match[1] ?? "").matchAll(new RegExp(STRING, "g"))].map(
      ([, index]) => strings[Number(index)]?.text ?? "",
    );
    found.push(parts.length === 1 ? (parts[0] ?? "") : parts.map(quoted).join(" "));
  }
  if (language === "perl" || language === "ruby" || language === "php") {
    found.push(...strings.filter(({ quote }) => quote === "`").map(({ text: command }) => command));
  }
  return [...found, ...bareCommands(language, code, strings)].slice(0, 20);
}

/** Languages in which a command stands without quotes of its own. */
function bareCommands(language: string, code: string, strings: Skeleton["strings"]): string[] {
  const bare = BARE[language]?.() ?? undefined;
  if (!bare) return [];
  const spelled = (part: string): string =>
    part.replace(new RegExp(STRING, "g"), (_, at: string) => quoted(strings[Number(at)]?.text ?? ""));
  return [...code.matchAll(bare)].flatMap(([, part]) => (part === undefined ? [] : [spelled(part)]));
}

const BARE: Readonly<Record<string, () => RegExp>> = {
  tcl: () => /\bexec\s+([^\n\];]+)/g,
  tex: () => /\\write18\s*\{([^}]*)\}/g,
};

/** `cursor.execute("DROP TABLE t")`, `client.query("…")`: strings that a database would run. */
const queryCall = (): RegExp =>
  new RegExp(
    `\\.(?:execut\\w*|query|raw|\\$queryRaw\\w*|\\$executeRaw\\w*)\\s*\\(\\s*(?:(?:[\\w.]+\\.)?(?:text|SQL)\\(\\s*)?[fr]?${STRING}`,
    "g",
  );

function statementsIn(skeleton: Skeleton): readonly Danger[] {
  const { code, strings } = joinedStrings(skeleton);
  const statements = [...withValues(code).matchAll(queryCall())].map(([, index]) => strings[Number(index)]?.text ?? "");
  const danger = sqlDanger(statements.join("\n;"), inline(statements.join("; "), 80));
  return danger ? [danger] : [];
}

/** `c = "…"; os.system(c)`: replaces a variable by the string assigned to it. */
function withValues(code: string): string {
  const given = [
    ...code.matchAll(new RegExp(`(?:^|[\\s;{(,])\\$?([A-Za-z_]\\w*)\\s*=\\s*(\\[?\\s*${STRING}[^;\\n\\])]*)`, "g")),
  ];
  let said = code;
  for (const [, name = "", value = ""] of given.slice(0, VALUES_MAX)) {
    said = said.replace(
      new RegExp(`(\\(\\s*)\\$?${name}\\b(?!\\s*[=(.\\[])`, "g"),
      (_, before: string) => before + value,
    );
  }
  return said;
}

const VALUES_MAX = 20;

/** `"rm -rf " + path` is one command with an unknown word, and so are `f"…{path}"` and `"… %s" % path`. */
function joinedStrings({ code, strings }: Skeleton): Skeleton {
  const texts = strings.map(({ text: value, quote }) => ({
    text: value.replace(/%s|(?<!\$)\{[\w.[\]]+\}/g, "$UNKNOWN"),
    quote,
  }));
  const sum = new RegExp(`${STRING}\\s*(?:\\+|\\.(?!\\w))\\s*(?:${STRING}|[\\w.[\\]$]+(?:\\([^()]*\\))?)`);
  let joined = code;
  for (let round = 0; round < SUMS_MAX; round += 1) {
    const match = sum.exec(joined);
    if (!match) break;
    const left = texts[Number(match[1])];
    const right = match[2] === undefined ? "$UNKNOWN" : (texts[Number(match[2])]?.text ?? "");
    texts.push({ text: `${left?.text ?? ""}${right}`, quote: left?.quote ?? "" });
    joined = joined.replace(sum, () => `${MARK}${texts.length - 1}${MARK}`);
  }
  return { code: joined, strings: texts };
}

const SUMS_MAX = 30;

/** Calls that remove a directory tree; the argument is a path. */
const removeCallPattern = (): RegExp =>
  /\b(?:rmtree|rm_rf|rm_r|remove_tree|remove_entry_secure|rmSync|rmdirSync|removeSync|emptyDirSync|rimraf(?:\.sync)?|(?:fs|fsp|promises)\.(?:rm|rmdir)|delete_dir|rmdir_recursive|RemoveAll)\s*\(?\s*((?:[^,();]|\([^()]*\))*)/g;

function deletionsIn({ code, strings }: Skeleton, program: Program, ground: DangerContext): Danger[] {
  return [...code.matchAll(removeCallPattern())].flatMap(([, argument = ""]) => {
    const only = new RegExp(`^(?:[\\w.]*Path\\(|os\\.path\\.expanduser\\()?\\s*${STRING}\\s*\\)?$`).exec(
      argument.trim(),
    );
    const path = only ? strings[Number(only[1])]?.text : spokenPlace(argument, strings, ground);
    if (path === undefined) return argument.trim() === "" ? [] : [unknownTree];
    const place = absolute(path.replace(/^~(?=\/|$)/, ground.home), program.cwd ?? ground.cwd) ?? path;
    const worth = worthOf(place, ground);
    if (worth.level === "ordinary") return [];
    const what = text(`The program would delete ${worth.name.en}.`, `このプログラムは${worth.name.ja}を削除します。`);
    if (worth.level === "foreign") return [question(what, REMOVE_BY_NAME)];
    return [worth.floor ? never(what, REMOVE_BY_NAME) : forbid(what, REMOVE_BY_NAME)];
  });
}

const homeCallPattern = (): RegExp =>
  /^(?:[\w.]*Path\.home\(\)|.{0,30}\.?homedir\(\)|Dir\.home|(?:os\.environ|ENV|process\.env)[.[]HOME\]?|os\.getenv\(HOME\))$/;
const hereCallPattern = (): RegExp => /^(?:(?:os\.)?getcwd\(\)|process\.cwd\(\)|Dir\.pwd|[\w.]*Path\.cwd\(\))$/;

/** Expressions for the home and the current directory that use no string. */
function spokenPlace(argument: string, strings: Skeleton["strings"], ground: DangerContext): string | undefined {
  const said = argument
    .replace(new RegExp(STRING, "g"), (_, index: string) => strings[Number(index)]?.text ?? "")
    .trim();
  if (homeCallPattern().test(said)) return ground.home;
  return hereCallPattern().test(said) ? ground.cwd : undefined;
}

const REMOVE_BY_NAME = text(
  "Remove only what the task made, by its name inside the project.",
  "作業で作ったものだけを、プロジェクト内の名前で削除してください。",
);

const unknownTree = question(
  text(
    "The program deletes a directory tree, and the line does not say which.",
    "このプログラムはディレクトリを丸ごと削除しますが、対象が分かりません。",
  ),
  REMOVE_BY_NAME,
);

/** A loop that only forks itself. */
function replicates(code: string): boolean {
  if (!/\bfork\b/.test(code)) return false;
  return /\bfork\b[\s()]*(?:while|until)\b|\bwhile\b[^;\n]*\bfork\b|\bwhile\s*\(?\s*(?:True|true|1)\b[^#]{0,20}\bfork\b|\bloop\b\s*(?:\{|do)[^}]{0,40}\bfork\b|\bfor\s*\(?\s*;\s*;[^}]{0,40}\bfork\b/.test(
    code,
  );
}

const decodesPattern = (): RegExp =>
  /b64decode|atob|fromhex|unhexlify|fromCharCode|decompress|rot_?13|\bpack\s*\(|marshal\.loads|\bchr\b|\[::-1\]|base64_decode|FromBase64String|Buffer\.from|codecs\.decode/;
const runsPattern = (): RegExp =>
  /\b(?:eval|exec|Function|execSync|system|(?<!re\.)compile|iex|Invoke-Expression)\s*\(?/;
/** In one statement, so that the decoded text is the text that runs. */
const decodedRuns = (): RegExp => new RegExp(`${runsPattern().source}[^;\\n]{0,120}(?:${decodesPattern().source})`);

function hiddenCode({ code }: Skeleton, language: string): Danger[] {
  const fetched =
    /\b(?:urlopen|requests\.get|urllib|fetch|https?\.get|open-uri|Net::HTTP|DownloadString|iwr|irm|curl)\b/i.test(code);
  if (runsPattern().test(code) && /\b(?:eval|exec|iex|Invoke-Expression)\b/i.test(code) && fetched)
    return [forbid(hidden, READABLE)];
  if (runsPattern().test(code) && decodesPattern().test(code))
    return [(decodedRuns().test(code) ? forbid : question)(hidden, READABLE)];
  if (language === "powershell") return powershell(code);
  return language === "awk" && /\bsystem\s*\(\s*\$/.test(code) ? [forbid(hidden, READABLE)] : [];
}

const hidden = text(
  "The program decodes or fetches text and runs it unread.",
  "このプログラムは、復号または取得した内容を確認せずに実行します。",
);
const READABLE = text(
  "Write the program out in a file that can be read, then run it.",
  "読めるファイルとして書き出してから実行してください。",
);

function powershell(code: string): Danger[] {
  if (/\b(?:Format-Volume|Clear-Disk|Initialize-Disk|Remove-Partition)\b/i.test(code)) return [wholeDrive];
  if (!/\b(?:Remove-Item|rd|del|ri|rmdir)\b/i.test(code) || !/-r(?:ecurse)?\b|\/s\b/i.test(code)) return [];
  return [/(?:^|\s)(?:[a-z]:[\\/]*\*?|~|\$home|\$env:userprofile)(?=\s|$)/i.test(code) ? wholeDrive : unknownTree];
}

const wholeDrive = never(
  text("The program would erase a whole drive or home.", "このプログラムはドライブ全体またはホームを消去します。"),
  REMOVE_BY_NAME,
);
