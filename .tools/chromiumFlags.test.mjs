import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { chromiumFlags } from "../e2e/fixtures/chromiumFlags.ts";
import { at } from "./lib/paths.mjs";

const featuresOf = (text) => /--disable-features=(\S+)/.exec(text)[1].split(",");

test("the features that journeys turn off include those that Playwright does", async () => {
  const { chromium } = createRequire(at("e2e/package.json"))("@playwright/test");
  // Node.js is no browser: the error quotes the flags that it was started with.
  const failed = await chromium.launch({ executablePath: process.execPath }).catch(String);
  const ofPlaywright = featuresOf(failed);
  expect(ofPlaywright).toContain("PaintHolding");
  expect(featuresOf(chromiumFlags.join(" "))).toEqual(expect.arrayContaining(ofPlaywright));
});
