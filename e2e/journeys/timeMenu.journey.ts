import type { Page } from "@playwright/test";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const table = "pulse";
const minuteMs = 60_000;
const minutes = 30;
/** Rows of each minute. */
const perMinute = { Aachen: 10, Berlin: 50 };
const fromMs = Date.UTC(2026, 4, 13, 12);

const rows = Array.from({ length: minutes }, (_, minute) =>
  Object.entries(perMinute).flatMap(([city, count]) =>
    Array.from({ length: count }, (_, i) =>
      JSON.stringify({ time: fromMs + minute * minuteMs + i * 1_000, city }),
    ),
  ),
).flat();

/** Clicks in the middle of the time axis, at a distance from the top. */
async function clickAt(page: Page, topPx: number): Promise<void> {
  const box = await page.getByTestId("chart").boundingBox();
  if (box === null) throw new Error("there is no chart");
  await page.mouse.click(box.x + 64 + (box.width - 80) / 2, box.y + topPx);
}

test("a click on a chart over time selects the bucket and the line", async ({ page }) => {
  const hadal = await startHadal({ leaves: 1, demoRows: 0 });
  try {
    await hadal.client.ingestBody(table, rows.join("\n"), { contentType: "application/x-ndjson" });
    const range = `from=${fromMs}&to=${fromMs + minutes * minuteMs}`;
    const address = `${hadal.url}/explore?v=1&table=${table}&${range}&tz=UTC&view=timeseries&bucket=1m`;
    const menu = page.getByTestId("value-menu");
    const shown = page.getByTestId("result");

    await test.step("without groups: the rows of that minute", async () => {
      await page.goto(address);
      await expect(page.getByTestId("legend-row")).toHaveCount(1);
      await clickAt(page, 150);
      await expect(menu).toContainText("12:15 – 12:16");
      await expect(page.getByTestId("picked-time")).toBeVisible();
      await expect(page.getByTestId("not-this")).toContainText("not of times");
      await page.getByTestId("see-rows").click();
      await expect(page.getByTestId("picked-time")).toHaveCount(0);
      await expect(page).toHaveURL(/view=rows/);
      await expect(shown).toContainText("12:15:49");
      await expect(shown).not.toContainText(/12:1[46]:/);
    });

    await test.step("with groups: the rows of the nearest line", async () => {
      await page.goto(`${address}&group=city`);
      await expect(page.getByTestId("legend-row")).toHaveCount(2);
      // The axis ends at 50, the rows of Berlin.
      await clickAt(page, 36);
      await expect(menu).toContainText("Berlin, 13 May 12:15 – 12:16");
      await page.getByTestId("see-rows").click();
      await expect(page).toHaveURL(/view=rows/);
      await expect(shown).toContainText("Berlin");
      await expect(shown).not.toContainText("Aachen");
    });

    await test.step("by keyboard: a bucket, a line, and several buckets", async () => {
      await page.goto(`${address}&group=city`);
      await expect(page.getByTestId("legend-row")).toHaveCount(2);
      const chart = page.getByTestId("chart");
      await chart.focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowDown");
      await expect(chart).toContainText("13 May 12:01 – 12:02 UTC; Berlin 50");
      await page.keyboard.press("Enter");
      await expect(menu).toContainText("Berlin, 13 May 12:01 – 12:02");
      await page.keyboard.press("Escape");
      await chart.focus();
      await page.keyboard.press("End");
      await page.keyboard.press("Shift+ArrowLeft");
      await page.keyboard.press("Enter");
      await expect(menu).toContainText("13 May 12:28 – 12:30");
      await page.keyboard.press("Escape");
    });

    await test.step("Escape closes it and removes the mark", async () => {
      await page.goto(`${address}&group=city`);
      await expect(page.getByTestId("legend-row")).toHaveCount(2);
      await clickAt(page, 150);
      await expect(page.getByTestId("picked-time")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(menu).toHaveCount(0);
      await expect(page.getByTestId("picked-time")).toHaveCount(0);
      await expect(page).toHaveURL(/view=timeseries/);
    });
  } finally {
    // An open page would reconnect to its server.
    await page.goto("about:blank");
    await hadal.stop();
  }
});
