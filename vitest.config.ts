import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/e2e/**/*.test.ts", "test/*.test.ts"],
    testTimeout: 60_000,
    maxWorkers: 2,
    env: { NODE_EXTRA_CA_CERTS: "", LANG: "C.UTF-8", LC_ALL: "", SEKISHO_LANGUAGE: "" },
  },
});
