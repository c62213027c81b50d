import { expect, test } from "../fixtures/test.js";

test("distribution: shapes per group, a brushed range is a filter, side B dotted", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries&group=service&compare=7d`,
  );
  await page.getByTestId("view-distribution").click();
  const chart = page.getByTestId("chart");
  await expect(chart).toHaveAttribute("aria-label", /Distribution of latency_us: .*web/);
  await expect(page.getByTestId("legend-row")).toHaveCount(5);
  await expect(page.getByTestId("legend")).toContainText("p95");
  await expect(page.getByTestId("legend")).toContainText("was");

  const box = await chart.boundingBox();
  if (box === null) throw new Error("no chart");
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
  await expect(page.getByTestId("tip")).toContainText("latency_us");
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.5, { steps: 3 });
  await page.mouse.up();
  await page.getByTestId("only-this").click();
  await expect(page.getByTestId("filter-chip")).toHaveCount(2);
  await expect(page).toHaveURL(/group=service/);
  await expect(page).toHaveURL(/view=distribution/);
});

test("heatmap: cells by keys alone, a box is its times and values", async ({ page, hadal }) => {
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=heatmap`);
  const chart = page.getByTestId("chart");
  await expect(chart).toHaveAttribute("aria-label", "Heatmap of count by time and latency_us");
  await expect(page.getByTestId("ramp-legend")).toContainText("count");
  await chart.focus();
  for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown"]) {
    await page.keyboard.press(key);
  }
  await expect(page.getByTestId("brush")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("value-menu")).toBeVisible();
  await page.getByTestId("only-this").click();
  await expect(page.getByTestId("filter-chip").first()).toContainText("latency_us");
  await expect(page).toHaveURL(/from=20\d\d-/);
});

test("heatmap compared: what is more and what is less", async ({ page, hadal }) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=heatmap&compare=7d`,
  );
  await expect(page.getByTestId("ramp-legend")).toContainText("less");
  await expect(page.getByTestId("ramp-legend")).toContainText("within the error bars");
});
