/** How tmux is asked about a pane. */
import { existsSync } from "node:fs";
import type { ProgramRun } from "../../kernel/effect.ts";
import type { Environment } from "./places.ts";

/** Not from the PATH: an agent can write to some of its directories. */
const TMUX = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux", "/opt/homebrew/bin/tmux", "/opt/local/bin/tmux"];

/** Undefined where there is no tmux. */
export function tmuxProgram(): string | undefined {
  return TMUX.find((path) => existsSync(path));
}

/** Undefined where there is no tmux. */
export function askingTmux(
  server: readonly string[],
  target: string,
  format: string,
  env: Environment,
): Pick<ProgramRun, "program" | "args" | "env"> | undefined {
  const program = tmuxProgram();
  if (program === undefined) return undefined;
  const kept = ["PATH", "HOME", "TMUX", "TMUX_TMPDIR"].flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  const args = [...server, "display-message", "-p", "-t", target, format];
  return { program, args, env: Object.fromEntries(kept) };
}
