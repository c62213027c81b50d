import { axeFile, faultsOf } from "../fixtures/axe.js";
import { expect, test } from "../fixtures/test.js";

const explore = "/explore?v=1&table=requests&from=-3h&to=now&agg=count&group=service";
const screens = [
  ["time series", `${explore}&view=timeseries&compare=7d`, "legend"],
  ["table", `${explore}&view=table`, "result-table"],
  ["raw rows", `${explore}&view=rows`, "rows"],
  ["tables", "/tables", "tables"],
  ["a table", "/tables/requests", "columns"],
  ["functions", "/functions", "function-list"],
  ["a function", "/functions/covariance", "code-editor"],
  ["no saved queries", "/saved", "empty-panel"],
  ["status", "/status", "members"],
  ["users", "/people", "users"],
  ["grants", "/people/grants", "grants"],
  ["tokens", "/people/tokens", "tokens"],
  ["the audit log", "/audit", "audit"],
] as const;

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: every screen passes the WCAG 2.2 AA checks of axe`, async ({
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
