/** Sample data for `sekisho demo`: a work history of some days and eight attempts of today. */

/** The past outcomes of each domain in order, as runs of successes or failures. */
export const PAST: Readonly<Record<string, readonly (readonly ["success" | "failure", number])[]>> = {
  file_read: [["success", 24]],
  test_run: [
    ["success", 14],
    ["failure", 1],
    ["success", 4],
  ],
  file_write_src: [["success", 9]],
  git_local: [["success", 3]],
  shell_exec: [
    ["success", 4],
    ["failure", 2],
  ],
};

export interface Sample {
  readonly tool: "Read" | "Edit" | "Bash";
  readonly input: Readonly<Record<string, string>>;
  /** The outcome if the attempt is allowed. */
  readonly ends: "success" | "failure";
}

/** Paths are relative to the project. */
export const SAMPLES: readonly Sample[] = [
  { tool: "Read", input: { file_path: "src/greet.js" }, ends: "success" },
  { tool: "Bash", input: { command: "grep -rn greet src" }, ends: "success" },
  { tool: "Edit", input: { file_path: "src/greet.js", old_string: "Hey", new_string: "Dear" }, ends: "success" },
  { tool: "Bash", input: { command: "npm test" }, ends: "failure" },
  { tool: "Bash", input: { command: "npm test" }, ends: "success" },
  { tool: "Bash", input: { command: "git commit -qam polite" }, ends: "success" },
  { tool: "Bash", input: { command: "make dist" }, ends: "failure" },
  { tool: "Bash", input: { command: "rm -rf ~" }, ends: "success" },
];

export const FILES: Readonly<Record<string, string>> = {
  "src/greet.js": 'exports.greet = (name) => "Hey " + name;\n',
};
