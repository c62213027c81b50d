import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { chooseView } from "../fixtures/chooseView.js";
import { expect, test } from "../fixtures/test.js";

/** The parameters of the address, which contain the state of the screen. */
const parameters = (page: Page) => new URL(page.url()).searchParams;

/** The name of a legend entry, from its first cell. */
const nameOf = async (page: Page, row: number): Promise<string> => {
  const cell = page.getByTestId("legend-row").nth(row).getByRole("gridcell").first();
  return ((await cell.textContent()) ?? "").trim();
};

test("S90, S93, S94, S98: open, compare with last week, click into a group, see its rows, reload, go back", async ({
  page,
  hadal,
}) => {
  await test.step("a fresh page shows the demo table's last hours by service", async () => {
    await page.goto(hadal.url);
    await expect(page.getByTestId("table-picker")).toContainText("requests");
    await expect(page.getByTestId("status-line")).toContainText(/100 % of rows · .*2\/2 leaves/);
    await expect(page.getByTestId("status-line")).toHaveAttribute("data-incomplete", "false");
    await expect(page.getByTestId("result").locator("canvas").first()).toBeVisible();
    await expect(page.getByTestId("legend-row")).toHaveCount(10);
  });

  await test.step("the same hours of last week are compared", async () => {
    await page.getByTestId("compare-picker").selectOption("7d");
    await expect(page).toHaveURL(/compare=7d/);
    const legend = page.getByTestId("legend");
    await expect(
      legend.getByRole("columnheader", { name: "7 days earlier" }).first(),
    ).toBeVisible();
    const change = page.getByTestId("legend-row").first().locator('[data-part="delta_pct"]');
    await expect(change.first()).toHaveText(/[+−-]?\d.*%/);
    const before = page.getByTestId("legend-row").first().locator('[data-part="compare"]');
    await expect(before.first()).toHaveText(/\d/);
  });

  const service = await nameOf(page, 0);
  await test.step("a click on a legend entry filters by its group", async () => {
    await page.getByTestId("legend-row").first().getByRole("gridcell").first().click();
    await expect(page.getByTestId("value-menu")).toBeVisible();
    await page.getByTestId("only-this").click();
    await expect(page.getByTestId("filter-chip")).toContainText(service);
    await expect(page.getByTestId("breadcrumb")).toContainText(service);
    await expect(page.getByTestId("legend-row")).toHaveCount(1);
    expect(parameters(page).get("filter")).toBe(`service:eq:${service}`);
  });

  await test.step("raw rows are those of the group", async () => {
    await chooseView(page, "rows");
    await expect(page).toHaveURL(/view=rows/);
    const rows = page.getByTestId("rows");
    await expect(rows.getByRole("row").nth(5)).toBeVisible();
    await page.getByTestId("unfold").first().click();
    const detail = page.getByTestId("row-detail");
    await expect(detail).toContainText("app_version");
    await expect(detail.locator("div", { hasText: /^service/ }).first()).toContainText(service);
  });

  const asked = page.url();
  await test.step("a reload keeps everything", async () => {
    await page.reload();
    await expect(page.getByTestId("rows").getByRole("row").nth(5)).toBeVisible();
    await expect(page.getByTestId("filter-chip")).toContainText(service);
    expect(page.url()).toBe(asked);
    expect(parameters(page).get("compare")).toBe("7d");
  });

  await test.step("Back undoes step by step", async () => {
    await page.goBack();
    await expect(page.getByTestId("legend-row")).toHaveCount(1);
    expect(parameters(page).get("view")).toBe("timeseries");
    await expect(page.getByTestId("compare-picker")).toHaveValue("7d");
    await page.goBack();
    await expect(page.getByTestId("filter-chip")).toHaveCount(0);
    await expect(page.getByTestId("legend-row")).toHaveCount(10);
    await page.goBack();
    await expect(page.getByTestId("compare-picker")).toHaveValue("off");
  });
});

test("lines over time: the tooltip shows the pointed values, and a saved picture has all lines", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries&agg=count&agg=p95:latency_us&group=service`,
  );
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const chart = page.getByTestId("chart");
  const box = await chart.boundingBox();
  if (box === null) throw new Error("there is no chart");
  const tooltip = chart.locator(".chart-tooltip");
  await test.step("each panel shows its own numbers", async () => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 4);
    await expect(tooltip.getByRole("columnheader", { includeHidden: true }).last()).toHaveText(
      "count",
    );
    await page.mouse.move(box.x + box.width / 2, box.y + (box.height * 3) / 4);
    await expect(tooltip).toContainText("p95 latency_us");
    await page.mouse.move(box.x + box.width / 2, box.y - 20);
    await expect(tooltip).toHaveCount(0);
  });
  await test.step("the picture has a line for each group and number", async () => {
    const groups = await page.getByTestId("legend-row").count();
    await page.getByTestId("share").click();
    const download = page.waitForEvent("download");
    await page.getByTestId("share-svg").click();
    const svg = await readFile(await (await download).path(), "utf8");
    expect(svg.match(/<path [^>]*stroke-width="1.6"/g)?.length).toBeGreaterThanOrEqual(2 * groups);
    expect(svg).toContain(">p95 latency_us</text>");
  });
});
