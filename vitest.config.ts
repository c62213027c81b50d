import { defineConfig } from "vitest/config";

/** Unit and integration tests of every package; the browser journeys are Playwright's (e2e/). */
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["packages/**/*.test.ts", "apps/**/*.test.{ts,tsx}", ".tools/**/*.test.mjs"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
