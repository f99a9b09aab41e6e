import * as childProcess from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { tempDirectory } from "../../../../test/temp.ts";
import { driveNow } from "../../../kernel/drive.ts";
import type { ClaimFound } from "../../../kernel/facts.ts";
import { operationOf } from "../../../reading/operation/operation.ts";
import type { Tool } from "../../../reading/tool.ts";
import { type Claims, claims } from "../../../state/claims/part.ts";
import type { ClaimRecord } from "../../../state/claims/records.ts";
import { foldPart, type PartRecord } from "../../../state/part.ts";
import { newSession, type Session } from "../../../state/session/session.ts";
import { defaultSettings } from "../../../state/settings/settings.ts";
import { newState } from "../../../state/state.ts";
import { processAt } from "../../machine/caller.ts";
import { runNow } from "../../machine/program.ts";
import { forgetRoots } from "../../machine/work-tree.ts";
import { claimed } from "./claimed.ts";

let project: string;
let file: string;

beforeEach(() => {
  forgetRoots();
  project = join(tempDirectory("claimed"), "project");
  mkdirSync(project);
  file = join(project, "a.ts");
  git("init", "-q", "-b", "main");
  write("1\n");
  commit();
});

const LONG_AGO = { GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z", GIT_AUTHOR_DATE: "2020-01-01T00:00:00Z" };
const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x", ...args], {
    cwd: project,
    stdio: "ignore",
    env: { ...process.env, ...LONG_AGO },
  });
const write = (text: string) => writeFileSync(file, text);
function commit(): void {
  git("add", "--all");
  git("commit", "-q", "-m", "x");
}

/** A process of another session, and its end. */
function running(): { readonly session: Session; end(): Promise<void> } {
  const child = spawn("sleep", ["1000"]);
  const closed = once(child, "close");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  onTestFinished(end);
  return { session: { ...newSession(1), client: processAt(child.pid ?? 0) }, end };
}

const SINCE = Date.parse("2026-01-01T00:00:00Z");
const wrote = (session: Session, at = SINCE): Session => ({ ...session, written: [file], writtenAt: [at] });
const own = (more: Partial<Session> = {}): Session => ({ ...newSession(1), client: processAt(process.pid), ...more });
const folded = (...records: readonly ClaimRecord[]): Claims =>
  foldPart(
    claims,
    records.map((record, n) => ({ ...record, rid: `r${n}`, t: SINCE + n }) as unknown as PartRecord),
  ) as Claims;

let reads = 0;

function found(
  sessions: Readonly<Record<string, Session>>,
  part: Claims = folded(),
  tool: Tool = { kind: "write", name: "Write", path: file, content: "" },
): readonly ClaimFound[] {
  reads = 0;
  const event = { name: "PreToolUse", session: "own", cwd: project } as never;
  const state = { ...newState, sessions: { own: own(), ...sessions } };
  const looking = {
    ...{ event, state, settings: defaultSettings, operation: operationOf(tool, { cwd: project, home: "/home/dev" }) },
    ...{ env: process.env, places: { project, home: "/home/dev", journal: "/j" } as never },
    ...{ deadline: Date.now() + 60_000, clock: () => Date.now(), host: {} as never },
  };
  return driveNow(claimed(looking), (effect) => {
    if (effect.do === "run") return runNow(effect.program, childProcess);
    reads += 1;
    return { ...state, claims: part };
  }) as readonly ClaimFound[];
}

describe("a file that another session has changed", () => {
  it("RACE-001 is its, by any tool, until it is committed", () => {
    write("2\n");
    const other = wrote(running().session);
    expect(found({ other })).toMatchObject([{ path: file, session: "other", at: SINCE }]);
    const line = { kind: "bash", name: "Bash", command: "sed -i s/a/b/ a.ts && rm a.ts", background: false } as const;
    expect(found({ other }, folded(), line)).toHaveLength(1);
    commit();
    expect(found({ other })).toEqual([]);
    write("3\n");
    expect(found({ other: wrote(other, Date.parse("2019-01-01T00:00:00Z")) })).toEqual([]);
  });

  it("is free when its process has ended, its session has ended, or it was released", async () => {
    write("2\n");
    const { session, end } = running();
    expect(found({ other: { ...wrote(session), endedAt: 5 } })).toEqual([]);
    const release = { kind: "claim", do: "release", session: "other", root: project } as const;
    expect(found({ other: wrote(session) }, folded(release))).toMatchObject([]);
    expect(found({ other: wrote(session, SINCE + 1000) }, folded(release))).toHaveLength(1);
    expect(found({ other: wrote(session) }, folded({ ...release, glob: "b.ts" }))).toHaveLength(1);
    await end();
    expect(found({ other: wrote(session) })).toEqual([]);
  });

  it("belongs to whoever changed it first", () => {
    write("2\n");
    const other = wrote(running().session);
    expect(found({ other, own: own({ written: [file], writtenAt: [SINCE - 1] }) })).toEqual([]);
    expect(found({ other, own: own({ written: [file], writtenAt: [SINCE + 1] }) })).toHaveLength(1);
  });

  it("is not looked up by a session that is alone, nor for what only reads", () => {
    write("2\n");
    expect(found({})).toEqual([]);
    expect(found({ old: wrote({ ...newSession(1), client: { pid: 999_999_999, started: "1" } }) })).toEqual([]);
    expect(reads).toBe(0);
    const line = { kind: "bash", name: "Bash", command: "cat a.ts", background: false } as const;
    expect(found({ other: wrote(running().session) }, folded(), line)).toEqual([]);
  });
});

describe("files that another session has reserved", () => {
  const take = (glob: string, session: Session) =>
    ({
      ...{ kind: "claim", do: "take", id: `c ${glob}`, root: project, glob },
      holder: { actor: "worker2", session: "other", ...processAt(session.client?.pid ?? 0) },
    }) as ClaimRecord;

  it.each([
    ["a.ts", true],
    ["*.ts", true],
    ["**/*.ts", true],
    ["./a.ts", true],
    ["src/**", false],
    ["b.ts", false],
  ])("%s covers a.ts: %s", (glob, isCovered) => {
    const { session } = running();
    expect(found({ other: session }, folded(take(glob, session)))).toHaveLength(isCovered ? 1 : 0);
  });

  it("are free with a release, with the end of the process, and with a later commit", async () => {
    const { session, end } = running();
    const release = { kind: "claim", do: "release", session: "other", root: project, glob: "a.ts" } as const;
    expect(found({ other: session }, folded(take("a.ts", session), release))).toEqual([]);
    const early = foldPart(claims, [{ ...take("a.ts", session), rid: "r", t: 1 } as unknown as PartRecord]) as Claims;
    expect(found({ other: session }, early)).toEqual([]);
    await end();
    expect(found({ other: session }, folded(take("a.ts", session)))).toEqual([]);
  });
});
