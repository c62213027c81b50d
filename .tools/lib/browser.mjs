import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { at } from "./paths.mjs";
import { run, runNode, say } from "./run.mjs";

const systemBrowsers = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * A browser for the journeys, installed where none is found; undefined when there is no way to one.
 */
export async function findOrInstallBrowser() {
  return findBrowser() ?? (await installBrowser());
}

function findBrowser() {
  const chosen = process.env.HADAL_CHROMIUM;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    say(`HADAL_CHROMIUM is ${chosen}, which is not there`);
    return undefined;
  }
  return [playwrightBrowser(), ...systemBrowsers].find(
    (path) => path !== undefined && existsSync(path),
  );
}

function playwrightBrowser() {
  const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
  return chromium.executablePath();
}

async function installBrowser() {
  if (process.env.HADAL_CHROMIUM) return undefined;
  say("no browser found; installing one for Playwright …");
  const playwright = at("node_modules/@playwright/test/cli.js");
  if ((await runNode([playwright, "install", "chromium"], { quiet: true })) === 0) {
    return findBrowser();
  }
  if (process.getuid?.() === 0) {
    say("Playwright's download failed; trying apt-get …");
    const installed =
      (await run("apt-get", ["update"], { quiet: true })) === 0 &&
      (await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
        quiet: true,
        env: { DEBIAN_FRONTEND: "noninteractive" },
      })) === 0;
    if (installed) return findBrowser();
  }
  return undefined;
}
