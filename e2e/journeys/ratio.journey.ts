import type { Page } from "@playwright/test";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const table = "calls";
const fromMs = Date.UTC(2026, 4, 13, 12);
/** Rows of a service, some of them failed. */
const services = { cart: [40, 10], web: [50, 5] } as const;
const rows = Object.entries(services).flatMap(([service, [count, failed]]) =>
  Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      time: fromMs + i * 60_000,
      service,
      status: i < failed ? 503 : 200,
      bytes: 8,
    }),
  ),
);

const rowOf = (page: Page, testId: string, service: string) =>
  page.getByTestId(testId).filter({ hasText: service });

/** Adds the condition `status >= 500` in the editor that the button opens. */
async function addCondition(page: Page, testId: string): Promise<void> {
  await page.getByTestId(testId).click();
  await page.keyboard.type("status");
  await page.keyboard.press("Enter");
  await page.getByTestId("filter-operator").selectOption("≥");
  await page.getByTestId("filter-value").locator("input").fill("500");
  await page.getByTestId("filter-apply").click();
}

test("an error rate is charted, and bytes per row", async ({ page }) => {
  const hadal = await startHadal({ leaves: 2, demoRows: 0 });
  try {
    await hadal.client.ingestBody(table, rows.join("\n"), { contentType: "application/x-ndjson" });
    const range = `from=${fromMs}&to=${fromMs + 3_600_000}`;
    await page.goto(
      `${hadal.url}/explore?v=1&table=${table}&${range}&tz=UTC&view=timeseries&group=service`,
    );

    await test.step("a share of the rows, over time and in percent", async () => {
      await page.getByTestId("add-ratio").click();
      await page.getByTestId("ratio-apply").click();
      await expect(page.getByTestId("ratio-editor")).toContainText("always 1");
      await addCondition(page, "ratio-of-where");
      await page.getByTestId("ratio-as").fill("errors");
      await page.getByTestId("ratio-apply").click();
      await expect(rowOf(page, "legend-row", "cart")).toContainText("25 %");
      await expect(rowOf(page, "legend-row", "web")).toContainText("10 %");
    });

    await test.step("one number by another, in every view, after a reload too", async () => {
      await page.getByTestId("add-ratio").click();
      await page.getByTestId("ratio-of").selectOption("sum bytes");
      await page.getByTestId("ratio-percent").uncheck();
      await page.getByTestId("ratio-apply").click();
      await page.goto(page.url().replace("view=timeseries", "view=table"));
      await expect(rowOf(page, "table-row", "cart")).toContainText("25 %");
      await expect(rowOf(page, "table-row", "web")).toContainText("8");
      await page.goto(page.url().replace("view=table", "view=bignumber"));
      await expect(page.getByTestId("big-number").nth(1)).toContainText("16.7 %");
    });

    await test.step("an aggregate with a condition", async () => {
      await page.goto(page.url().replace("view=bignumber", "view=table"));
      await page.getByTestId("add-aggregate").click();
      await page.getByTestId("aggregate-fn").selectOption("sum");
      await page.getByTestId("aggregate-column").selectOption("bytes");
      await addCondition(page, "aggregate-where");
      await page.getByTestId("aggregate-apply").click();
      await expect(rowOf(page, "table-row", "cart")).toContainText("80");
      await expect(rowOf(page, "table-row", "web")).toContainText("40");
    });

    await test.step("SQL shows the same query", async () => {
      await page.getByTestId("tab-sql").click();
      await expect(page.getByTestId("query-text")).toContainText("errors");
    });
  } finally {
    // An open page would reconnect to its server.
    await page.goto("about:blank");
    await hadal.stop();
  }
});
