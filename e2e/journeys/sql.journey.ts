import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.js";

const start =
  "/explore?v=1&table=requests&from=-3h&to=now&view=table&group=service&filter=status:ge:500";

async function write(page: Page, text: string): Promise<void> {
  await page.getByTestId("query-text").locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  // Pasted, because typed text is completed.
  await page.keyboard.insertText(text);
  await page.keyboard.press("Control+Enter");
}
const range = "WHERE time >= now() - INTERVAL '3 hours' AND time < now()";

test("the query as SQL and JSON, both ways, without loss", async ({ page, hadal }) => {
  await page.goto(`${hadal.url}${start}`);
  const editor = page.getByTestId("query-text");

  await test.step("the form as SQL", async () => {
    await page.getByTestId("tab-sql").click();
    await expect(editor).toContainText("status >= 500");
    await expect(editor).toContainText("GROUP BY service");
  });
  await test.step("a wrong word is marked with the nearest name", async () => {
    await write(page, `SELECT cuontry, count(*) FROM requests ${range} GROUP BY cuontry`);
    const faults = page.getByTestId("query-faults");
    await expect(faults).toContainText(/Line 1, column \d+: .*country/);
    await expect(editor.locator(".cm-lintRange-error").first()).toHaveText("cuontry");
  });
  await test.step("the corrected query runs; what the view adds is shown", async () => {
    await write(page, `SELECT country, count(*) FROM requests ${range} GROUP BY country`);
    await expect(page.getByTestId("query-faults")).toHaveCount(0);
    await expect(page.getByTestId("query-added")).toContainText("LIMIT 100");
    await expect(page.getByTestId("result")).toHaveAttribute("data-final", "true");
    await expect(page).toHaveURL(/group=country/);
  });
  await test.step("the form shows the SQL query", async () => {
    await page.getByTestId("tab-form").click();
    await expect(page.getByTestId("group-chip")).toContainText("country");
    await expect(page.getByTestId("filter-chip")).toHaveCount(0);
  });
  await test.step("names are completed", async () => {
    await page.getByTestId("tab-sql").click();
    await editor.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" laten");
    await expect(editor.locator(".cm-tooltip-autocomplete")).toContainText("latency_us");
    await page.keyboard.press("Escape");
    await page.getByTestId("query-revert").click();
  });
  await test.step("an offset has no field in the form: the query runs as written", async () => {
    await write(
      page,
      `SELECT service, device, count(*) FROM requests ${range} GROUP BY service, device ORDER BY count DESC, service LIMIT 5 OFFSET 1`,
    );
    await expect(page.getByTestId("query-as-written")).toBeVisible();
    const table = page.getByTestId("query-table");
    await expect(table.getByTestId("query-row")).toHaveCount(5);
    await expect(page).toHaveURL(/view=query/);
    await page.reload();
    await expect(table.getByRole("columnheader")).toHaveText([
      "service",
      "device",
      "count",
      "count.raw",
    ]);
    await page.getByTestId("edit-as-written").click();
    await expect(editor).toContainText("OFFSET 1");
  });
  await test.step("JSON: a fault at its position, then an answer", async () => {
    await page.getByTestId("tab-json").click();
    const query = { table: "requests", from: "-3h", to: "now", groupBy: ["device"], limit: 5 };
    const aggregates = [{ fn: "count" }];
    await write(page, JSON.stringify({ ...query, aggregates: [{ fn: "cuont" }] }));
    await expect(page.getByTestId("query-faults")).toContainText("count");
    await write(page, JSON.stringify({ ...query, aggregates }));
    await expect(page).toHaveURL(/group=device/);
    await expect(page).toHaveURL(/limit=5/);
  });
});
