import { defineConfig } from "@playwright/test";
import journeys from "../playwright.config.js";

/** Measures instead of judging: figures go to the reporter, nothing fails for being slow. */
export default defineConfig({
  ...journeys,
  testDir: ".",
  testMatch: "*.bench.ts",
  // What runs beside a measurement is measured too.
  workers: 1,
  timeout: 600_000,
  reporter: [["line"], ["./webReport.ts"]],
});
