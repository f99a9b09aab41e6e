/** Shared by the tests of the checks: a healthy installation in which each test breaks one thing. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempDirectory } from "../../../test/temp.ts";
import type { Door, Lane, Slot } from "../../hosts/registration.ts";
import type { EventName } from "../../kernel/event.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { sha256Hex } from "../../store/digest.ts";
import { memoryStore } from "../../store/memory.ts";
import { placesOf } from "../../world/machine/places.ts";
import { host, registration } from "../host.ts";
import { run } from "../setup/run.ts";
import { settingsPath } from "../setup/scope.ts";
import type { Check, Finding, Premises } from "./check.ts";
import { readHostFile } from "./read-host-file.ts";

const EVENTS: readonly EventName[] = ["PreToolUse", "PostToolUse", "ConfigChange", "Stop"];

export const DOOR: Door = { port: 40_123, token: "a-token-nobody-may-see" };

export interface House {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly state: string;
  readonly bundle: string;
  /** The project's local settings file, with our hooks in it. */
  readonly settings: string;
  write(path: string, content: string): string;
  /** The current inputs, except for the given overrides. */
  premises(broken?: Partial<Premises>): Premises;
  look(check: Check, broken?: Partial<Premises>): Promise<Finding>;
}

export function openHouse(lane: Lane = "plain"): House {
  const root = tempDirectory("doctor-test");
  const [project, home, state] = ["project", "home", "state/sekisho"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const bundle = buildProgram(join(root, "program"), "1.0.0");
  for (const directory of [project, home]) mkdirSync(directory);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const settings = settingsPath("local", project);
  const write = (path: string, content: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  const program = { node: process.execPath, bundle, door: DOOR };
  write(settings, registeredText(registration.slots(EVENTS, program, lane)));
  const env = { HOME: home, XDG_STATE_HOME: dirname(state), PATH: process.env["PATH"] };
  const premises = (broken: Partial<Premises> = {}): Premises => {
    const places = placesOf(host.layout, env, project, []);
    const files = places.hostSettings.map(readHostFile);
    return {
      env,
      now: Date.UTC(2026, 10, 16),
      version: "1.0.0",
      program,
      events: EVENTS,
      places,
      settings: { settings: defaultSettings, problems: [], custom: [] },
      store: memoryStore(),
      files: files.flatMap((file) => ("text" in file ? [file] : [])),
      unreadable: files.flatMap((file) => ("reason" in file ? [file] : [])),
      run,
      diskOf: () => ({ type: 0xef53, freeBytes: 1e12, freeFiles: 1e6 }),
      gatehouse: {
        probe: async () => ({ state: "up", detail: "", port: DOOR.port, ms: 1 }),
        start: async () => ({ ok: true }),
        stop: async () => undefined,
        door: () => DOOR,
        move: async () => DOOR,
        log: join(state, "gatehouse", "gatehouse.log"),
      },
      hostProgram: undefined,
      wants: { host: false, measuring: true, integrity: false },
      ...broken,
    };
  };
  const look: House["look"] = async (check, broken) => check.look(premises(broken));
  return { root, project, home, state, bundle, settings, write, premises, look };
}

function registeredText(all: readonly Slot[]): string {
  const hooks: Record<string, unknown[]> = {};
  for (const { event, matcher, hook } of all) {
    hooks[event] = [...(hooks[event] ?? []), { ...(matcher !== undefined && { matcher }), hooks: [hook] }];
  }
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}

/** A minimal gate: refuses `sekisho uninstall` and allows everything else. */
const PROGRAM = `let text = "";
process.stdin.on("data", (data) => { text += data; });
process.stdin.on("end", () => {
  if (!text.includes("sekisho uninstall")) return;
  process.stderr.write("Sekisho refuses this: it is for people.\\n");
  process.exitCode = 2;
});
`;

export function buildProgram(directory: string, version: string, content = PROGRAM): string {
  mkdirSync(directory, { recursive: true });
  const bundle = join(directory, "sekisho.cjs");
  writeFileSync(bundle, content);
  chmodSync(bundle, 0o755);
  const manifest = { version, files: { "sekisho.cjs": sha256Hex(content) } };
  writeFileSync(join(directory, "manifest.json"), JSON.stringify(manifest));
  return bundle;
}
