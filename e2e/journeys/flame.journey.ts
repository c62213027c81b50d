import { chooseView } from "../fixtures/chooseView.js";
import { expect, test } from "../fixtures/test.js";

test("U1, S94: from a table to its stacks: search, zoom, comparison with last week, filter by a frame", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=table&agg=count&group=service`,
  );
  await expect(page.getByTestId("result")).toHaveAttribute("data-final", "true");
  await chooseView(page, "flame");
  const chart = page.getByTestId("chart");
  await expect(chart).toHaveAttribute("data-drawn", /^\d{2,}$/);
  await expect(page.getByTestId("legend-row").first()).toContainText("main");

  await test.step("a search shows the number and the share of matching frames", async () => {
    await page.getByTestId("flame-search").fill("db.query");
    await expect(page.getByTestId("flame-matches")).toHaveText(/^\d+ frames · \d+(\.\d)? %$/);
    await page.getByTestId("flame-search").fill("");
  });

  await test.step("arrow keys move, Enter zooms in and out", async () => {
    await chart.focus();
    const item = chart.getByRole("treeitem");
    await expect(item).toHaveAccessibleName(/^all stacks: /);
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowDown");
    await expect(item).toHaveAccessibleName(/\.(get|post|put|delete)\w+: .* of all/);
    await page.keyboard.press("Enter");
    await page.getByTestId("zoom-out").click();
    await expect(page.getByTestId("zoom-out")).toHaveCount(0);
  });

  await test.step("the comparison colors frames that grew or shrank", async () => {
    await page.getByTestId("compare-picker").selectOption("7d");
    await expect(page.getByTestId("scale-legend")).toContainText("A ÷ B");
    await expect(
      page.getByTestId("legend").getByRole("columnheader", { name: "7 days earlier" }),
    ).toBeVisible();
  });

  await test.step("a click opens the menu, which makes a filter of the frame", async () => {
    // The third row: router.dispatch of all requests.
    await chart.click({ position: { x: 300, y: 70 } });
    await expect(page.getByTestId("value-menu")).toContainText("router.dispatch");
    await page.getByTestId("only-this").click();
    await expect(page.getByTestId("filter-chip")).toContainText("stack starts with main");
    await expect(page).toHaveURL(/view=flame/);
  });

  await test.step("back in the table the query is still grouped by service", async () => {
    await chooseView(page, "table");
    await expect(page.getByTestId("table-row").nth(3)).toBeVisible();
    await expect(page.getByTestId("group-chip")).toContainText("service");
  });
});
