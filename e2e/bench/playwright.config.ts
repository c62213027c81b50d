import { defineConfig } from "@playwright/test";
import journeys from "../playwright.config.js";

/** Measures instead of judging: figures go to the reporter, nothing fails for being slow. */
export default defineConfig({
  ...journeys,
  testDir: ".",
  testMatch: "*.bench.ts",
  timeout: 600_000,
  reporter: [["line"], ["./webReport.ts"]],
});
