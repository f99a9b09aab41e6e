/** The stories with the real client: `vitest run --config test/client/vitest.config.ts`. */
import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ["test/client/*.test.ts"],
    globalSetup: ["test/client/client.ts"],
    // One client at a time: the stories measure behaviour, not how it bears a crowd.
    fileParallelism: false,
    testTimeout: 60_000,
  },
});
