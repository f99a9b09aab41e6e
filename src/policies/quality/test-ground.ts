/** Which paths are tests here, and what stands in them while a line goes on. */
import { codeLanguage } from "../../kernel/bare-code.ts";
import type { Facts } from "../../kernel/facts.ts";
import { isBuilt, isTest } from "../../kernel/file-kind.ts";
import { names } from "../../kernel/name-table.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { baseName, within } from "../../kernel/paths.ts";
import type { ShellReading } from "../../kernel/shell-reading.ts";

export interface Ground {
  readonly cwd: string;
  readonly project: string;
  readonly targets: Readonly<Record<string, string>>;
  readonly standing: Facts["standingText"];
}

/** What would happen to a test that is there. */
export type TestChange =
  /** `unread`: written by hand, with words that the line does not show. */
  | { readonly kind: "removed" | "unread"; readonly path: string; readonly spelled: string }
  /** `before` is undefined where the file is there and could not be read. */
  | {
      readonly kind: "written";
      readonly path: string;
      readonly spelled: string;
      readonly before: string | undefined;
      readonly after: string;
      /** Both are pieces of the file and not all of it. */
      readonly part?: true;
    };

/** Seen from the project's root; from where the session stands in a work tree elsewhere. */
function fromRoot(path: string, { project, cwd }: Ground): string | undefined {
  const root = [project, cwd].find((place) => within(path, place));
  return root === undefined ? undefined : path.slice(root.length + 1);
}

export function isTestPath(path: string, ground: Ground): boolean {
  return [path, ground.targets[path] ?? path].some((one) => {
    const place = fromRoot(one, ground);
    return place !== undefined && (isTest(place) || isTest(place.replace(/\*+$/, "ts"))) && !isBuilt(place);
  });
}

/** The name by which it is a test: its own, or that of what a link leads to. */
export function testName(path: string, ground: Ground): string {
  return isTestPath(path, { ...ground, targets: {} }) ? path : (ground.targets[path] ?? path);
}

/** What a run leaves behind beside the tests. */
const LEFT_BEHIND = names("tmp temp output outputs result results report reports logs cache screenshots videos tmpdir");

/** A directory of tests, by its own name or the names above it. */
export function isTestDirectory(path: string, ground: Ground): boolean {
  const place = fromRoot(path, ground);
  if (place === undefined || !isTest(`${place}/x.ts`) || isBuilt(`${place}/x.ts`)) return false;
  const name = baseName(place);
  // What has an ending is a file, and was asked about as one.
  return !LEFT_BEHIND.has(name) && !name.startsWith(".") && !/\.\w+$/.test(name);
}

const GAP = "\u2026";
const LISTS = names("find fd git ls rg grep ag echo printf cat");

/** Of what a search or a loop hands on: the pattern it looks for, or what the listing in the same line is of. */
export function meansTests({ spelled, literal }: Effect, { invocations }: ShellReading): boolean {
  if (literal || !/[$\u2026]/.test(spelled)) return false;
  const [, name] = /\u2026\/(.+)$/.exec(spelled) ?? [];
  if (name !== undefined) return looksLikeTest(name);
  return invocations.some(({ name: by = "", args }) => LISTS.has(by) && args.some(({ text }) => looksLikeTest(text)));
}

export function looksLikeTest(word: string): boolean {
  const plain = word.replace(/^--(?:include|glob)=/, "");
  return !word.includes(GAP) && (isTest(plain) || isTest(plain.replace(/\*+$/, "ts")));
}

/** Stands for tests that are known by a pattern only. */
export function specimen(path: string): string {
  switch (codeLanguage(path)) {
    case "python":
      return "import app\n\n\ndef test_adds():\n    assert app.add(1, 2) == 3\n    self.assertEqual(app.add(1, 2), 3)\n";
    case "ruby":
      return "require 'app'\n\nit 'adds' do\n  expect(app.add(1, 2)).to eq(3)\n  assert_equal 3, app.add(1, 2)\nend\n";
    case "go":
      return 'package app\n\nfunc TestAdds(t *testing.T) {\n\tassert.Equal(t, 3, Add(1, 2))\n\tt.Errorf("no")\n}\n';
    case "rust":
      return "use app;\n\n#[test]\nfn adds() {\n    assert_eq!(app::add(1, 2), 3);\n    assert!(app::ok());\n}\n";
    case "java":
      return "import app;\n\n@Test\nvoid adds() {\n  assertEquals(3, app.add(1, 2));\n  assertThat(app.add(1, 2)).isEqualTo(3);\n}\n";
    default:
      return 'import { add } from "./app";\n\ntest("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toEqual(4);\n  assert.equal(add(1, 2), 3);\n});\nit("adds", () => {\n});\ndescribe("add", () => {});\n';
  }
}
