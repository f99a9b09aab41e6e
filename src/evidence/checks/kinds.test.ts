import { expect, it } from "vitest";
import { kindOf } from "./kinds.ts";

const ALL = ["lint", "typecheck", "test"];

it.each([
  ["mise run test:ci", ["test"]],
  ["just lint", ["lint"]],
  ["task build", ["build"]],
  ["go-task test", ["test"]],
  ["make check", ALL],
  ["make -C api test", ["test"]],
  ["tox", ["test"]],
  ["tox -e lint", ["lint"]],
  ["nox -s tests", ["test"]],
  ["poetry run pytest -q", ["test"]],
  ["poetry run mypy src", ["typecheck"]],
  ["uv run ruff check .", ["lint"]],
  ["bun test", ["test"]],
  ["bun run lint", ["lint"]],
  ["deno test", ["test"]],
  ["deno task check", ALL],
  ["gradle test", ["test", "build"]],
  ["./gradlew :app:check", ["lint", "test"]],
  ["mvn -q verify", ["lint", "test", "build"]],
  ["./mvnw test", ["test", "build"]],
  ["dotnet test", ["test", "build"]],
  ["mix test", ["test", "build"]],
  ["mix credo", ["lint"]],
  ["bazel test //...", ["test", "build"]],
  ["pre-commit run --all-files", ["lint"]],
  ["turbo run test lint", ["lint", "test"]],
  ["npx turbo test", ["test"]],
  ["nx test web", ["test"]],
  ["nx run web:lint", ["lint"]],
  ["nx run-many -t test", ["test"]],
  ["pnpm --filter web test", ["test"]],
  ["yarn workspace web lint", ["lint"]],
  ["npm test -w web", ["test"]],
  ["cargo clippy", ["lint", "typecheck"]],
  ["cargo test", ["typecheck", "test", "build"]],
])("%s checks %j", (command, checks) => {
  const found = kindOf(command.split(" "), "/p")?.checks ?? [];
  expect([...found].sort()).toEqual([...checks].sort());
});

it.each(["mise install", "make clean", "just dev", "nx graph", "pre-commit install", "npm run format", "mise run fmt"])(
  "%s checks nothing",
  (command) => expect(kindOf(command.split(" "), "/p")).toBeUndefined(),
);
