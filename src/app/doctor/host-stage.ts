/** A scratch environment for the real host: a project with the registered hooks, its own home and its own state. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { dropPins } from "../../store/pin.ts";
import { configDirectory, placesOf, stateRoot, trueName } from "../../world/machine/places.ts";
import { host, setup } from "../host.ts";
import type { Premises } from "./check.ts";

/** The result of the scripted session. */
export interface Played {
  /** The tool result the model received for the forbidden command; undefined when the host never sent one. */
  readonly forbidden: string | undefined;
  /** True if the forbidden command had its effect. */
  readonly forbiddenRan: boolean;
  readonly harmless: string | undefined;
  readonly harmlessRan: boolean;
  readonly ms: number;
  /** Why the host gave no answer. */
  readonly problem?: string;
}

const HOST_MS_MAX = 15_000;
const COMMANDS = {
  /** Refused only by Sekisho, not by the host. If it runs anyway, only a scratch file loses a change. */
  forbidden: "git reset --hard",
  harmless: "echo made > made.txt",
};
const UNCOMMITTED = "not committed\n";

export async function tryHost(binary: string, premises: Premises): Promise<Played> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-doctor-client-")));
  const project = join(root, "project");
  try {
    await setStage(root, premises);
    const trial = await setup.startTrial(stageAt(root, premises));
    try {
      const options = { cwd: project, env: trial.env, timeoutMs: HOST_MS_MAX };
      const { code, stderr, ms, problem } = await premises.run(binary, trial.args, options);
      const failure = problem ?? (code === 0 ? undefined : `exit code ${code}: ${stderr.trim().slice(0, 300)}`);
      return {
        forbidden: trial.told("forbidden"),
        forbiddenRan: contentOf(join(project, "kept.txt")) !== UNCOMMITTED,
        harmless: trial.told("harmless"),
        harmlessRan: contentOf(join(project, "made.txt")) !== undefined,
        ms,
        ...(failure !== undefined && { problem: failure }),
      };
    } finally {
      await trial.close();
    }
  } finally {
    // On the fast lane the daemon recorded this session in the user's state, under a project name no other project has.
    rmSync(placesOf(host.layout, premises.env, project, [], project).journal, { recursive: true, force: true });
    dropPins(join(stateRoot(premises.env), "sessions"), project);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function stageAt(root: string, { files, places, program, env }: Premises): Parameters<typeof setup.startTrial>[0] {
  const userDirectory = trueName(configDirectory(host.layout, env, places.home));
  return { root, files, userDirectory, env, node: program.node, commands: COMMANDS };
}

async function setStage(root: string, { run }: Premises): Promise<void> {
  const project = join(root, "project");
  for (const directory of ["project", "home", "state", "config", "tmp"]) mkdirSync(join(root, directory));
  writeFileSync(join(project, "kept.txt"), "committed\n");
  const who = ["-c", "user.name=doctor", "-c", "user.email=doctor@example.invalid"];
  const env = { PATH: process.env["PATH"], HOME: join(root, "home"), GIT_CONFIG_NOSYSTEM: "1" };
  await run("git", ["init", "--quiet"], { cwd: project, env });
  await run("git", ["add", "kept.txt"], { cwd: project, env });
  await run("git", [...who, "commit", "--quiet", "--message", "begin"], { cwd: project, env });
  writeFileSync(join(project, "kept.txt"), UNCOMMITTED);
}

function contentOf(path: string): string | undefined {
  return plainText(path, UNCOMMITTED.length + 1024);
}
