/** Tells whether a text mentions a file: by its path, its end, or its name if no other file can be meant. */
import { absolute } from "../../../lib/paths.ts";

/** At most this many occurrences of a name are examined. */
const LOOKS_MAX = 50;
const NAME_CHARS_MIN = 3;
const BEFORE_CHARS = 200;

export function speaksOf(text: string, path: string, cwd: string | undefined): boolean {
  const slash = path.lastIndexOf("/");
  const [directory, name] = [path.slice(0, slash), path.slice(slash + 1)];
  if (name.length < NAME_CHARS_MIN) return directory.length > NAME_CHARS_MIN && text.includes(path);
  let at = text.indexOf(name);
  for (let looks = 0; at >= 0 && looks < LOOKS_MAX; looks += 1) {
    if (isWhole(text, at + name.length)) {
      const before = /[\w.@~+/$-]*$/.exec(text.slice(Math.max(0, at - BEFORE_CHARS), at))?.[0] ?? "";
      if (before === "" || before === "/" ? isBare(text, directory, cwd) : leadsTo(before + name, path, cwd))
        return true;
    }
    at = text.indexOf(name, at + 1);
  }
  return false;
}

/** No character follows that would make it another name: `a.ts` is not `a.tsx`, `a.ts.bak` or `a.ts/b`. */
function isWhole(text: string, end: number): boolean {
  return !/^(?:[\w-]|[./][\w.$-])/.test(text.slice(end, end + 2));
}

/** The path is built from parts, or the file is in the current directory. */
function isBare(text: string, directory: string, cwd: string | undefined): boolean {
  return cwd === undefined || cwd === directory || text.includes(directory.slice(directory.lastIndexOf("/") + 1));
}

function leadsTo(spelled: string, path: string, cwd: string | undefined): boolean {
  if (!/\//.test(spelled)) return false;
  // It may also be the end of a path built from parts.
  if (spelled.startsWith("/")) return path.endsWith(spelled) || absolute(spelled, cwd) === path;
  if (absolute(spelled, cwd) === path) return true;
  // `./`, `../`, `~/` and `$X/` stand for an unknown directory.
  const rest = spelled.replace(/^(?:(?:\.{1,2}|~|\$\w+)\/)+/, "");
  return rest !== spelled && path.endsWith(`/${rest}`);
}
