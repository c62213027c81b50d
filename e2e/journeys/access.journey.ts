import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { expect, test } from "../fixtures/test.js";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const options: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  // Only what is wrong is looked at: all else costs seconds.
  resultTypes: ["violations"],
};

/** What axe finds wrong, short enough to read in a failure. Axe comes with every page that is opened. */
async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (given) => (window as unknown as { axe: typeof import("axe-core") }).axe.run(given),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}

const explore = "/explore?v=1&table=requests&from=-3h&to=now&agg=count&group=service";
const screens = [
  ["time series", `${explore}&view=timeseries&compare=7d`, "legend"],
  ["table", `${explore}&view=table`, "result-table"],
  ["raw rows", `${explore}&view=rows`, "rows"],
  ["tables", "/tables", "tables"],
  ["a table", "/tables/requests", "columns"],
  ["functions", "/functions", "function-list"],
  ["a function", "/functions/covariance", "code-editor"],
  ["status", "/status", "members"],
] as const;

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: every screen passes WCAG 2.2 AA as far as axe can tell`, async ({
    page,
    hadal,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.addInitScript({ path: axeFile });
    for (const [name, path, testId] of screens) {
      await test.step(name, async () => {
        await page.goto(hadal.url + path);
        await expect(page.getByTestId(testId)).toBeVisible();
        expect(await faultsOf(page)).toEqual([]);
      });
    }
    await test.step("the palette and the sheet of keys", async () => {
      await page.keyboard.press("Control+k");
      await expect(page.getByTestId("palette")).toBeVisible();
      expect(await faultsOf(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await expect(page.getByTestId("keys-sheet")).toBeVisible();
      expect(await faultsOf(page)).toEqual([]);
    });
  });
}
