/** The plugin's slash commands. The host runs the line after `!` itself, before the agent reads the rest. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in.
const PROGRAM = 'node "${CLAUDE_PLUGIN_ROOT}/dist/sekisho.cjs"';

/**
 * Allows only this one call: the tools a command allows are allowed to the agent as well while it works on the command.
 */
function command(description, verb, lines) {
  const front = ["---", `description: ${description}`, `allowed-tools: Bash(${PROGRAM} ${verb})`, "---", ""];
  return [...front, `!\`${PROGRAM} ${verb}\``, "", ...lines, ""].join("\n");
}

const WORK = {
  planning: "reading, asking, and plans below docs/; no code, no commands, no remotes",
  building: "the whole work; commands and commits as trust allows",
  auditing: "reading only; nothing may be changed",
};

/** The hook reads these commands from the prompt, so nothing runs here, and the agent cannot call them. */
function stance(name) {
  const word = name.toUpperCase();
  return [
    "---",
    `description: Set the stance to ${word} (${WORK[name]})`,
    "disable-model-invocation: true",
    "---",
    "",
    `The person has set the stance to ${word}: ${WORK[name]}. Sekisho has taken that from the prompt, and there is nothing for you`,
    "to run. You cannot change the stance. Say in a line that it is set, and work by it.",
    "",
  ].join("\n");
}

const MODES = {
  persistent: [
    "Work on until it is complete",
    "work on it until all of it is done",
    "a plan's boxes are ticked, or your last words say so",
  ],
  turbo: [
    "Do all of it in one go",
    "do all of it in one go, in parallel where that is possible",
    "nothing is left to do",
  ],
  qa: [
    "Run the checks and fix until they pass",
    "run the project's checks, fix what fails, and run them again",
    "the checks have passed",
  ],
};

/**
 * The hook reads these commands from the prompt, so nothing runs here. The agent cannot call them, because only a
 * person starts a mode this way. `/sekisho:cancel` is a skill; a command with that name would duplicate it.
 */
function mode(name) {
  const [description, work, end] = MODES[name];
  const front = [
    "---",
    `description: ${description} (mode ${name})`,
    'argument-hint: "[task]"',
    "disable-model-invocation: true",
    "---",
    "",
  ];
  return [
    ...front,
    `The person has started the mode ${name}; Sekisho has taken that from the prompt, and there is nothing for you to run.`,
    "",
    "The task: $ARGUMENTS",
    "",
    "If no task stands there, it is what the conversation was about last; if that is not clear either, ask.",
    "",
    `Now ${work}. The end of your turn may be refused until ${end}; the refusal says what is open.`,
    "You cannot end the mode: if you are stuck, say plainly what stands in the way. The person ends it with /sekisho:cancel.",
    "",
  ].join("\n");
}

export const commands = {
  "plugin/commands/quick-save.md": command("Save where the work stands in SESSION_STATE.md", "save", [
    'This was just saved: the section "Trust State" of SESSION_STATE.md is fresh. Do not edit that section; it is replaced at',
    "the next save.",
    "",
    "Now bring the rest of SESSION_STATE.md up to date, in a few lines: what is done, what is open, and one line",
    "`Next: …` with the next step. If the stance closes writing, tell it to the person instead. Then repeat the lines",
    "`Phase: …` and `Trust: …` above to the person, and stop.",
  ]),
  "plugin/commands/quick-load.md": command("Tell where the work stands, and what changed since it was saved", "load", [
    "These lines are from Sekisho's journal and hold; what SESSION_STATE.md says about trust may be older. `[R]` marks a kind",
    "of work that recovers from failures: take smaller steps there.",
    "",
    "Read SESSION_STATE.md if it is there. Repeat the lines `Phase: …` and `Trust: …` to the person, say in two or three",
    "lines what is done and what is next, and wait for them.",
  ]),
  ...Object.fromEntries(Object.keys(MODES).map((name) => [`plugin/commands/${name}.md`, mode(name)])),
  "plugin/commands/modes.md": command("Show the modes that are on, and how far they have come", "mode list", [
    "Repeat this to the person as it is, in a line for each mode, and stop. They end modes with /sekisho:cancel; you cannot.",
  ]),
  ...Object.fromEntries(Object.keys(WORK).map((name) => [`plugin/commands/${name}.md`, stance(name)])),
};
