import { expect, it } from "vitest";
import { installIn, installsOutside } from "./install.ts";
import { isIdle } from "./run.ts";

const place = { cwd: "/p", home: "/home/dev", root: "/p" };
const found = (line: string): string | undefined => installIn(line, place, isIdle);

it.each<readonly [string, string]>([
  ["npm ci", "npm ci"],
  ["rm -rf node_modules && npm ci", "npm ci"],
  ["npm install 2>&1 | tail -5", "npm install"],
  ["npm i -D vitest", "npm i -D vitest"],
  ["pnpm add -D vitest; git status", "pnpm add -D vitest"],
  ["yarn", "yarn"],
  ["uv sync", "uv sync"],
  ["python3 -m venv .venv && .venv/bin/pip install -r requirements.txt", "python3 -m venv .venv"],
  ["cd /p && npm ci", "npm ci"],
  ...[
    ...["pnpm i", "yarn install", "bun i", "bun add x", "npm clean-install", "npm rebuild", "pip3 install x"],
    ...["poetry install", "poetry add x", "pdm install", "pipenv install", "pipx install x", "uv add x", "uv pip sync"],
    ...["uv venv", "virtualenv .venv", "bundle install", "composer install", "gem install x", "go mod download"],
    ...["go install x", "cargo fetch", "cargo install x", "corepack enable"],
  ].map((line) => [line, line] as const),
])("%j installs", (line, command) => {
  expect(found(line)).toBe(command);
});

it.each([
  "npm test",
  "ls",
  "npm ci && node gen.js",
  "npm ci; python3 x.py",
  "npm() { sh x.sh; }; npm ci",
  "cd /other && npm ci",
  "eval 'npm ci'; sh x",
  'echo "npm ci"',
])("%j does not, or not alone", (line) => {
  expect(found(line)).toBeUndefined();
});

it("knows who installs outside the project", () => {
  expect(["pip install x", "npm i -g x", "cargo install x"].every(installsOutside)).toBe(true);
  expect(["npm ci", "pnpm install"].some(installsOutside)).toBe(false);
});
