/** Options by which a package manager or a task runner runs in another directory, or in other packages of a workspace. */
import { Rows } from "../../lib/name-table.ts";

/** `dir`, `file` (its directory) and `package` take a value; `all` and `root` take none. */
type Place = "dir" | "file" | "package" | "all" | "root";

const PLACES = new Rows(`
npm: -w=package --workspace=package --prefix=dir -C=dir --workspaces=all -ws=all --include-workspace-root=all -g=all
  --global=all
pnpm: --filter=package -F=package --filter-prod=package -C=dir --dir=dir --prefix=dir -r=all --recursive=all -w=root
  --workspace-root=root
yarn: --cwd=dir
bun: --filter=package -F=package --cwd=dir
composer: -d=dir --working-dir=dir -g=all
deno: --cwd=dir
uv: --directory=dir --project=dir --package=package --all-packages=all
poetry: -C=dir --directory=dir -P=dir --project=dir
make: -C=dir --directory=dir
just: -d=dir --working-directory=dir
task: -d=dir --dir=dir
mise: -C=dir --cd=dir
go: -C=dir
cargo: -p=package --package=package --manifest-path=file -C=dir --workspace=all --all=all
mvn: -pl=dir --projects=dir -f=file --file=file
gradle: -p=dir --project-dir=dir
turbo: --filter=package -F=package --cwd=dir
nx: --projects=package -p=package
lerna: --scope=package
`);

export interface Placed {
  /** The command line without these options. */
  readonly words: readonly string[];
  readonly dirs: readonly string[];
  readonly packages: readonly string[];
  /** In all packages. */
  readonly everywhere: boolean;
}

/** Options after `--` belong to what is run. */
export function placed(all: readonly string[]): Placed {
  const end = all.includes("--") ? all.indexOf("--") : all.length;
  const words: string[] = [];
  const found: Readonly<Record<Place, string[]>> = { dir: [], file: [], package: [], all: [], root: [] };
  for (let at = 0; at < all.length; at += 1) {
    const word = all[at] ?? "";
    const option = at === 0 || at >= end ? undefined : placeOption(all[0], word, all[at + 1]);
    if (!option) {
      words.push(word);
      continue;
    }
    found[option.place].push(...option.value.split(","));
    at += option.words - 1;
  }
  return { ...named(words, found.package), everywhere: found.all.length > 0, dirs: dirsIn(found) };
}

function dirsIn({ dir, file }: Readonly<Record<"dir" | "file", string[]>>): readonly string[] {
  return [...dir, ...file.map((path) => path.replace(/[^/]*$/, "") || ".")];
}

/** `yarn workspace web test`, `nx test web`, `nx run web:test`. */
function named(words: readonly string[], packages: readonly string[]): Pick<Placed, "words" | "packages"> {
  const [tool = "", first = "", second = "", ...rest] = words;
  if (tool === "yarn" && first === "workspace") return { words: [tool, ...rest], packages: [...packages, second] };
  if (tool !== "nx") return { words, packages };
  const [, one, target] = /^([^:]+):([^:]+)/.exec(first === "run" ? second : "") ?? [];
  if (one !== undefined && target !== undefined)
    return { words: [tool, target, ...rest], packages: [...packages, one] };
  const isOne = /^[a-z]/i.test(second) && !NX_VERBS.test(first);
  return isOne ? { words: [tool, first, ...rest], packages: [...packages, second] } : { words, packages };
}

const NX_VERBS = /^(?:run|run-many|affected|exec|g|generate)$/;

interface PlaceOption {
  readonly place: Place;
  readonly value: string;
  /** How many words it takes. */
  readonly words: 1 | 2;
}

/** The option, if it selects another place for this program. */
export function placeOption(tool = "", word: string, next = ""): PlaceOption | undefined {
  if (!word.startsWith("-")) return undefined;
  const [, name = word, given] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  const row = PLACES.get(tool)?.split(" ") ?? [];
  const place = row.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) as Place | undefined;
  if (place === undefined) return undefined;
  if (place === "all" || place === "root") return { place, value: "", words: 1 };
  return given === undefined ? { place, value: next, words: 2 } : { place, value: given, words: 1 };
}
