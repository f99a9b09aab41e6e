/** Which paths are tests, and what they contain at each step of a shell line. */

import type { Facts } from "../../kernel/facts.ts";
import { names } from "../../lib/name-table.ts";
import { baseName, within } from "../../lib/paths.ts";
import type { Effect } from "../../reading/operation/effects.ts";
import { isBuilt, isTest } from "../../reading/operation/file-kind.ts";
import { codeLanguage } from "../../reading/scripts/bare-code.ts";
import type { ShellReading } from "../../reading/shell/parse/reading.ts";

export interface TestContext {
  readonly cwd: string;
  readonly project: string;
  readonly targets: Readonly<Record<string, string>>;
  readonly standing: Facts["standingText"];
  /** Other files than tests are meant. */
  readonly isWanted?: (path: string) => boolean;
}

/** A change to an existing test. */
export type TestChange =
  /** `unread`: written by hand, with text that the line does not show. */
  | { readonly kind: "removed" | "unread"; readonly path: string; readonly spelled: string }
  /** `before` is undefined where the file exists but could not be read. */
  | {
      readonly kind: "written";
      readonly path: string;
      readonly spelled: string;
      readonly before: string | undefined;
      readonly after: string;
      /** Both texts are parts of the file, not the whole. */
      readonly part?: true;
    };

/** Relative to the project's root, or to the session's directory in a work tree elsewhere. */
function fromRoot(path: string, { project, cwd }: TestContext): string | undefined {
  const root = [project, cwd].find((place) => within(path, place));
  return root === undefined ? undefined : path.slice(root.length + 1);
}

export function isTestPath(path: string, ground: TestContext): boolean {
  return [path, ground.targets[path] ?? path].some((one) => {
    if (ground.isWanted) return ground.isWanted(one);
    const place = fromRoot(one, ground);
    return place !== undefined && (isTest(place) || isTest(place.replace(/\*+$/, "ts"))) && !isBuilt(place);
  });
}

/** The path that makes it a test: its own, or the target of the link. */
export function testName(path: string, ground: TestContext): string {
  return isTestPath(path, { ...ground, targets: {} }) ? path : (ground.targets[path] ?? path);
}

/** Directories for the output of test runs. */
const LEFT_BEHIND = names("tmp temp output outputs result results report reports logs cache screenshots videos tmpdir");

/** Recognized by its own name or a parent's name. */
export function isTestDirectory(path: string, ground: TestContext): boolean {
  const place = ground.isWanted ? undefined : fromRoot(path, ground);
  if (place === undefined || !isTest(`${place}/x.ts`) || isBuilt(`${place}/x.ts`)) return false;
  const name = baseName(place);
  // A name with an extension is a file, which isTestPath has handled.
  return !LEFT_BEHIND.has(name) && !name.startsWith(".") && !/\.\w+$/.test(name);
}

const GAP = "\u2026";
const LISTS = names("find fd git ls rg grep ag echo printf cat");

/** For paths from a search or a loop: looks at the search pattern, or at what a listing in the same line lists. */
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

/** A sample test for files known only by a pattern. */
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
