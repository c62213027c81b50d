import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { findOrInstallBrowser } from "./lib/browser.mjs";
import { at } from "./lib/paths.mjs";
import { runNode } from "./lib/run.mjs";
import { prepare } from "./prepare.mjs";

/** Measures the page in a real browser, against the real program with a demo table. */
const { values } = parseArgs({
  options: { json: { type: "string" }, rows: { type: "string", default: "1000000" } },
});
if (!/^[1-9]\d{3,8}$/.test(values.rows)) {
  console.error(`--rows ${values.rows}: a whole number from 1000 on.`);
  process.exit(2);
}
await prepare();
const browser = await findOrInstallBrowser();
if (browser === undefined) {
  console.error(
    "No Chromium: set HADAL_CHROMIUM to one, or install it (apt-get install chromium).",
  );
  process.exit(1);
}
process.exitCode = await runNode(
  [at("node_modules/@playwright/test/cli.js"), "test", "--config", "bench/playwright.config.ts"],
  {
    cwd: at("e2e"),
    env: {
      HADAL_CHROMIUM: browser,
      HADAL_BENCH_ROWS: values.rows,
      ...(values.json === undefined ? {} : { HADAL_BENCH_JSON: resolve(values.json) }),
    },
  },
);
