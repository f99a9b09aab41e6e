import { describe, expect, it } from "vitest";
import type { Check } from "./check.ts";
import type { Sources } from "./covers.ts";
import { packageDefinition, provesItself } from "./definition.ts";
import { type CheckRun, checkRunsIn } from "./run.ts";

const scripts = {
  test: "vitest run",
  lint: "eslint . --max-warnings 0",
  typecheck: "tsc --noEmit",
  build: "npm run clean && tsc -p .",
  clean: "rm -rf dist",
  testx: "true",
};
const packaged = (name: Check["name"], command: string, all: Record<string, string> = scripts): Check => {
  const definition = packageDefinition(JSON.stringify({ scripts: all }), name);
  return { name, command, script: name, definition, source: "package.json" };
};
const node = [
  packaged("lint", "npm run lint"),
  packaged("typecheck", "npm run typecheck"),
  packaged("test", "npm test"),
  packaged("build", "npm run build"),
];
const plain = (name: Check["name"], command: string, source = "settings"): Check => ({
  name,
  command,
  definition: command,
  source,
});
const make: Check = {
  name: "test",
  command: "make test",
  target: "test",
  definition: `PY="python3"\n$\{PY} -m pytest -q`,
  source: "Makefile",
};

/** A workspace with the packages `pkg` and `x`, whose Python code is in `src` and `tests`. */
const sources: Sources = {
  areTasksKnown: true,
  directoryOf: (name) => (name === "pkg" || name === "x" ? `packages/${name}` : undefined),
  areAll: (paths) => paths.includes("") || (paths.includes("src/") && paths.includes("tests/")),
};
const mise: Check = {
  name: "test",
  command: "mise run test",
  target: "test",
  definition: "go test ./...",
  source: "mise.toml",
};
const runsOf = (line: string, checks: readonly Check[] = node, cwd = "/p"): readonly CheckRun[] =>
  checkRunsIn(line, { cwd, root: "/p", home: "/h", checks, sources });
/** `test`, `test partial`, `test: pipe`. */
const told = (runs: readonly CheckRun[]): string =>
  runs
    .map(({ check, how, why }) =>
      how === "unproven" ? `${check}: ${why}` : how === "partial" ? `${check} partial` : check,
    )
    .join(", ");

describe("TS-41 the package checks that a command line ran", () => {
  it.each([
    // its own command, in any spelling
    ["npm test", "test"],
    ["npm t", "test"],
    ["npm tst", "test"],
    ["npm run test", "test"],
    ["npm run-script test", "test"],
    ["npm run -s test", "test"],
    ["npm -s test", "test"],
    ["npm test --silent", "test"],
    ["yarn test", "test"],
    ["yarn run test", "test"],
    ["pnpm test", "test"],
    ["pnpm t", "test"],
    ["pnpm run test", "test"],
    ["bun run test", "test"],
    ["\"npm\" 'test'", "test"],
    ["\\npm test", "test"],
    ["vitest run", "test"],
    ["npx vitest run", "test"],
    ["npx -y vitest --run", "test"],
    ["npx vitest run --reporter=verbose", "test"],
    ["npx vitest run --coverage --bail=1", "test"],
    ["pnpm exec vitest run", "test"],
    ["npm exec -- vitest run", "test"],
    ["bunx vitest run", "test"],
    ["./node_modules/.bin/vitest run", "test"],
    ["/p/node_modules/.bin/vitest run", "test"],
    ["npm test -- --reporter dot", "test"],
    ["npx tsc --noEmit", "typecheck"],
    ["npx tsc --noEmit --pretty", "typecheck"],
    ["npx eslint . --max-warnings 0", "lint"],
    ["npm run lint && npm test", "lint, test"],
    ["npm run lint && npm run typecheck && npm test && npm run build", "lint, typecheck, test, build"],
    ["rm -rf dist && npx tsc -p .", "typecheck partial, build"],
    // harmless commands around it
    ["cd /p && npm test", "test"],
    ["cd /p; npm test", "test"],
    ["cd . && npm test", "test"],
    ["(cd sub && ls) && npm test", "test"],
    ["npm test < /dev/null", "test"],
    ["npm test > /tmp/out.log 2>&1", "test"],
    ["npm test 2>&1", "test"],
    ["npm test # ok", "test"],
    ["time npm test", "test"],
    ["timeout 1 npm test", "test"],
    ["timeout -k 5 60s npm test", "test"],
    ["nice -n 10 npm test", "test"],
    ["command npm test", "test"],
    ["CI=1 npm test", "test"],
    ["CI=true NO_COLOR=1 FORCE_COLOR=0 npm test", "test"],
    ["env CI=1 npm test", "test"],
    ["export CI=1 && npm test", "test"],
    ["npm test || exit 1", "test"],
    ["npm test || { echo failed; exit 1; }", "test"],
    ["npm test || false", "test"],
    ["{ npm test; } && echo ok", "test"],
    ["(npm test)", "test"],
    ["npm test && echo ok", "test"],
    ["npm test && grep x y", "test"],
    ["echo start; npm test", "test"],
    ["yes | npm test", "test"],
    ["set -o pipefail; npm test | tail", "test"],
    ["set -euo pipefail\nnpm test 2>&1 | tail -5", "test"],
    ["set -o pipefail && npm test | tee out.log", "test"],
    ["bash -c 'npm test'", "test"],
    ["bash -o pipefail -c 'npm test | tail'", "test"],
    ["bash -c 'set -e; npm test; echo done'", "test"],
    ["[ -d node_modules ] && npm test", "test"],
    ["[[ -d node_modules ]] && npm test", "test"],
    // failure swallowed
    ["npm test || true", "test: or"],
    ["sh -c 'npm test || true'", "test: or"],
    ["npm test | cat", "test: pipe"],
    ["npm test | tee out.log", "test: pipe"],
    ["npm test\nexit 0", "test: sequence"],
    ["npm test > out.log; echo $?", "test: sequence"],
    ["set +e; npm test; true", "test: sequence"],
    ["bash -c 'npm test; true'", "test: sequence"],
    ["for i in 1; do npm test; done; true", "test: branch"],
    ['x=$(npm test); echo "$x"', "test: substitution"],
    ["((true & npm test\n)\n)", "test: unread"],
    // only named
    ["echo 'npm test' && true", ""],
    ["true # npm test", ""],
    [": npm test", ""],
    ["printf 'npm test\\n'", ""],
    ["cat <<'EOF'\nnpm test\nEOF", ""],
    ["npm run testing", ""],
    // the name means something else
    ["npm() { true; }; npm test", "test: environment"],
    ["PATH=/tmp/fake:$PATH npm test", "test: environment"],
    ["export PATH=/tmp/fake:$PATH && npm test", "test: environment"],
    ["NODE_OPTIONS='--require ./fake.js' npm test", "test: environment"],
    ["eval 'npm test || true'", "test: environment"],
    // a part, or another directory
    ["npm test -- --passWithNoTests", "test partial"],
    ["npm test -- one.test.js", "test partial"],
    ["npm test -w sub", "test: elsewhere"],
    ["(cd sub && npm test)", "test: elsewhere"],
    ["npm test || :", "test: or"],
    ["npm test || echo failed", "test: or"],
    ["npm test || exit 0", "test: or"],
    ["npm test || npm run lint", "lint: or, test: or"],
    ["npm test | tail", "test: pipe"],
    ["npx jest src/a.test.ts | tail", "test: pipe"],
    ["npm test 2>&1 | tail -20", "test: pipe"],
    ["npm test |& tee out.log", "test: pipe"],
    ["(npm test) | tail", "test: pipe"],
    ["npm test | tee x; set -o pipefail", "test: pipe"],
    ["npm test; true", "test: sequence"],
    ["npm test\ntrue", "test: sequence"],
    ["npm test; exit 0", "test: sequence"],
    ["npm test; echo $?", "test: sequence"],
    ["set -e; npm test; true", "test: sequence"],
    ['bash -c "npm test; true"', "test: sequence"],
    ["npm test &", "test: background"],
    ["npm test & wait", "test: background"],
    ["nohup npm test &", "test: background"],
    ["coproc npm test", "test: background"],
    ["! npm test", "test: negated"],
    ["if npm test; then :; fi", "test: branch"],
    ["while npm test; do break; done", "test: branch"],
    ["for i in 1; do npm test; done", "test: branch"],
    ["case a in b) npm test;; esac", "test: branch"],
    ["false && npm test; true", "test: sequence"],
    ["ls x || exit 0; npm test", "test: branch"],
    ["exit 0; npm test", "test: branch"],
    ["$(npm test)", "test: substitution"],
    ["echo $(npm test)", "test: substitution"],
    ["x=$(npm test)", "test: substitution"],
    ["`npm test`", "test: substitution"],
    ["cat <(npm test)", "test: substitution"],
    // redefined name
    ["npm() { :; }; npm test", "test: environment"],
    ["function npm { :; }; npm test", "test: environment"],
    ["alias npm=true; npm test", "test: environment"],
    ["shopt -s expand_aliases\nalias npm=true\nnpm test", "test: environment"],
    ["PATH=/tmp/bin:$PATH npm test", "test: environment"],
    ["PATH=/tmp/bin; npm test", "test: environment"],
    ["export PATH=/tmp/bin && npm test", "test: environment"],
    ["env PATH=/tmp/bin npm test", "test: environment"],
    ["env -i npm test", "test: unread"],
    ["env -S 'npm test'", ""],
    ["NODE_OPTIONS=--require=./x.js npm test", "test: environment"],
    ["npm_config_ignore_scripts=true npm test", "test: environment"],
    ["npm_config_script_shell=/bin/true npm test", "test: environment"],
    ["VITEST_SKIP=1 npm test", "test: environment"],
    ["hash -p /bin/true npm; npm test", "test: environment"],
    ["enable -f x npm; npm test", "test: environment"],
    ["trap 'exit 0' EXIT; npm test", "test: environment"],
    ["trap 'exit 0' ERR EXIT && npm test", "test: environment"],
    ["eval 'npm test'", "test: environment"],
    ["eval 'npm() { :; }'; npm test", "test: environment"],
    ["source ./env.sh && npm test", "test: environment"],
    [". /tmp/env && npm test", "test: environment"],
    ["exec > /dev/null; npm test", "test: environment"],
    ["unset PATH; npm test", "test: environment"],
    ["set -n; npm test", "test: environment"],
    ["$SETUP; npm test", "test: environment"],
    ["printf -v PATH /tmp/bin; npm test", "test: environment"],
    ["read PATH <<< /tmp/bin; npm test", "test: environment"],
    ["for PATH in /tmp/bin; do :; done; npm test", "test: environment"],
    ["bash -lc 'npm test'", "test: environment"],
    ["BASH_ENV=x bash -c 'npm test'", "test: environment"],
    ["timeout --preserve-status 1 npm test", "test: unread"],
    ["sudo npm test", "test: unread"],
    ["echo | xargs npm test", "test: unread"],
    ["npm test )", "test: unread"],
    // in another directory
    ["cd sub && npm test", "test: elsewhere"],
    ["cd sub; npm test", "test: elsewhere"],
    ["cd /tmp && npm test", "test: elsewhere"],
    ['cd "$x" && npm test', "test: elsewhere"],
    ["pushd sub && npm test", "test: elsewhere"],
    ["npm --prefix sub test", "test: elsewhere"],
    ["npm --prefix . test", "test: elsewhere"],
    ["npm test -w pkg", "test: elsewhere"],
    ["npm test --workspace=pkg", "test: elsewhere"],
    ["npm test --workspaces", "test: elsewhere"],
    ["pnpm --filter x test", "test: elsewhere"],
    ["pnpm -r test", "test: elsewhere"],
    ["yarn workspace x test", "test: elsewhere"],
    ["pnpm -C sub test", "test: elsewhere"],
    ["docker exec c npm test", "test: elsewhere"],
    ["ssh host npm test", "test: elsewhere"],
    // only part of it
    ["npm test -- src/a.test.ts", "test partial"],
    ["npm test src/a.test.ts", "test partial"],
    ["npx vitest run src/a.test.ts", "test partial"],
    ["npx vitest run -t name", "test partial"],
    ["npx vitest run --changed", "test partial"],
    ["npx vitest run --shard=1/9", "test partial"],
    ["npx vitest run --passWithNoTests", "test partial"],
    ["npx vitest -v", "test partial"],
    ["npx vitest --version", "test partial"],
    ["npx vitest list", "test partial"],
    ["npx vitest run --config other.ts", "test partial"],
    ["npx vitest run --reporter ./mine.js", "test partial"],
    ["npx vitest run $FILES", "test partial"],
    ["npm test --if-present", "test partial"],
    ["npm test --ignore-scripts", "test partial"],
    ["npm test --script-shell=/bin/true", "test partial"],
    ["npm test --dry-run", "test partial"],
    ["npm test -v", "test partial"],
    ["npm test --help", "test partial"],
    ["npx tsc -p other.json", "typecheck partial, build partial"],
    ["npx eslint src/a.ts", "lint partial"],
    ["npx eslint .", "lint partial"],
    ["npx eslint . --max-warnings 0 --quiet", "lint partial"],
    ["npm run lint -- --fix", "lint partial"],
    ["npm run lint -- --quiet", "lint partial"],
    ["npm test --silent -- -t x", "test partial"],
    ["bun test", "test partial"],
    ["npm run test:unit", "test partial"],
    ["npx mocha", "test partial"],
    // no check
    ["npm run testx", ""],
    ["npm install", ""],
    ["npm audit", ""],
    ["echo npm test", ""],
    ["# npm test", ""],
    ["true npm test", ""],
    ["printf 'npm test'", ""],
    ["cat <<E\nnpm test\nE", ""],
    ["git commit -m 'npm test'", ""],
    ["grep -r 'npm test' .", ""],
    ["'npm test'", ""],
    ["test npm = test", ""],
    ["command -v npm test", ""],
    ["./vitest run", ""],
    ["/tmp/node_modules/.bin/vitest run", ""],
    ["bash -c 'echo npm test'", ""],
    ["python -c 'npm test'", ""],
    ["", ""],
    ["npm", ""],
    // our own command
    ["sekisho verify", "lint, typecheck, test, build"],
    ["npx sekisho verify --force", "lint, typecheck, test, build"],
    ["sekisho verify --json | jq .", ""],
    ["sekisho verify || true", ""],
    ["sekisho verify --help", ""],
    ["echo sekisho verify", ""],
  ])("%j: %s", (line, expected) => expect(told(runsOf(line))).toBe(expected));

  it("several runs of one check on a line: the best one is reported", () => {
    expect(told(runsOf("npm test | tail; npm test"))).toBe("test");
    expect(told(runsOf("npx vitest run a.test.ts && npm test"))).toBe("test");
    expect(told(runsOf("npm test", [], "/p"))).toBe("");
  });

  it("GT-23 suggests a command that counts", () => {
    const instead = (line: string, cwd?: string) => runsOf(line, node, cwd)[0]?.instead;
    expect(instead("npm test | tail")).toBe("set -o pipefail; npm test | tail");
    expect(instead("npm test || true")).toBe("npm test");
    expect(instead("npm test | tail || true")).toBe("npm test");
    expect(instead("npx vitest run a.test.ts | tail")).toBe("npm test");
    expect(instead("cd sub && npm test")).toBe("cd /p && npm test");
    expect(instead("npm test; true", "/p/sub")).toBe("cd /p && npm test");
    expect(checkRunsIn("npm test", { cwd: "/a", root: "/it's", home: "/h", checks: node, sources })[0]?.instead).toBe(
      "cd '/it'\\''s' && npm test",
    );
  });

  it("reports other programs on the line that could have changed files, and the activated environment", () => {
    const beside = (line: string) => runsOf(line)[0]?.beside;
    expect(beside("npm test && git status && echo ok > /tmp/x")).toBeUndefined();
    expect(beside("npm run lint && npm test > test.log")).toBeUndefined();
    expect(beside("cp good.json package.json && npm test && git checkout package.json")).toBe("cp");
    expect(beside("echo '{}' > package.json; npm test")).toBe("echo");
    expect(beside("npm test > node_modules/.bin/vitest")).toBe("npm");
    expect(beside("npm test && python fix.py")).toBe("python");
    expect(runsOf("source .venv/bin/activate && npm test")[0]).toMatchObject({
      how: "whole",
      sourced: "/p/.venv/bin/activate",
    });
    expect(told(runsOf("source /tmp/venv/bin/activate && npm test"))).toBe("test: environment");
  });

  it("the command is cut to 200 characters", () => {
    expect(runsOf(`npm test -- ${"x".repeat(500)}`)[0]?.command).toHaveLength(200);
  });
});

describe("checks of other ecosystems", () => {
  const python = [plain("test", "pytest", "pyproject.toml"), plain("lint", "ruff check", "pyproject.toml")];
  const go = [plain("test", "go test ./...", "go.mod"), plain("build", "go build ./...", "go.mod")];
  const cargo = [plain("test", "cargo test", "Cargo.toml"), plain("typecheck", "cargo check", "Cargo.toml")];
  it.each([
    ["pytest", python, "test"],
    ["python -m pytest -q", python, "test"],
    ["uv run pytest -x --tb=short", python, "test"],
    ["poetry run python -m pytest -vv", python, "test"],
    [".venv/bin/pytest", python, "test"],
    [". .venv/bin/activate && pytest", python, "test"],
    ["pytest tests/test_a.py", python, "test partial"],
    ["pytest -k name", python, "test partial"],
    ["pytest --collect-only", python, "test partial"],
    ["pytest -p no:x", python, "test partial"],
    ["pytest -q | tail -3", python, "test: pipe"],
    ["PYTEST_ADDOPTS=--co pytest", python, "test: environment"],
    ["uv run ruff check", python, "lint"],
    ["ruff check --exit-zero", python, "lint partial"],
    ["ruff format", python, ""],
    ["go test ./...", go, "test, build"],
    ["go test -v -race -count=1 ./...", go, "test, build"],
    ["go test -failfast ./...", go, "test, build"],
    ["go test -run X ./...", go, "test partial"],
    ["go test ./pkg", go, "test partial, build partial"],
    ["go test -c ./...", go, "test partial"],
    ["go vet ./...", go, ""],
    ["cargo test", cargo, "test, typecheck"],
    ["cargo t --locked -q", cargo, "test, typecheck"],
    ["cargo test --no-run", cargo, "test partial"],
    ["cargo test name", cargo, "test partial"],
    ["cargo check --workspace", cargo, "typecheck"],
    ["cargo clippy --all-targets -- -D warnings", cargo, "typecheck"],
    ["cargo clippy && cargo test", cargo, "test, typecheck"],
    ["cargo build", cargo, "typecheck"],
    ["cargo clippy -p pkg", cargo, "typecheck partial"],
    ["cargo fmt", cargo, ""],
    ["ruff check src/ tests/", python, "lint"],
    ["ruff check src tests", python, "lint"],
    ["ruff check /p/src /p/tests", python, "lint"],
    ["ruff check --exit-zero src tests", python, "lint partial"],
    ["ruff check --config other.toml src tests", python, "lint partial"],
    ["ruff check src", python, "lint partial"],
    ["uv run --frozen pytest src tests", python, "test"],
    ["uv run --with x pytest", python, ""],
    ["mvn verify", [plain("test", "mvn test", "pom.xml")], "test"],
    ["mvn -q clean verify", [plain("test", "mvn test", "pom.xml")], "test partial"],
    ["./gradlew build", [plain("test", "./gradlew test", "build.gradle")], "test"],
    ["dotnet test", [plain("build", "dotnet build", "x.sln")], "build"],
    ["mise run test", [mise], "test"],
    ["mise r -q test", [mise], "test"],
    ["mise exec -- mise run test", [mise], "test"],
    ["mise run test -- -run X", [mise], "test partial"],
    ["mise -C sub run test", [mise], "test: elsewhere"],
    ["mise run test:ci", [mise], "test partial"],
    ["go test ./...", [mise], "test"],
    ["mise run lint", [mise], ""],
    ["MISE_ENV=x mise run test", [mise], "test: environment"],
    ["mise x node@18 -- npm test", [mise], ""],
    ["uv run poe test", [{ ...mise, command: "poe test" }], "test"],
    ["tox", [{ ...mise, command: "tox" }], "test"],
    ["tox -q -e test", [{ ...mise, command: "tox" }], "test"],
    ["tox -e py311", [{ ...mise, command: "tox" }], "test partial"],
    ["nox -s test", [{ ...mise, command: "nox -s test" }], "test"],
    ["make test", [make], "test"],
    ["make -s -j4 test", [make], "test"],
    ["make -j 4 clean test", [make], "test"],
    ["gmake test", [make], "test"],
    ["pytest -q", [make], "test"],
    ["make -n test", [make], "test partial"],
    ["make -i test", [make], "test partial"],
    ["make -t test", [make], "test partial"],
    ["make -q test", [make], "test partial"],
    ["make test ARGS=x", [make], "test partial"],
    ["make SHELL=/bin/true test", [make], "test partial"],
    ["make -f other.mk test", [make], "test partial"],
    ["make -C sub test", [make], "test: elsewhere"],
    ["make lint", [make], ""],
    ["./gradlew test --no-daemon", [plain("test", "./gradlew test", "build.gradle")], "test"],
    ["gradle test -x test", [plain("test", "./gradlew test", "build.gradle")], "test partial"],
    ["mvn -v test", [plain("test", "mvn test", "pom.xml")], "test partial"],
    ["mvn -q -B test", [plain("test", "mvn test", "pom.xml")], "test"],
    ["bundle exec rspec --format progress", [plain("test", "bundle exec rspec", "Gemfile")], "test"],
  ] as const)("%j of %j: %s", (line, checks, expected) => expect(told(runsOf(line, checks))).toBe(expected));

  it("a configured command may be any shell line: it counts when all its commands ran, or the same line", () => {
    const two = [plain("test", "npm run a && ./scripts/b.sh x")];
    expect(told(runsOf("npm run a && scripts/b.sh x", two))).toBe("test");
    expect(told(runsOf("npm run a && echo && ./scripts/b.sh x", two))).toBe("test");
    expect(told(runsOf("npm run a", two))).toBe("test partial");
    expect(told(runsOf("npm run a; ./scripts/b.sh x", two))).toBe("test partial");
    expect(told(runsOf("npm run a && ./scripts/b.sh y", two))).toBe("test partial");
    const piped = [plain("test", "set -o pipefail; npm run a | tee log")];
    expect(told(runsOf("set -o pipefail; npm run a | tee log", piped))).toBe("test");
    expect(told(runsOf("npm run a | tee log", piped))).toBe("test: pipe");
    const open = [plain("test", 'for f in *.bats; do bats "$f" || exit 1; done')];
    expect(provesItself(open[0] as Check)).toBe("branch");
    const opaque = [plain("test", './run "$HOME"')];
    expect(told(runsOf('./run "$HOME"', opaque))).toBe("test");
    expect(told(runsOf('./run "$HOME"', opaque, "/q"))).toBe("test: elsewhere");
  });
});

describe("a check that hides its own failure", () => {
  const ofScript = (test: string, more: Record<string, string> = {}): Check =>
    packaged("test", "npm test", { test, ...more });
  it.each([
    ["vitest", {}, undefined],
    ["vitest || true", {}, "or"],
    ["vitest | tail", {}, "pipe"],
    ["vitest; exit 0", {}, "sequence"],
    ["vitest; rm -rf tmp", {}, "sequence"],
    ["set -e; vitest; rm -rf tmp", {}, undefined],
    ["rm -rf tmp; vitest", {}, undefined],
    ["vitest & wait", {}, "background"],
    ["NODE_OPTIONS=x vitest", {}, undefined],
    ["cross-env A=b jest", {}, undefined],
    ["export A=b && jest", {}, undefined],
    ["trap 'exit 0' EXIT; jest", {}, "environment"],
    ["npm run unit", { unit: "vitest || true" }, "or"],
    ["npm run unit", { unit: "vitest" }, undefined],
    ["npm run unit && npm run e2e", { unit: "vitest || true", e2e: "playwright test" }, undefined],
    ["npm run test", {}, "unread"],
  ] as const)("%j with %j: %s", (test, more, expected) => {
    const check = ofScript(test, more);
    expect(provesItself(check)).toBe(expected);
  });

  it("with its own variables counts only through its own command", () => {
    const check = ofScript("NODE_OPTIONS=x vitest");
    expect(told(runsOf("npm test", [check]))).toBe("test");
    expect(told(runsOf("npx vitest", [check]))).toBe("test partial");
  });

  it("proves nothing when it runs", () => {
    expect(told(runsOf("npm test", [ofScript("vitest || true")]))).toBe("test: or");
    expect(told(runsOf("vitest || true", [ofScript("vitest || true")]))).toBe("test: or");
    expect(provesItself({ ...make, definition: "{ pytest ; } || true" })).toBe("or");
    expect(provesItself(make)).toBeUndefined();
  });
});
