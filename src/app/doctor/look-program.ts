/** Checks that the program and the Node binary that the hooks start exist and are usable. */
import { accessSync, chmodSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { UPGRADE, upgradeRecord } from "../../views/upgrades.ts";
import { registration } from "../host.ts";
import { installationOf } from "../setup/installation.ts";
import { type Check, ok, type Premises, registered, skip } from "./check.ts";
import { rewriteFile } from "./rewrite.ts";

const NODE_MIN = 20;

export const program: Check = {
  id: "program",
  title: "Program",
  look(premises) {
    const bundles = startedPaths(premises, "bundle");
    if (bundles.length === 0) return skip(unplaced(premises, "starts a program here"));
    const broken = bundles.map((path) => ({ path, flaw: flawOfFile(path, constants.R_OK) })).filter(({ flaw }) => flaw);
    if (broken.length > 0) {
      return {
        state: "fail",
        what: broken.map(({ path, flaw }) => `${path} ${flaw}`).join("; "),
        why: "The hook cannot start: changes are blocked on Claude Code 2.1.295 or newer, and run unchecked on an older one.",
        fix: `Point the hooks at a program that is there, such as this one (${premises.program.bundle}).`,
        repair: () =>
          repoint(
            premises,
            broken.map(({ path }) => path),
          ),
      };
    }
    if (bundles.length > 1) {
      return {
        state: "fail",
        what: `the hooks start ${bundles.length} different programs: ${bundles.join(", ")}`,
        why: "Events of one session are decided by two versions. A rewrite was left half-done.",
        fix: "Point all of them at one: `sekisho upgrade --to this`.",
        repair: () => repoint(premises, bundles),
      };
    }
    return versionFinding(bundles[0] ?? "", premises);
  },
};

function versionFinding(bundle: string, premises: Premises): ReturnType<typeof ok> {
  const { version } = installationOf(bundle);
  if (version !== undefined && version !== premises.version) {
    return {
      state: "warn",
      what: `the hooks start version ${version} (${bundle}), and this is ${premises.version}`,
      why: "What you read here is about this version; the sessions are checked by the other.",
      fix: "`sekisho upgrade --to this` moves the hooks on, `sekisho upgrade` shows both.",
    };
  }
  if (flawOfFile(bundle, constants.X_OK) !== undefined) {
    return {
      state: "warn",
      what: `${bundle} is not executable`,
      why: "The hooks start it through Node and work, but the command `sekisho` does not.",
      fix: `chmod +x ${bundle}`,
      repair: () => {
        chmodSync(bundle, statSync(bundle).mode | 0o100);
        return `${bundle} is executable again`;
      },
    };
  }
  return ok(`${version ?? "unknown version"}, ${bundle}`);
}

function unplaced(premises: Premises, does: string): string {
  const isShared = registered(premises).some(({ ours }) => ours.hooks.some(({ hook }) => hook["type"] === "command"));
  return isShared ? "the shared hooks find `sekisho` on the PATH; the canary tells" : `no hook of ours ${does}`;
}

export const node: Check = {
  id: "node",
  title: "Node",
  async look(premises) {
    const nodes = startedPaths(premises, "node");
    if (nodes.length === 0) return skip(unplaced(premises, "starts Node here"));
    const looked = await Promise.all(nodes.map(async (path) => ({ path, ...(await nodeAt(path, premises)) })));
    const broken = looked.filter(({ flaw }) => flaw !== undefined);
    if (broken.length > 0) {
      return {
        state: "fail",
        what: broken.map(({ path, flaw }) => `${path} ${flaw}`).join("; "),
        why: "Node was moved or replaced after the hooks were registered, by a version manager perhaps. No hook can start.",
        fix: `Register this Node (${premises.program.node}), or better one that stays where it is.`,
        repair: () =>
          repoint(
            premises,
            broken.map(({ path }) => path),
          ),
      };
    }
    const other = looked.find(({ version }) => major(version) !== major(process.version));
    if (other) {
      return {
        state: "warn",
        what: `the hooks start Node ${other.version} (${other.path}), and this is ${process.version}`,
        why: "Another Node than the one you use may vanish with the next clean-up of old versions.",
        fix: `Register this one (${premises.program.node}).`,
        repair: () => repoint(premises, [other.path]),
      };
    }
    return ok(looked.map(({ path, version }) => `${version}, ${path}`).join("; "));
  },
};

async function nodeAt(path: string, { run, env }: Premises): Promise<{ flaw?: string; version: string }> {
  const flaw = flawOfFile(path, constants.X_OK);
  if (flaw !== undefined) return { flaw, version: "" };
  const { code, stdout } = await run(path, ["--version"], { env: { PATH: env["PATH"] }, timeoutMs: 5000 });
  const version = stdout.trim();
  if (code !== 0 || !/^v\d+\./.test(version)) return { flaw: "does not answer like a Node", version };
  return major(version) < NODE_MIN
    ? { flaw: `is ${version}; ${NODE_MIN} is the oldest that works`, version }
    : { version };
}

function major(version: string): number {
  return Number(/^v(\d+)/.exec(version)?.[1] ?? 0);
}

/** Distinct paths of this kind that our hooks would start. */
function startedPaths(premises: Premises, part: "node" | "bundle"): readonly string[] {
  return [...new Set(registered(premises).flatMap(({ ours }) => ours.programs.map((program) => program[part])))];
}

/** Undefined when the file exists and can be used that way. */
function flawOfFile(path: string, use: number): string | undefined {
  if (!isAbsolute(path)) return "is a relative path, and the hook's directory follows the agent's `cd`";
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return "is not there";
  if (!stat.isFile()) return "is not a file";
  try {
    accessSync(path, use);
    // Root passes every access check, so the mode bits are checked as well.
    return use === constants.X_OK && (stat.mode & 0o111) === 0 ? "is not executable" : undefined;
  } catch {
    return use === constants.X_OK ? "is not executable" : "cannot be read";
  }
}

/** Observed in Claude Code: a session whose hooks cannot start also blocks every change to its settings. */
const RESTART = "Sessions that are running keep the hooks that cannot start: begin them anew";

/** Replaces only the broken paths with those of this program. */
function repoint(premises: Premises, gone: readonly string[]): string {
  const own = premises.program;
  const told = registered(premises).flatMap(({ path, text, ours }) => {
    const from = ours.programs.find(({ node, bundle }) => gone.includes(node) || gone.includes(bundle));
    if (from === undefined) return [];
    const to = {
      node: gone.includes(from.node) ? own.node : from.node,
      bundle: gone.includes(from.bundle) ? own.bundle : from.bundle,
    };
    record(premises, { file: path, from, to });
    rewriteFile(path, text, registration.pointedTo(text, to));
    return [`the hooks in ${path} start ${to.node} and ${to.bundle}`];
  });
  return `${told.join("; ")}. ${RESTART}`;
}

/**
 * The record lets running sessions recognise the change and `upgrade --back` undo it. A broken journal is reported by
 * its own check.
 */
function record({ store, now }: Premises, moved: Parameters<typeof upgradeRecord>[1]): void {
  store.append(upgradeRecord(UPGRADE, moved), now, { durable: true });
}
