/** The stories with the real client: `vitest run --config test/client/vitest.config.ts`. */
import { defineConfig } from "vitest/config";

/** Every story is played twice: once with a process for every event, once with the gatehouse. */
const story = (lane: "plain" | "fast") => ({
  test: {
    name: lane,
    include: ["test/client/*.test.ts"],
    env: { SEKISHO_LANE: lane },
    globalSetup: ["test/client/client.ts"],
    testTimeout: 60_000,
    sequence: { groupOrder: lane === "plain" ? 0 : 1 },
    fileParallelism: false,
  },
});

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    projects: [story("plain"), story("fast")],
    // One client at a time: the stories measure behaviour, not how it bears a crowd.
    fileParallelism: false,
    maxWorkers: 1,
  },
});
