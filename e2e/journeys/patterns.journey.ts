import type { Page } from "@playwright/test";
import { logAddress, logLines, writeLog } from "../fixtures/logLines.js";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const [requests, refused, lost] = Object.keys(logLines.patterns) as [string, string, string];

const patternRow = (page: Page, pattern: string) =>
  page.getByTestId("table-row").filter({ hasText: pattern });

test("log lines: the message first, colored levels, grouped by pattern", async ({ page }) => {
  const hadal = await startHadal({ leaves: 2, demoRows: 0 });
  try {
    await writeLog(hadal);
    await page.goto(logAddress(hadal, "view=rows&limit=70"));

    await test.step("the message follows the time, and levels have a tone", async () => {
      const heads = page.getByTestId("rows").getByRole("columnheader");
      await expect(heads).toHaveText(["", "time ↓", "message", "level"]);
      const tones = page.getByTestId("rows").locator("[data-tone]");
      await expect(tones.first()).toHaveAttribute("data-tone", "accent");
      await expect(tones.first()).toHaveText("INFO");
    });

    await test.step("one click groups all matching rows, not only the shown ones", async () => {
      await page.getByTestId("see-patterns").click();
      await expect(page).toHaveURL(/view=tags/);
      await expect(page.getByTestId("table-row")).toHaveCount(3);
      for (const [pattern, count] of Object.entries(logLines.patterns)) {
        const row = patternRow(page, pattern);
        await expect(row.getByRole("gridcell").last()).toHaveText(String(count));
        await expect(row.locator("svg path")).toHaveCount(1);
      }
      await expect(patternRow(page, requests)).toContainText("79 %");
    });

    await test.step("a pattern's rows", async () => {
      await patternRow(page, lost).getByRole("gridcell").first().click();
      await page.getByTestId("see-rows").click();
      await expect(page.getByTestId("raw-row")).toHaveCount(6);
      await expect(page.getByTestId("filter-chip")).toContainText(lost);
      await expect(page.locator('[data-tone="bad"]').first()).toHaveText("ERROR");
      await page.goBack();
    });

    await test.step("by keys: rows without a pattern, and rows with it only", async () => {
      await patternRow(page, requests).getByRole("gridcell").first().click();
      await page.getByTestId("not-this").click();
      await expect(page.getByTestId("table-row")).toHaveCount(2);
      await patternRow(page, refused).getByRole("gridcell").first().focus();
      await page.keyboard.press("Enter");
      await page.getByTestId("only-this").press("Enter");
      await expect(page.getByTestId("table-row")).toHaveCount(1);
      await expect(patternRow(page, refused)).toContainText("100 %");
    });

    await test.step("compared: each pattern has its change, and a dotted line of side B", async () => {
      await page.goBack();
      await page.goBack();
      await expect(page.getByTestId("table-row")).toHaveCount(3);
      await page.goto(`${page.url()}&compare=previous`);
      const cells = patternRow(page, requests).getByRole("gridcell");
      await expect(cells).toContainText(["60", "30", "+30", "+100 %"]);
      await expect(patternRow(page, requests).locator("svg path")).toHaveCount(2);
    });
    await page.goto("about:blank");
  } finally {
    await hadal.stop();
  }
});
