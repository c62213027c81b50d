import type { Page } from "@playwright/test";
import { logAddress, logLines, writeLog } from "../fixtures/logLines.js";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const rangeOf = (page: Page): number[] =>
  ["from", "to"].map((end) => {
    const text = new URL(page.url()).searchParams.get(end) ?? "";
    return /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  });

/** Distance from the edges of the strip to its axis. */
const edgePx = { left: 64, right: 16 };

/** The position on the page of a share of the range. */
async function pixelAt(page: Page, share: number): Promise<{ x: number; y: number }> {
  const box = await page.getByTestId("rows-strip").boundingBox();
  if (box === null) throw new Error("no strip");
  const width = box.width - edgePx.left - edgePx.right;
  return { x: box.x + edgePx.left + width * share, y: box.y + box.height / 2 };
}

test("raw rows: a histogram over time, and the rows of a bucket", async ({ page }) => {
  const hadal = await startHadal({ leaves: 1, demoRows: 0 });
  const { fromMs } = logLines;
  try {
    await writeLog(hadal);
    await page.goto(logAddress(hadal, "view=rows&limit=20"));
    const strip = page.getByTestId("rows-strip");
    const chart = strip.getByTestId("chart");

    await test.step("its answer does not move the rows", async () => {
      const top = async () => (await page.getByTestId("rows").boundingBox())?.y;
      await expect(page.getByTestId("raw-row").first()).toBeVisible();
      const before = await top();
      await expect(chart).toBeVisible();
      expect(await top()).toBe(before);
    });

    await test.step("a click on a bucket shows its rows", async () => {
      const { x, y } = await pixelAt(page, 0.501);
      await page.mouse.click(x, y);
      await expect(page.getByTestId("raw-row")).toHaveCount(7);
      expect(rangeOf(page)).toEqual([fromMs + 30 * 60_000, fromMs + 30 * 60_000 + 30_000]);
      await page.goBack();
    });

    await test.step("keys do the same; the counts are of all rows, not only the shown ones", async () => {
      await expect(strip).toHaveAttribute("data-stale", "false");
      await expect(page.getByTestId("raw-row").nth(10)).toBeVisible();
      await chart.focus();
      await page.keyboard.press("Home");
      await expect(strip.locator("[aria-live]")).toContainText(/all rows 2$/);
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("raw-row")).toHaveCount(2);
      expect(rangeOf(page)).toEqual([fromMs, fromMs + 30_000]);
      await expect(strip).toHaveAttribute("data-stale", "false");
      await expect(chart).toBeFocused();
      await page.goBack();
    });

    await test.step("a drag zooms", async () => {
      await expect(strip).toHaveAttribute("data-stale", "false");
      await expect(page.getByTestId("raw-row").nth(10)).toBeVisible();
      const [from, to] = [await pixelAt(page, 0.205), await pixelAt(page, 0.455)];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 3 });
      await page.mouse.up();
      await expect(page.getByTestId("raw-row")).toHaveCount(16);
      expect(rangeOf(page)).toEqual([fromMs + 12 * 60_000, fromMs + 27.5 * 60_000]);
    });
    await page.goto("about:blank");
  } finally {
    await hadal.stop();
  }
});
