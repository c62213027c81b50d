import type { Page } from "@playwright/test";
import { chooseView } from "../fixtures/chooseView.js";
import { expect, test } from "../fixtures/test.js";

const chart = (page: Page) => page.getByTestId("chart");
const hasPeriodBefore = async (page: Page) => {
  await page.getByTestId("compare-picker").selectOption("previous");
  await expect(page.getByTestId("result")).toHaveAttribute("data-stale", "false");
};

test("U4, S91, S92: donut, percent area, treemap, flow and pivot table show one query, compare it, and drill down", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=table&agg=count&group=service`,
  );
  await expect(page.getByTestId("table-row").first()).toBeVisible();

  await test.step("donut: ten slices, the rest and the total", async () => {
    await chooseView(page, "pie");
    await expect(chart(page)).toHaveAttribute("data-slices", "11");
    await expect(page.getByTestId("whole")).toHaveText(/\d/);
    await hasPeriodBefore(page);
    await expect(page.getByText("The inner ring is the period before.")).toBeVisible();
  });

  await test.step("stacked area: percent of the total per minute", async () => {
    await chooseView(page, "area");
    await page.getByTestId("option-stack").selectOption("share");
    await expect(page.getByTestId("chart")).toHaveAccessibleName(
      /^Stacked area of count, % of all: web, /,
    );
  });

  await test.step("treemap: nested groups", async () => {
    await chooseView(page, "treemap");
    await expect(page.getByTestId("group-chip")).toHaveCount(2);
    await expect(chart(page)).toHaveAttribute("data-areas", /^\d{2}$/);
    await expect(page.getByTestId("scale-legend")).toBeVisible();
    await page.getByTestId("option-shape").selectOption("sunburst");
    await expect(chart(page)).toHaveAccessibleName(/^Sunburst of count/);
  });

  await test.step("flow: a click on a value opens its menu", async () => {
    await chooseView(page, "sankey");
    await expect(chart(page)).toHaveAttribute("data-nodes", /^1\d$/);
    // The first value of the first stage is below the names of the stages.
    await chart(page).click({ position: { x: 17, y: 34 } });
    await expect(page.getByTestId("value-menu")).toContainText("web");
    await page.keyboard.press("Escape");
  });

  await test.step("pivot: arrow keys move between cells, Enter opens the menu of both values", async () => {
    await chooseView(page, "pivot");
    // The first cell with rows, because not every service has every endpoint.
    const cells = page.getByTestId("pivot-row").first().getByRole("gridcell");
    const cell = cells.filter({ hasText: /\d.*%/ }).first();
    await expect(cell).toBeVisible();
    const before = (await cells.allTextContents()).findIndex((text) => /\d.*%/.test(text));
    await page.getByTestId("pivot").getByRole("columnheader").first().focus();
    await page.keyboard.press("ArrowDown");
    for (let i = 0; i <= before; i++) await page.keyboard.press("ArrowRight");
    await expect(cell).toBeFocused();
    await page.keyboard.press("Enter");
    await page.getByTestId("only-this").click();
    await expect(page.getByTestId("filter-chip")).toHaveCount(2);
  });
});

const usual = encodeURIComponent(
  JSON.stringify({ as: "pace", js: '(row) => (row.latency_us < 1e7 ? "usual" : "slow")' }),
);

test("U2, S93: a JavaScript function, countries colored by change, words by change", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=map&agg=count&compare=previous&filter=pace:eq:usual&derive=${usual}`,
  );
  await expect(chart(page)).toHaveAttribute("data-countries", /^[34]\d$/);
  await expect(page.getByTestId("scale-legend")).toContainText("A ÷ B");
  await page.getByTestId("unknown-countries").getByRole("button").click();
  await expect(page.getByTestId("value-menu")).toContainText("(missing)");
  await page.getByTestId("not-this").click();
  await expect(page.getByTestId("unknown-countries")).toHaveCount(0);

  await chooseView(page, "tags");
  const row = page.getByTestId("table-row").first();
  await expect(row.locator("svg path")).toHaveCount(2);
  await expect(row.locator('[data-part="delta_pct"]')).toHaveText(/%/);
  await row.getByRole("gridcell").first().click();
  await page.getByTestId("only-this").click();
  await expect(page.getByTestId("filter-chip").last()).toContainText("features includes any");

  await test.step("leaderboards: many columns at once, a click on a line drills down", async () => {
    await chooseView(page, "leaderboards");
    await expect(chart(page)).toHaveAttribute("data-boards", /^[4-9]$/);
    const service = page.getByRole("region", { name: "service", exact: true });
    await expect(service.getByTestId("board-line")).toHaveCount(8);
    await service.getByTestId("board-line").first().click();
    await page.getByTestId("only-this").click();
    await expect(page.getByTestId("filter-chip").last()).toContainText("service = ");
  });
});
