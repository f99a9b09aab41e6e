/** Extracts shell text from files with several entries: the scripts of a package, the recipes of a makefile. */

/** The named scripts with their pre and post scripts; "" if there are none. */
export function packageText(text: string, entries: readonly string[]): string {
  const scripts = scriptsIn(text);
  return entries
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .flatMap((name) => (Object.hasOwn(scripts, name) ? [scripts[name]] : []))
    .filter((line): line is string => typeof line === "string")
    .join("\n");
}

/** The scripts by name; empty if the file cannot be parsed. */
export function scriptsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    return typeof scripts === "object" && scripts !== null ? (scripts as Record<string, unknown>) : {};
  } catch {
    // The package manager could not read the file either.
    return {};
  }
}

interface Rule {
  readonly needs: readonly string[];
  readonly recipe: readonly string[];
}

const RULES_MAX = 200;

/** The recipes of the targets (by default the first one) and of their prerequisites. */
export function makeText(text: string, targets: readonly string[], spelled: Spelling = plain): string {
  const { rules, first, variables } = makefile(text, spelled);
  const open = targets.length > 0 ? [...targets] : [first];
  const seen = new Set<string>();
  const lines: string[] = [];
  for (let name = open.shift(); name !== undefined && seen.size < RULES_MAX; name = open.shift()) {
    const rule = seen.has(name) ? undefined : rules.get(name);
    seen.add(name);
    if (!rule) continue;
    open.push(...rule.needs);
    lines.push(...rule.recipe);
  }
  return lines.length === 0 ? "" : [...variables, ...lines].join("\n");
}

/** Formats a command of a recipe; `isIgnored` means that make continues if the command fails. */
export type Spelling = (command: string, isIgnored: boolean) => string;
const plain: Spelling = (command) => command;

interface Makefile {
  readonly spelled: Spelling;
  readonly rules: Map<string, Rule>;
  readonly variables: string[];
  /** The targets whose recipe is being read. */
  current: readonly string[];
  /** The default target. */
  first: string;
}

function makefile(text: string, spelled: Spelling): Makefile {
  const file: Makefile = { spelled, rules: new Map(), variables: [], current: [], first: "" };
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r?\n/)) {
    if (line.startsWith("\t")) for (const name of file.current) addTo(file.rules, name, [], [recipe(line, spelled)]);
    else if (!line.startsWith("#")) readLine(line, file);
  }
  return file;
}

/** Uses no regular expression on the whole line, so that a long line costs only linear time. */
function readLine(line: string, file: Makefile): void {
  const colon = line.indexOf(":");
  const equals = line.indexOf("=");
  if (equals >= 0 && (colon < 0 || equals <= colon + 3)) {
    const name = line
      .slice(0, equals)
      .replace(/[:?+!]{1,3}$/, "")
      .trim();
    file.variables.push(assigned(name.replace(/^export /, ""), line.slice(equals + 1)));
  } else if (colon >= 0) {
    const [needs = "", ...recipes] = line
      .slice(colon + 1)
      .replace(/^:/, "")
      .split(";");
    file.current = wordsOf(line.slice(0, colon));
    if (file.first === "" && !file.current[0]?.startsWith(".")) file.first = file.current[0] ?? "";
    for (const name of file.current)
      addTo(
        file.rules,
        name,
        wordsOf(needs),
        recipes.map((one) => recipe(one, file.spelled)),
      );
  }
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "" && word !== "|");
}

function addTo(rules: Map<string, Rule>, name: string, needs: readonly string[], lines: readonly string[]): void {
  const before = rules.get(name) ?? { needs: [], recipe: [] };
  rules.set(name, { needs: [...before.needs, ...needs], recipe: [...before.recipe, ...lines] });
}

/** Strips make's prefixes and turns make variables into shell variables. */
function recipe(line: string, spelled: Spelling): string {
  const [marks = ""] = /^[@+-]+\s*/.exec(line.trim()) ?? [];
  return spelled(shellVariables(line.trim().slice(marks.length)), marks.includes("-"));
}

function shellVariables(text: string): string {
  return text
    .replace(/\$\$/g, "\u0001")
    .replace(/\$[({]([\w.-]+)[)}]/g, (_, name: string) => `\${${shellName(name)}}`)
    .replace(/\$\((?=[a-z]+\s)[^()]*\)|\$[@<^?*%+|]/g, "$MAKE_UNKNOWN")
    .replaceAll("\u0001", "$");
}

/** A value that make would compute stays unknown. */
function assigned(name: string, given: string): string {
  const value = (given.split("#")[0] ?? "").trim();
  const isPlain = !/['"`$()|&;<>\\]/.test(value.replace(/\$[({][\w.-]+[)}]/g, ""));
  return `${shellName(name)}=${isPlain ? `"${shellVariables(value)}"` : "$MAKE_UNKNOWN"}`;
}

function shellName(name: string): string {
  return name.replace(/\W/g, "_");
}
