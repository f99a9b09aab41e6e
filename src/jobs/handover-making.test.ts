import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { driveNow, running } from "../kernel/drive.ts";
import type { ProgramRun } from "../kernel/effect.ts";
import { boundSession } from "../state/session/example-session.ts";
import { handoverNow, type Making } from "./handover-making.ts";

/** A repository with a conversation that is about to be compacted. */
function making(more: Partial<Making> = {}): Making {
  const project = tempDirectory("handover");
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", project]);
  const transcript = join(project, "t.jsonl");
  writeFileSync(transcript, `${JSON.stringify({ type: "user", message: { content: "go on" } })}\n`);
  const event = {
    name: "PreCompact",
    session: "s",
    cwd: project,
    attended: true,
    trigger: "auto",
    transcript,
  } as const;
  const facts = { session: boundSession() };
  const env = { HOME: project, PATH: process.env["PATH"] };
  return { event, facts, env, project, started: 1_000, deadline: 1e9, clock: () => 1_000, ...more };
}

it("MD-91 git has five seconds in total, and less when the event has less", () => {
  const asked = (deadline: number): readonly number[] => {
    const times: number[] = [];
    const run = ({ timeMs }: ProgramRun) => {
      times.push(timeMs);
      return { text: "", cut: false };
    };
    driveNow(handoverNow(making({ deadline })), running(run));
    return times;
  };
  expect(asked(1e9).length).toBeGreaterThan(2);
  expect(new Set(asked(1e9))).toEqual(new Set([5000]));
  expect(new Set(asked(4_700))).toEqual(new Set([3000]));
  expect(asked(1_500)).toEqual([]);
});

it("MD-91 a part that fails is left out and does not affect the others", () => {
  const failing = (): never => {
    throw new Error("boom");
  };
  const handover = driveNow(handoverNow(making({ readPrompt: failing })), running(failing));
  expect(handover).toMatchObject({ session: "s", trigger: "auto", modes: [], cwd: expect.any(String) });
  for (const part of ["branch", "commits", "uncommitted_count", "user_intents"])
    expect(handover).not.toHaveProperty(part);
});

it.each(["Asia/Tokyo", "America/St_Johns"])("ST-13 its time is in UTC with a Z, in %s too", (zone) => {
  vi.stubEnv("TZ", zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  const started = Date.UTC(2026, 2, 1, 0, 0, 5, 900);
  const handover = driveNow(
    handoverNow(making({ started })),
    running(() => ({ text: "", cut: false })),
  );
  expect(handover).toMatchObject({ at: started, timestamp: "2026-03-01T00:00:05Z" });
});
