/** The events of a small turn, in the order the host sends them. */
const bash = {
  command: "git status --short && npm test -- --reporter=dot 2>&1 | tail -20",
  description: "Run the tests",
};
/** Replaced by the project's directory when an event is sent. */
const PROJECT = "<project>";
const edit = {
  file_path: `${PROJECT}/a.ts`,
  old_string: "const a = 1;",
  new_string: "const a = 2;",
  replace_all: false,
};
const read = { file_path: `${PROJECT}/a.ts` };

export const BASH = bash;

/** The text of an event in a project. */
export function textOf(event, project) {
  return JSON.stringify(event).replaceAll(PROJECT, project);
}

/** `call` is used in the tool use id. `gate` chooses among the hooks that are registered for the event. */
export const EVENTS = {
  "PreToolUse Bash": (call) => ({
    event: "PreToolUse",
    fields: { tool_name: "Bash", tool_input: bash, tool_use_id: `b${call}` },
  }),
  "PostToolUse Bash": (call) => ({
    event: "PostToolUse",
    fields: {
      ...{ tool_name: "Bash", tool_input: bash, tool_use_id: `b${call}` },
      tool_response: { stdout: "ok", stderr: "" },
    },
  }),
  "PreToolUse Edit": (call) => ({
    event: "PreToolUse",
    fields: { tool_name: "Edit", tool_input: edit, tool_use_id: `e${call}` },
  }),
  "PostToolUse Edit": (call) => ({
    event: "PostToolUse",
    fields: { tool_name: "Edit", tool_input: edit, tool_use_id: `e${call}`, tool_response: {} },
  }),
  "PreToolUse Read": (call) => ({
    event: "PreToolUse",
    gate: 1,
    fields: { tool_name: "Read", tool_input: read, tool_use_id: `r${call}` },
  }),
  PostToolBatch: (call) => ({
    event: "PostToolBatch",
    fields: {
      tool_calls: [
        { tool_name: "Bash", tool_use_id: `b${call}` },
        { tool_name: "Edit", tool_use_id: `e${call}` },
        { tool_name: "Read", tool_use_id: `r${call}` },
      ],
    },
  }),
};
