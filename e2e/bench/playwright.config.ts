import { defineConfig } from "@playwright/test";
import journeys from "../playwright.config.js";

/** Only measures: figures go to the reporter, and slow figures do not fail. */
export default defineConfig({
  ...journeys,
  testDir: ".",
  testMatch: "*.bench.ts",
  // A parallel test would change the measurement.
  workers: 1,
  timeout: 600_000,
  reporter: [["line"], ["./webReport.ts"]],
});
