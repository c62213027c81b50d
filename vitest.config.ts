import { defineConfig } from "vitest/config";
import { scratchEnvironment } from "./.tools/lib/scratchFolder.mjs";

const conditions = ["source"];
/** Repeated in each project: its workers ignore those of the whole. */
const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  env: scratchEnvironment(),
  // Random tables outlive a young generation of the default size.
  execArgv: ["--max-semi-space-size=64", "--heap-growing-percent=300"],
};

/** Unit and integration tests of every package; the browser journeys are Playwright's (e2e/). */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        resolve: { conditions },
        ssr: { resolve: { conditions } },
        test: {
          name: "units",
          include: [
            "packages/**/*.test.ts",
            "apps/*/src/**/*.test.{ts,tsx}",
            "apps/*/bench/**/*.test.ts",
            ".tools/**/*.test.mjs",
          ],
          exclude: ["**/node_modules/**", "**/dist/**"],
          // Read as a text; all other style sheets are empty.
          css: { include: [/\.css\?raw$/] },
          // Modules are read once a worker: none of these tests changes what another one uses.
          isolate: false,
          ...shared,
        },
      },
      {
        resolve: { conditions },
        ssr: { resolve: { conditions } },
        test: {
          name: "program",
          include: ["apps/*/test/**/*.test.ts"],
          isolate: false,
          ...shared,
        },
      },
    ],
  },
});
