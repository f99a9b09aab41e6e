/**
 * Claude Code runs the text of certain files before every command of a session. A hook may write one at SessionStart: the
 * variable names it. The client keeps the texts in memory and reads the files again after `cd`.
 */
import type { ShellSetup } from "../../world/host.ts";

const FILE = "CLAUDE_ENV_FILE";
export const SHELL = "CLAUDE_CODE_SHELL";
/** With the first one every command runs in another program, with the second one the texts are left out. */
export const OTHERWISE = ["CLAUDE_CODE_SHELL_PREFIX", "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB"];

/** Longer lines are left alone. They also hold the client's own words and the texts of other hooks. */
const LINE_MAX = 32_000;
const COMMAND_MAX = 12_000;
const PLACES = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

export const shellSetup: ShellSetup = {
  directory: "session-env",
  variables: [SHELL, ...OTHERWISE],
  // The client writes each single quote as five characters.
  fits: (command) => command.length + 4 * (command.split("'").length - 1) <= COMMAND_MAX,

  fileIn: (env) => env[FILE],

  works: (env, isThere) =>
    OTHERWISE.every((name) => !env[name] || env[name] === "0") && shellOf(env, isThere).endsWith("/bash"),

  isFile: (name) => /^(?:setup|sessionstart|cwdchanged|filechanged)-hook-\d+\.sh$/.test(name),

  // The line holds this text as well, so what is matched begins behind its last word.
  text: (pattern) => `# Sekisho: a check that fails behind a pipe fails its line (setting verify.pipes).
if [ -n "\${BASH_EXECUTION_STRING-}" ]; then
  sekisho_line=\${BASH_EXECUTION_STRING#*sekisho-"end"}
  sekisho_line=\${sekisho_line#*eval }
  sekisho_checks='${pattern}'
  if [ \${#sekisho_line} -lt ${LINE_MAX} ] && [[ $sekisho_line =~ $sekisho_checks ]]; then set -o pipefail; fi
  unset sekisho_line sekisho_checks
fi
# sekisho-end
`,
};

/** The shell that the client takes: the first of these that is there. */
function shellOf(env: Readonly<Record<string, string | undefined>>, isThere: (path: string) => boolean): string {
  const named = [env[SHELL], env["SHELL"]].filter((path) => path !== undefined && /bash|zsh/.test(path));
  const order = env["SHELL"]?.includes("bash") ? ["bash", "zsh"] : ["zsh", "bash"];
  const places = [...(env["PATH"] ?? "").split(":").filter((place) => place.startsWith("/")), ...PLACES];
  const usual = order.flatMap((name) => places.map((place) => `${place}/${name}`));
  return [...named, ...usual].find((path): path is string => path !== undefined && isThere(path)) ?? "";
}
