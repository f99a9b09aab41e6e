import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newSession } from "../state/session.ts";
import type { Errand } from "./errand.ts";
import { handoverNow, type Making } from "./handover-making.ts";

/** A repository, and a conversation in it that is about to be made shorter. */
function making(more: Partial<Making> = {}): Making {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-handover-")));
  onTestFinished(() => rmSync(project, { recursive: true }));
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
  const facts = { session: { ...newSession(0), client: { pid: 7, started: "1" } } };
  const env = { HOME: project, PATH: process.env["PATH"] };
  return { event, facts, env, project, started: 1_000, deadline: 1e9, clock: () => 1_000, ...more };
}

it("MD-91 git has five seconds altogether, and less where the event has less", () => {
  const asked = (deadline: number): readonly number[] => {
    const times: number[] = [];
    const run = ({ timeMs }: Errand) => {
      times.push(timeMs);
      return { text: "", cut: false };
    };
    handoverNow(making({ run, deadline }));
    return times;
  };
  expect(asked(1e9).length).toBeGreaterThan(2);
  expect(new Set(asked(1e9))).toEqual(new Set([5000]));
  expect(new Set(asked(4_700))).toEqual(new Set([3000]));
  expect(asked(1_500)).toEqual([]);
});

it("MD-91 a part that fails is left out, and takes no other with it", () => {
  const failing = (): never => {
    throw new Error("boom");
  };
  const handover = handoverNow(making({ run: failing, readPrompt: failing }));
  expect(handover).toMatchObject({ session: "s", trigger: "auto", modes: [], cwd: expect.any(String) });
  for (const part of ["branch", "commits", "uncommitted_count", "user_intents"])
    expect(handover).not.toHaveProperty(part);
});
