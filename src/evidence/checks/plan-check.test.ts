import { describe, expect, it } from "vitest";
import { planCheckIn } from "./plan-check.ts";

const place = { cwd: "/p", home: "/home/u", root: "/p" };

describe("sekisho playbook check on an agent's line", () => {
  it.each([
    ["sekisho playbook check", {}],
    ["sekisho playbook check button --step 2", { name: "button", step: "2" }],
    ["npm run build && sekisho playbook check --step=2", { step: "2" }],
    ["sekisho playbook check 2>&1", {}],
  ])("%s proves boxes when the line exits with 0", (command, found) => {
    expect(planCheckIn(command, place)).toEqual(found);
  });

  it.each([
    "sekisho playbook check || true",
    "sekisho playbook check; true",
    "sekisho playbook check | cat",
    "sekisho playbook check &",
    "! sekisho playbook check",
    "if sekisho playbook check; then true; fi",
    "PATH=./fake:$PATH sekisho playbook check",
    "export PATH=./fake:$PATH && sekisho playbook check",
    "NODE_OPTIONS=--require=./x.cjs sekisho playbook check",
    "export NODE_OPTIONS=--require=./x.cjs; sekisho playbook check",
    "BASH_ENV=./x sekisho playbook check",
    "npm_config_script_shell=./x sekisho playbook check",
    "sekisho() { true; }; sekisho playbook check",
    "npm() { true; }; export -f npm; sekisho playbook check",
    "alias sekisho=true; sekisho playbook check",
    "./sekisho playbook check",
    "cd /elsewhere && sekisho playbook check",
    "echo sekisho playbook check",
    "sekisho playbook check --unknown",
    "exit 0; sekisho playbook check",
    "XDG_STATE_HOME=/tmp/x sekisho playbook check",
    "HOME=/tmp/x sekisho playbook check",
    "CLAUDE_PROJECT_DIR=/tmp/x sekisho playbook check",
    "set +e; sekisho playbook check; exit 0",
    "trap 'exit 0' EXIT; sekisho playbook check",
    "hash -p ./fake sekisho; sekisho playbook check",
    "enable -n test; . ./env.sh; sekisho playbook check",
  ])("%s proves nothing", (command) => {
    expect(planCheckIn(command, place)).toBeUndefined();
  });
});
