/** Default checks of a language, where the project's files call for them. */
import type { Check } from "../../evidence/checks/check.ts";
import { packageDefinition } from "../../evidence/checks/definition.ts";
import type { CheckName } from "../../state/check-names.ts";
import type { Tree } from "../machine/project-tree.ts";

export function languageChecks(tree: Tree): readonly Check[] {
  return [...python(tree), ...usual(tree), ...deno(tree), ...php(tree)];
}

/** The checks of a language whose manifest is there. */
interface Usual {
  readonly manifest: readonly string[];
  readonly checks: readonly (readonly [check: CheckName, command: string, more?: More])[];
}

interface More extends Pick<Check, "within"> {
  /** One of these must be there too. */
  readonly and?: readonly string[];
}

const USUAL: readonly Usual[] = [
  {
    manifest: ["Cargo.toml"],
    checks: [
      ["test", "cargo test"],
      ["lint", "cargo clippy -- -D warnings", { and: ["clippy.toml", ".clippy.toml"] }],
      ["typecheck", "cargo check"],
      ["build", "cargo build"],
    ],
  },
  {
    manifest: ["go.mod"],
    checks: [
      ["test", "go test ./..."],
      ["lint", "go vet ./...", { within: "test" }],
      ["build", "go build ./..."],
    ],
  },
  {
    manifest: ["Gemfile"],
    checks: [
      ["test", "bundle exec rspec", { and: ["spec"] }],
      ["lint", "bundle exec rubocop", { and: [".rubocop.yml"] }],
    ],
  },
  { manifest: ["pom.xml"], checks: [["test", "mvn test"]] },
  { manifest: ["build.gradle", "build.gradle.kts"], checks: [["test", "gradle test"]] },
  {
    manifest: ["mix.exs"],
    checks: [
      ["test", "mix test"],
      ["lint", "mix credo", { and: [".credo.exs"] }],
    ],
  },
  {
    manifest: ["*.sln", "*.slnx", "*.csproj", "*.fsproj"],
    checks: [
      ["test", "dotnet test"],
      ["build", "dotnet build"],
    ],
  },
  {
    manifest: ["Package.swift"],
    checks: [
      ["test", "swift test"],
      ["build", "swift build"],
    ],
  },
];

/** A project may bring its own copy of its build tool. */
const WRAPPED: Readonly<Record<string, string>> = { mvn: "mvnw", gradle: "gradlew" };

function usual(tree: Tree): readonly Check[] {
  return USUAL.flatMap(({ manifest, checks }) => {
    const source = manifest.flatMap((name) => tree.named(name))[0];
    if (source === undefined) return [];
    return checks.flatMap(([name, command, { and, within } = {}]) => {
      const check = { ...plain(name, wrapped(command, tree), source), ...(within && { within }) };
      return when(and === undefined || tree.has(...and), check);
    });
  });
}

function wrapped(command: string, { has }: Tree): string {
  const [tool = "", ...rest] = command.split(" ");
  const wrapper = WRAPPED[tool];
  return wrapper !== undefined && has(wrapper) ? [`./${wrapper}`, ...rest].join(" ") : command;
}

const plain = (name: CheckName, command: string, source: string): Check => ({
  name,
  command,
  definition: command,
  source,
});
const when = (holds: boolean, ...checks: readonly Check[]): readonly Check[] => (holds ? checks : []);

function python(tree: Tree): readonly Check[] {
  const files = ["pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "setup.py", "requirements.txt"];
  const source = files.find((file) => tree.has(file));
  if (source === undefined) return [];
  const texts = files.slice(0, 3).map((file) => tree.text(file) ?? "");
  const says = (mark: RegExp): boolean => texts.some((text) => mark.test(text));
  const named = [...texts, tree.text("requirements.txt"), ...DEVELOPING.map(tree.text)].join("\n");
  // A tests directory alone may belong to unittest or Django.
  const tests =
    tree.has("pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py") ||
    says(/^\[(?:tool[.:])?pytest/m) ||
    (tree.has("tests", "test") && /\bpytest\b/.test(named));
  // When mypy's settings name the files, no path is passed.
  const mypy = says(MYPY_FILES) || MYPY_FILES.test(tree.text("mypy.ini") ?? "") ? "mypy" : "mypy .";
  const runner = PYTHON_RUNNERS.find(([lock]) => tree.has(lock))?.[1] ?? "";
  // The definition has no runner prefix, so adding a lock file does not redefine the check.
  const own = (name: CheckName, command: string): Check => ({
    ...plain(name, command, source),
    command: `${runner}${command}`,
  });
  return [
    ...when(tests, own("test", "pytest")),
    ...when(tree.has("ruff.toml", ".ruff.toml") || says(/^\[tool\.ruff/m), own("lint", "ruff check")),
    ...when(tree.has("mypy.ini", ".mypy.ini") || says(/^\[(?:tool\.)?mypy/m), own("typecheck", mypy)),
  ];
}

/** The lock file tells which runner starts the project's programs. */
const PYTHON_RUNNERS = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
  ["Pipfile.lock", "pipenv run "],
] as const;

const MYPY_FILES = /^\[(?:tool\.)?mypy\](?:(?!^\[)[\s\S])*?^\s*(?:files|packages|modules)\s*=/m;
const DEVELOPING = ["requirements-dev.txt", "requirements_dev.txt", "dev-requirements.txt", "Pipfile", "uv.lock"];

/** A task with the check's name, or deno's built-in command. */
function deno(tree: Tree): readonly Check[] {
  const source = ["deno.json", "deno.jsonc"].find((file) => tree.has(file));
  if (source === undefined) return [];
  const tasks = asScripts(tree.text(source), "tasks");
  return (["test", "lint"] as const).map((name) => {
    const definition = packageDefinition(tasks, name);
    const command = definition === "" ? `deno ${name}` : `deno task ${name}`;
    return definition === "" ? plain(name, command, source) : { name, command, script: name, definition, source };
  });
}

function php(tree: Tree): readonly Check[] {
  const scripts = asScripts(tree.text("composer.json"), "scripts");
  return (["test", "lint"] as const).flatMap((name) => {
    const definition = packageDefinition(scripts, name);
    return definition === ""
      ? []
      : [{ name, command: `composer ${name}`, script: name, definition, source: "composer.json" }];
  });
}

/** Converts to package.json form: lists of commands become `&&` chains, and comment lines are dropped. */
function asScripts(text: string | undefined, key: "tasks" | "scripts"): string {
  if (text === undefined) return "{}";
  try {
    const bare = text.replace(/^\s*\/\/.*$/gm, "");
    const found = (JSON.parse(bare) as Record<string, unknown>)[key];
    if (typeof found !== "object" || found === null) return "{}";
    const scripts = Object.entries(found).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(" && ") : commandIn(value),
    ]);
    return JSON.stringify({ scripts: Object.fromEntries(scripts) });
  } catch {
    // The tool itself will report the broken file.
    return "{}";
  }
}

/** `{ "command": "…" }` is deno's longer form. */
function commandIn(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (value as { command?: unknown }).command : value;
}
