import type { Page } from "@playwright/test";
import { addToFilterLine } from "../fixtures/addToFilterLine.js";
import { expect, test } from "../fixtures/test.js";

const start = "/explore?v=1&table=requests&from=-3h&to=now&view=table&group=service";
const parameters = (page: Page) => new URL(page.url()).searchParams;
const chip = (page: Page, text: string) =>
  page.getByTestId("filter-chip").filter({ hasText: text });
const openChip = (page: Page, text: string) => chip(page, text).getByRole("button").first().click();
/** Opens a filter and waits for its values, because they change the size of the editor. */
const openEditor = async (page: Page, text: string) => {
  await openChip(page, text);
  const values = page.getByTestId("filter-value").getByRole("option");
  await expect(values.first()).toBeVisible();
};

test("filters: a pasted list, turned off, inverted, pinned, as SQL, to side B, and cleared", async ({
  page,
  hadal,
}) => {
  await page.goto(`${hadal.url}${start}`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");

  await test.step("a pasted list of values is one filter with a share of the rows", async () => {
    await page.getByTestId("add-filter").click();
    await page.keyboard.type("country");
    await page.keyboard.press("Enter");
    const value = page.getByTestId("filter-value").locator("input");
    await value.evaluate((input) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", "DE\nFR, IT");
      input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await page.getByTestId("filter-apply").click();
    expect(parameters(page).get("filter")).toBe("country:in:DE,FR,IT");
    await expect(chip(page, "country in DE, FR, IT")).toContainText(/\d %/);
  });

  await test.step("turned off, inverted and pinned", async () => {
    await openEditor(page, "country");
    await page.getByTestId("filter-off").click();
    await expect(page).toHaveURL(/off=country/);
    await openEditor(page, "country");
    await page.getByTestId("filter-off").click();
    await openEditor(page, "country");
    await page.getByTestId("filter-invert").click();
    await expect(page).toHaveURL(/filter=any\(country:nin/);
    await expect(chip(page, "country not in DE, FR, IT or missing")).toHaveCount(1);
    await openEditor(page, "country");
    await expect(page.getByTestId("filter-or-missing")).toBeChecked();
    await page.getByTestId("filter-pin").click();
    await expect(page).toHaveURL(/pin=any\(country:nin/);
  });

  await test.step("a condition in SQL, and its fault in place", async () => {
    await addToFilterLine(page, "time");
    await openEditor(page, "message contains time");
    await page.getByTestId("filter-sql").click();
    const text = page.getByTestId("condition-text");
    await expect(text).toHaveValue(/message CONTAINS 'time'/);
    await text.fill("status >= 500 ORR service = 'cart'");
    await page.getByTestId("condition-apply").click();
    await expect(page.getByRole("alert").filter({ hasText: "Line 1" })).toBeVisible();
    await text.fill("status >= 500 OR service = 'cart'");
    await page.getByTestId("condition-apply").click();
    await expect(page).toHaveURL(/any\(status:ge:500\|service:eq:cart\)/);
  });

  await test.step("to side B, beside the other filters", async () => {
    await openChip(page, "status ≥ 500");
    await page.getByTestId("filter-side-b").click();
    await expect(page.getByTestId("compare-chip")).toHaveCount(2);
  });

  await test.step("clearing keeps pinned filters, and undo restores all", async () => {
    await addToFilterLine(page, "retry");
    await page.getByTestId("clear-filters").click();
    await expect(page.getByTestId("filter-chip")).toHaveCount(1);
    await page.goBack();
    await expect(page.getByTestId("filter-chip")).toHaveCount(3);
  });
});

test("groups: elements, ranges, order, chips between the lists, conditions, a derived column", async ({
  page,
  hadal,
}) => {
  await page.goto(`${hadal.url}${start}`);
  const groups = page.getByTestId("group-chip");
  await test.step("a set is grouped by its elements", async () => {
    await page.getByTestId("add-group").click();
    await page.keyboard.type("features");
    await page.keyboard.press("Enter");
    await expect(groups.nth(1)).toContainText("each of features");
  });
  await test.step("a number by ranges whose width is suggested", async () => {
    await page.getByTestId("add-group").click();
    await page.keyboard.type("latency_us");
    await page.keyboard.press("Enter");
    await expect(groups.nth(2)).toContainText("log scale");
    await groups.nth(2).getByRole("button").first().click();
    await page.getByTestId("group-way-steps").check();
    await page.getByTestId("group-editor").getByRole("button", { name: /ms$/ }).first().click();
    await expect(page.getByTestId("group-steps")).toHaveValue(/^\d+$/);
    await page.getByTestId("group-apply").click();
    await expect(page).toHaveURL(/group=bucket\(latency_us:width=\d+\)/);
  });
  await test.step("chips are moved by keys and by dragging", async () => {
    await groups.nth(2).getByRole("button").first().press("Alt+ArrowUp");
    await expect(groups.nth(1)).toContainText("latency_us");
    await groups.nth(2).dragTo(groups.nth(0));
    await expect(groups.nth(0)).toContainText("features");
    await groups.filter({ hasText: "service" }).dragTo(page.getByTestId("add-filter"));
    await expect(page.getByTestId("filter-editor")).toContainText("service");
    await page.keyboard.press("Escape");
  });
  await test.step("groups are filtered by their aggregates", async () => {
    await page.getByTestId("add-having").click();
    await page.getByTestId("having-column").selectOption("count");
    await page.getByTestId("having-value").fill("10");
    await page.getByTestId("having-apply").click();
    await expect(page).toHaveURL(/having=count:gt:10/);
  });
  await test.step("a derived column is a column like any other", async () => {
    await page.getByTestId("add-derive").click();
    await page.getByTestId("derive-name").fill("slow");
    await page
      .getByTestId("derive-text")
      .fill("CASE WHEN latency_us > 50000 THEN 'slow' ELSE 'ok' END");
    await page.getByTestId("derive-apply").click();
    const facet = page.getByTestId("facet").filter({ hasText: "slow" });
    await expect(facet.getByTestId("facet-distinct")).toHaveText("2");
    await facet.getByRole("button", { name: "Filter by slow" }).click();
    const values = page.getByTestId("filter-value").getByRole("option");
    await expect(values.filter({ hasText: /^ok/ })).toContainText("%");
    await page.keyboard.press("Escape");
    for (let left = await groups.count(); left > 0; left--) {
      await groups.first().getByRole("button").first().press("Delete");
      await expect(groups).toHaveCount(left - 1);
    }
    await page.getByTestId("add-group").click();
    await page.getByTestId("group-column").getByRole("option", { name: "slow" }).click();
    await expect(page.getByTestId("result")).toContainText("ok");
  });
});
