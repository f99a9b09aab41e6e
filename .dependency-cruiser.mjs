const room = (name) => `^src/${name}/`;
/** Tests, and the helpers that only tests use. */
const tests = "[.]test[.]ts$|^src/(app/example-hall|policies/describe-policy|store/contract|store/journal/trial)[.]ts$";

/** Folders of app/ that commands and pages use, and no lane loads. */
const FOR_PEOPLE = "^src/app/(actions|doctor|queries|rehearsal|running|setup|waking)/";

/** The names that arguments and settings may have, which help texts and messages list. */
const NAMES = "^src/(state/(habits|stance|settings/(profiles|settings))|reading/operation/domain)[.]ts$";

/** Rooms that only compute. Each may import the rooms listed here, and no others. */
const PURE = {
  lib: [],
  state: ["lib"],
  reading: ["lib", "state"],
  language: ["lib", "state"],
  evidence: ["reading", "lib", "state"],
  playbook: ["reading", "lib", "state"],
  pipeline: ["reading", "lib", "state"],
  kernel: ["pipeline", "playbook", "evidence", "reading", "lib", "state"],
  policies: ["kernel", "pipeline", "playbook", "evidence", "reading", "language", "lib", "state"],
  views: ["kernel", "pipeline", "playbook", "evidence", "reading", "lib", "state"],
};

/** Rooms that touch the machine. */
const TOUCHING = {
  disk: [],
  world: ["disk", "kernel", "pipeline", "playbook", "evidence", "reading", "language", "lib", "state"],
  store: ["disk", "kernel", "lib", "state"],
  hosts: ["disk", "world", "kernel", "evidence", "reading", "lib", "state"],
  jobs: ["disk", "hosts", "world", "store", "kernel", "reading", "lib", "state"],
  undo: ["disk", "world", "store", "kernel", "reading", "lib", "state"],
  daemon: ["world", "store"],
  app: [
    "disk",
    "daemon",
    "jobs",
    "hosts",
    "world",
    "store",
    "undo",
    "policies",
    "views",
    "kernel",
    "pipeline",
    "playbook",
    "language",
    "evidence",
    "reading",
    "lib",
    "state",
  ],
  lanes: ["disk", "daemon", "app", "jobs", "hosts", "world", "store", "policies", "kernel", "reading", "lib", "state"],
};

const may = ([from, to]) => ({
  name: `${from}-may-only-see-${to.join("-") || "itself"}`,
  severity: "error",
  comment: `src/${from}/ sees ${to.join(", ") || "nothing but itself"}. See ARCHITECTURE.md, "Rooms".`,
  from: { path: room(from), pathNot: tests },
  to: { path: "^src/", pathNot: [from, ...to].map(room), dependencyTypesNot: from === "lanes" ? ["type-only"] : [] },
});

export default {
  forbidden: [
    ...Object.entries({ ...PURE, ...TOUCHING }).map(may),
    {
      name: "commands-only-parse-and-print",
      severity: "error",
      comment: "A command calls app/ for whatever it does or looks up, so that a page can do the same without cli/.",
      from: { path: room("cli"), pathNot: tests },
      to: {
        path: "^src/",
        pathNot: [
          room("cli"),
          FOR_PEOPLE,
          "^src/app/(admission|problem|project)[.]ts$",
          room("views"),
          room("lib"),
          NAMES,
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "commands-know-pure-types-only",
      severity: "error",
      comment: "What app/ returns is described by app/, views/ and the pure rooms.",
      from: { path: room("cli"), pathNot: tests },
      to: { path: `^src/(${["policies", ...Object.keys(TOUCHING).filter((name) => name !== "app")].join("|")})/` },
    },
    {
      name: "commands-touch-only-the-terminal",
      severity: "error",
      comment: "tty.ts opens the terminal and reads standard input; nothing else in cli/ needs the machine.",
      from: { path: room("cli"), pathNot: [tests, "^src/cli/tty[.]ts$"] },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?util$" },
    },
    {
      name: "hosts-have-one-way-in",
      severity: "error",
      comment: "What one host decides stays in its own folder: src/hosts/index.ts has it in a table, by the contract.",
      from: { path: "^src/", pathNot: "^src/hosts/(index[.]ts$|[^/]+/)" },
      to: { path: "^src/hosts/[^/]+/" },
    },
    {
      name: "hosts-do-not-see-one-another",
      severity: "error",
      comment: "Two hosts share what stands in src/hosts/ itself.",
      from: { path: "^src/hosts/([^/]+)/" },
      to: { path: "^src/hosts/[^/]+/", pathNot: "^src/hosts/$1/" },
    },
    {
      name: "only-commands-load-the-gatehouse",
      severity: "error",
      comment: "The plain lane must not pay for the daemon: the launcher loads watch.cjs when it is needed.",
      from: { path: "^src/", pathNot: ["^src/(daemon|lanes/gatehouse|app/(actions|doctor|queries|setup))/", tests] },
      to: { path: "^src/(daemon|lanes/gatehouse)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "the-hall-does-not-load-actions",
      severity: "error",
      comment:
        "Every event pays for what the hall loads. Actions, queries, set-up and checks are for commands and pages.",
      from: {
        path: "^src/(app/[^/]+[.]ts$|lanes/|jobs/)",
        pathNot: ["^src/app/(admission|project|host)[.]ts$", tests],
      },
      to: { path: `${FOR_PEOPLE}|^src/app/(admission|project)[.]ts$` },
    },
    {
      name: "only-commands-load-undo",
      severity: "error",
      comment: "undo copies files and runs git: a lane loads snapshot.cjs when something would be lost.",
      from: { path: "^src/", pathNot: ["^src/(undo|app/(actions|queries))/", tests] },
      to: { path: room("undo"), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "pure-rooms-touch-nothing",
      severity: "error",
      comment: "Pure rooms compute. They get the machine, the clock and the host as facts.",
      from: { path: `^src/(${Object.keys(PURE).join("|")})/`, pathNot: tests },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?path(/posix)?$" },
    },
    {
      name: "policies-do-not-see-one-another",
      severity: "error",
      comment: "Move what two policies share into a helper file with a noun as its name, and import that.",
      from: { path: "^src/policies/.+/", pathNot: "[.]test[.]ts$" },
      to: { path: "^src/policies/.+/(no|require|remind|track|run)-" },
    },
    {
      name: "hook-path-stays-light",
      severity: "error",
      comment: "Every event pays for what the hook loads: no YAML, no CLI library, no crypto at load time.",
      from: {
        path: "^src/(lib|state|reading|language|evidence|pipeline|kernel|policies|disk|world|store|hosts|jobs|app|lanes/plain)/|^src/(lanes/)?[a-z-]+[.]ts$",
        pathNot: `${tests}|(settings-(yaml|text)|queue-file)[.]ts$|${FOR_PEOPLE}`,
      },
      to: {
        path: "node_modules/(js-yaml|yaml|picocolors)|^(node:)?(crypto|zlib|child_process|module|os|perf_hooks)$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "settings-are-edited-by-commands",
      severity: "error",
      comment: "The editor of settings files brings a second YAML library. Only commands may pay for it.",
      from: { path: "^src/", pathNot: ["^src/app/(actions|setup)/", tests] },
      to: { path: "^src/store/settings/settings-text[.]ts$" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-orphans", severity: "error", from: { orphan: true, path: "^src/", pathNot: tests }, to: {} },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
  },
};
