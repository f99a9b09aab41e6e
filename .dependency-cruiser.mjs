const room = (name) => `^src/${name}/`;
/** Tests, and what only tests use. */
const tests = "[.]test[.]ts$|^src/(example-hall|policies/describe-policy|store/contract|store/trial)[.]ts$";

const may = (from, ...to) => ({
  name: `${from}-may-only-see-${to.join("-") || "itself"}`,
  severity: "error",
  comment: `src/${from}/ sees ${to.join(", ") || "nothing but itself"}. See ARCHITECTURE.md, "Who may see whom".`,
  from: { path: room(from), pathNot: tests },
  to: { path: "^src/", pathNot: [from, ...to].map(room) },
});

export default {
  forbidden: [
    may("state"),
    may("kernel", "state"),
    may("policies", "kernel", "state"),
    may("views", "kernel", "state"),
    may("world", "kernel", "state"),
    may("store", "kernel", "state"),
    may("hosts", "kernel", "state"),
    {
      name: "gatehouse-may-only-see-the-hall-and-its-rooms",
      severity: "error",
      comment: "src/gatehouse/ is a lane like the plain one.",
      from: { path: room("gatehouse"), pathNot: tests },
      to: {
        path: "^src/",
        pathNot: [
          ...["gatehouse", "hosts", "kernel", "state", "store", "world", "policies"].map(room),
          "^src/(hook|lane)[.]ts$",
        ],
      },
    },
    {
      name: "nobody-loads-the-gatehouse-but-the-commands",
      severity: "error",
      comment:
        "An event of the plain lane pays for none of it: the launcher loads watch.cjs when it is asked to watch.",
      from: { path: "^src/", pathNot: ["^src/(gatehouse|cli)/", tests] },
      to: { path: room("gatehouse"), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "pure-rooms-touch-nothing",
      severity: "error",
      comment: "state, kernel, policies and views compute. Only world, store and hosts touch the machine.",
      from: { path: "^src/(state|kernel|policies|views)/", pathNot: tests },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?path(/posix)?$" },
    },
    {
      name: "policies-do-not-see-one-another",
      severity: "error",
      comment: "A policy that needs another has found a helper: name it with a noun and import that.",
      from: { path: "^src/policies/.+/", pathNot: "[.]test[.]ts$" },
      to: { path: "^src/policies/.+/(no|require|remind|track|run)-" },
    },
    {
      name: "hook-path-stays-light",
      severity: "error",
      comment: "Everything the hook loads is paid for at every event: no YAML, no CLI library, no crypto at load time.",
      from: {
        path: "^src/(state|kernel|policies|world|store|hosts)/|^src/[a-z-]+[.]ts$",
        pathNot: `${tests}|settings-yaml[.]ts$`,
      },
      to: {
        path: "node_modules/(js-yaml|picocolors)|^(node:)?(crypto|zlib|child_process|module|os|perf_hooks)$",
        dependencyTypesNot: ["type-only"],
      },
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
