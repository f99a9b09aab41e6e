/** The sample that `sekisho demo` looks at: work of some days, and eight attempts of today. */

/** How the work of each domain has gone so far, in order: a success or a failure, and how many. */
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
  /** How it ends, should it be let through. */
  readonly ends: "success" | "failure";
}

/** Paths are from the project. */
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
