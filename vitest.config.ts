import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** No test depends on speed: this only ends a test that hangs. */
const FOREVER_MS = 600_000;

const common = {
  testTimeout: FOREVER_MS,
  hookTimeout: FOREVER_MS,
  // Vitest's default leaves one core idle, which is half of a small machine.
  maxWorkers: availableParallelism(),
  // Processes, because threads cannot set the time zone. They keep their modules from file to file: loading them for
  // every file would cost more than the tests.
  pool: "forks",
  isolate: false,
  env: { NODE_EXTRA_CA_CERTS: "", LANG: "C.UTF-8", LC_ALL: "", SEKISHO_LANGUAGE: "" },
} as const;

/** `npm test` runs the first three tiers, `npm run check` all of them. */
export default defineConfig({
  test: {
    globalSetup: "test/global-setup.ts",
    projects: [
      {
        test: {
          ...common,
          name: "unit",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          exclude: ["test/corpus.test.ts", "test/fuzz.test.ts"],
        },
      },
      { test: { ...common, name: "corpus", include: ["test/corpus.test.ts"] } },
      { test: { ...common, name: "smoke", include: ["test/smoke/*.test.ts"] } },
      { test: { ...common, name: "e2e", include: ["test/e2e/*.test.ts", "test/fuzz.test.ts"] } },
    ],
  },
});
