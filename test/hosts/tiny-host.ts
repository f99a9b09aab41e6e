/**
 * A host that is nothing like Claude Code: its events come as a query string, its answers are one line of text, and it
 * has its own names for events, tools, variables and files. It is not shipped; it shows what the contract asks for.
 */
import type { Host, Parsed, RawCall, Render } from "../../src/hosts/host.ts";
import type { EventName, HookEvent } from "../../src/kernel/event.ts";
import type { Arming } from "../../src/kernel/facts.ts";
import type { Tool } from "../../src/reading/tool.ts";

/** The tiny host's event names, and ours. */
const EVENTS: Readonly<Record<string, EventName>> = {
  hello: "SessionStart",
  said: "UserPromptSubmit",
  may: "PreToolUse",
  did: "PostToolUse",
  tired: "Stop",
};

export const tinyHost: Host = {
  id: "tiny",
  layout: {
    directory: ".tiny",
    settings: ["rules.ini"],
    managed: ["/etc/tiny.ini"],
    records: ["told"],
    variables: { process: "TINY_SELF", project: "TINY_ROOT", config: "TINY_DIR", plugin: "TINY_PLUGIN" },
  },
  marks: { variables: ["TINY_SELF"], processName: /^tiny$/ },
  traits: {
    directory: ".tiny",
    contextDirectory: ".tiny/notes",
    skillsDirectory: ".tiny/tricks",
    agentsDirectory: ".tiny/helpers",
    scheduleFile: "/.tiny/later.txt",
    projectVariable: "TINY_ROOT",
    fileTools: ["put"],
    wholeReads: ["look"],
    readingAgents: ["scout"],
    serverFiles: /\/\.tiny\/servers\.json$/,
    planFiles: /(?!)/,
    ownNotes: /\/told\/notes(?:\/|$)/,
    processNames: ["tiny"],
    restart: {
      packages: ["tiny-agent"],
      libraries: /tiny-agent\/lib/,
      options: /^--no-rules$/,
      switches: /^TINY_FREE$/,
      moves: /^TINY_DIR$/,
      tells: /^about\b/,
      changes: /^learn\b/,
      reachBelow: /\/rules\.ini$/,
      elsewhere: /^--there$/,
    },
    processVariables: ["PPID", "TINY_SELF"],
    channelVariables: /TINY_VOICE/,
    channelPlaces: /\/tiny-voices\b/,
    sessionPlaces: /\.tiny\/running\b/,
    textPaths: /\/\.tiny\/tricks(?:\/|$)/,
    textCommands: /^run:/m,
    textHalves: /^run$/,
    settingsWords: /\.tiny\b(?!\/+tricks)|rules\.ini/,
    settingsNames: /\.tiny\/+rules\.ini/,
  },
  protectedLists: [".tiny/keep.txt"],
  protectedMinimum: ["HARD_BLOCK:TINY.md"],
  shellFiles: "shell",
  globalLearnings: "~/.tiny/learned.md",
  bodyCharsMax: 100_000,
  sessionVariables: ["TINY_ROOT"],
  parse,
  sessionIn: (body) => new URLSearchParams(body).get("who") ?? "unknown",
  mayHoldCommand: (body) => body.includes("tool=shell"),
  render,
  renderOverHttp: render,
  context: (_, verdict, language) => verdict.notes.map((note) => note[language]).join(" "),
  deadlineMs: () => 5000,
  inputMs: () => 1000,
  arming,
};

function parse({ body, registeredFor, env }: RawCall): Parsed {
  const fields = new URLSearchParams(body);
  const get = (name: string): string => fields.get(name) ?? "";
  const name = EVENTS[get("event")] ?? (registeredFor as EventName | undefined) ?? "Unknown";
  const session = get("who") || "unknown";
  if (!fields.has("event")) return { problem: "there is no event in it", name, session, harmless: false };
  const common = { name, session, cwd: get("at"), attended: env["TINY_ALONE"] === undefined };
  const own: Readonly<Partial<Record<EventName, object>>> = {
    SessionStart: { source: "startup", transcript: "" },
    UserPromptSubmit: { prompt: get("words"), transcript: "" },
    PreToolUse: { tool: toolIn(get), call: get("call"), input: Object.fromEntries(fields) },
    PostToolUse: { tool: toolIn(get), call: get("call"), input: {}, background: false, failed: false },
    Stop: { continued: false, lastMessage: get("words"), backgroundTasks: 0, mustYield: false, transcript: "" },
  };
  return { event: { ...common, ...(own[name] ?? { hostName: get("event") }) } as HookEvent };
}

function toolIn(get: (name: string) => string): Tool {
  const name = get("tool");
  if (name === "shell") return { kind: "bash", name, command: get("line"), background: false };
  if (name === "put") return { kind: "write", name, path: get("path"), content: get("text") };
  if (name === "look") return { kind: "read", name, path: get("path") };
  return { kind: "unknown", name, words: [get("line"), get("path"), get("text")] };
}

/** Answers `ok`, `hm: …` (ask), `no: …` (deny) or `go on: …` (a Stop that is refused). The exit code is always 0. */
function render(...[name, { decision, objections }, { language }]: Parameters<Render>): ReturnType<Render> {
  const [first] = objections;
  const word = decision === "ask" ? "hm" : name === "Stop" ? "go on" : "no";
  const answer = first ? `${word}: ${first.what[language]} [${first.policy}]` : "ok";
  return { exitCode: 0, stdout: `${answer}\n`, stderr: "" };
}

/** `gate = sekisho` is our hook; `gates = off` disables all hooks. */
function arming(text = ""): Arming {
  const lines = text.split("\n").map((line) => line.trim());
  return {
    readable: true,
    hooks: lines.filter((line) => line === "gate = sekisho"),
    disarms: lines.filter((line) => line === "gates = off"),
    strange: [],
    runs: [],
  };
}
