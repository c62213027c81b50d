import { defineConfig } from "@playwright/test";
import { chromiumFlags } from "./fixtures/chromiumFlags.js";

/** Set by `.tools/test.mjs`; without it Playwright uses its own browser. */
const executablePath = process.env.HADAL_CHROMIUM;

export default defineConfig({
  testDir: "journeys",
  testMatch: "*.journey.ts",
  outputDir: "test-results",
  // Every worker runs a cluster: one per core of a small machine.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
    screenshot: "only-on-failure",
    launchOptions: {
      args: [...chromiumFlags],
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
});
