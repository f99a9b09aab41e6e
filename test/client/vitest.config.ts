/** The tests with the real host: `vitest run --config test/client/vitest.config.ts`. */
import { defineConfig } from "vitest/config";

/** No test depends on speed: this only ends a test that hangs. */
const FOREVER_MS = 1_800_000;

/** Every test runs twice: once with a process per event, once with the daemon. */
const story = (lane: "plain" | "fast") => ({
  test: {
    name: lane,
    include: ["test/client/*.test.ts"],
    env: { SEKISHO_LANE: lane },
    globalSetup: ["test/client/client.ts"],
    testTimeout: FOREVER_MS,
  },
});

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    globalSetup: ["test/global-setup.ts"],
    projects: [story("plain"), story("fast")],
    // Three hosts at a time: each has a home of its own, and a host waits for its model most of the time.
    maxWorkers: 3,
  },
});
