import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findOrInstallBrowser } from "./lib/browser.mjs";
import { runChecks } from "./lib/checks.mjs";
import { findOrInstallKafka } from "./lib/kafka.mjs";
import { at, cache } from "./lib/paths.mjs";
import {
  add,
  countPlaywright,
  countReport,
  countVitest,
  failure,
  nothing,
  summary,
} from "./lib/reports.mjs";
import { runNode } from "./lib/run.mjs";
import { scratchEnvironment } from "./lib/scratchFolder.mjs";
import { prepare } from "./prepare.mjs";

const modules = (path) => at("node_modules", path);

async function runAllChecks() {
  heading("types, lint, import rules, unused code");
  return runChecks();
}

async function runVitest() {
  heading("unit and integration tests");
  await findOrInstallKafka();
  const report = freshReport("vitest.json");
  const code = await runNode([
    modules("vitest/vitest.mjs"),
    "run",
    "--reporter=default",
    `--reporter=${at(".tools/lib/standstillReporter.mjs")}`,
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  return countReport("unit and integration tests", report, countVitest, code);
}

async function runJourneys() {
  heading("browser journeys");
  const browser = await findOrInstallBrowser();
  if (browser === undefined) {
    console.error(
      "No Chromium: set HADAL_CHROMIUM to one, or install it (apt-get install chromium).",
    );
    return failure("browser journeys: no Chromium");
  }
  const report = freshReport("playwright.json");
  const code = await runNode([modules("@playwright/test/cli.js"), "test", "--reporter=list,json"], {
    cwd: at("e2e"),
    env: {
      ...{ HADAL_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      ...scratchEnvironment(),
    },
  });
  return countReport("browser journeys", report, countPlaywright, code);
}

function freshReport(name) {
  mkdirSync(join(cache, "reports"), { recursive: true });
  const file = join(cache, "reports", name);
  rmSync(file, { force: true });
  return file;
}

const heading = (name) => console.log(`\n━━ ${name} ${"━".repeat(Math.max(0, 76 - name.length))}`);

await prepare();
let total = nothing;
for (const step of [runAllChecks, runVitest, runJourneys]) total = add(total, await step());
process.exitCode = total.failed.length > 0 || total.passed === 0 ? 1 : 0;
console.log(`\n${summary(total)}`);
