import { chooseView } from "../fixtures/chooseView.js";
import { expect, test } from "../fixtures/test.js";

test("distribution: shapes per group, a brushed range is a filter, side B dotted", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries&group=service&compare=7d`,
  );
  await chooseView(page, "distribution");
  const chart = page.getByTestId("chart");
  await expect(chart).toHaveAttribute("aria-label", /Distribution of latency_us: .*web/);
  await expect(page.getByTestId("legend-row")).toHaveCount(5);
  await expect(page.getByTestId("legend")).toContainText("p95");
  await expect(page.getByTestId("legend")).toContainText("7 days earlier");

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

test("heatmap: cells by keyboard, a brushed box filters times and values", async ({
  page,
  hadal,
}) => {
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

test("compared heatmap: the legend has more, less and within the error bars", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=heatmap&compare=7d`,
  );
  await expect(page.getByTestId("ramp-legend")).toContainText("less");
  await expect(page.getByTestId("ramp-legend")).toContainText("within the error bars");
});

const address = (url: string, rest: string) =>
  `${url}/explore?v=1&table=requests&from=-3h&to=now&${rest}`;

test("percentiles: the tail over time, side B dotted, the whole range in the legend", async ({
  page,
  hadal,
}) => {
  await page.goto(address(hadal.url, "view=percentiles&compare=7d"));
  await expect(page.getByTestId("legend-row")).toHaveCount(5);
  await expect(page.getByTestId("legend")).toContainText("p99");
  await expect(page.getByTestId("legend")).toContainText("7 days earlier");
  await expect(page.getByTestId("chart")).toHaveAttribute("aria-label", /^Percentiles/);
});

test("scatter: a brushed box is a range of both numbers; few rows are dots", async ({
  page,
  hadal,
}) => {
  await page.goto(address(hadal.url, "view=scatter&group=service"));
  const chart = page.getByTestId("chart");
  await expect(chart).toHaveAttribute("aria-label", "Scatter of latency_us by bytes");
  await expect(page.getByTestId("ramp-legend")).toContainText("mostly");
  const box = await chart.boundingBox();
  if (box === null) throw new Error("no chart");
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.05);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.98, box.y + box.height * 0.3, { steps: 3 });
  await page.mouse.up();
  await page.getByTestId("only-this").click();
  await expect(page.getByTestId("filter-chip").first()).toContainText("bytes");
  await page.goto(
    address(hadal.url, "view=scatter&filter=status:eq:404&filter=service:eq:payments"),
  );
  await expect(page.getByTestId("ramp-legend")).toContainText("each dot is a row");
});

test("big numbers: with side B, error and the usual value", async ({ page, hadal }) => {
  await page.goto(address(hadal.url, "view=bignumber&agg=count&agg=p95:latency_us&compare=7d"));
  await expect(page.getByTestId("big-number")).toHaveCount(2);
  await expect(page.getByTestId("delta").first()).toContainText("7 days earlier");
  await expect(page.getByTestId("normal").first()).toContainText("days before");
  await page.getByTestId("big-number").first().getByRole("button").click();
  await expect(page.getByTestId("value-menu")).toBeVisible();
});

test("status history: thresholds from the form, a cell filters by its group and time", async ({
  page,
  hadal,
}) => {
  await page.goto(address(hadal.url, "view=status&group=service&compare=7d"));
  await expect(page.getByTestId("ramp-legend")).toContainText("thin row is 7 days earlier");
  await page.getByTestId("option-levels-text").fill("100, 1000");
  await page.getByTestId("option-levels-text").press("Enter");
  await expect(page.getByTestId("ramp-legend")).toContainText("from 1 k");
  await expect(page).toHaveURL(/opt=levels/);
  const box = await page.getByTestId("chart").boundingBox();
  if (box === null) throw new Error("no chart");
  await page.mouse.click(box.x + box.width * 0.6, box.y + 20);
  await page.getByTestId("only-this").click();
  await expect(page.getByTestId("filter-chip").first()).toContainText("service");
});

test("timeline: a key is chosen, and its rows are visited in order", async ({ page, hadal }) => {
  const chart = page.getByTestId("chart");
  const spans = page.getByTestId("span");
  const tip = page.getByTestId("tip");
  const whole = "Timeline of 1000 rows";
  await page.goto(address(hadal.url, "view=timeline"));
  await page.getByTestId("key-choice").getByRole("button").nth(1).click();
  await page.getByTestId("only-this").click();
  await expect(page.getByTestId("filter-chip")).toContainText("user_id");
  await expect(page.getByTestId("key-choice")).toHaveCount(0);
  await expect(chart).not.toHaveAttribute("aria-label", new RegExp(whole));
  await spans.first().focus();
  await page.keyboard.press("ArrowRight");
  await expect(tip).toContainText("after the first");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("value-menu")).toBeVisible();
  await page.keyboard.press("Escape");

  await test.step("the position is kept when another answer arrives", async () => {
    await page.goBack();
    await expect(chart).toHaveAttribute("aria-label", new RegExp(whole));
    await page.locator("[data-index='900']").focus();
    await expect(tip).toContainText("row 901");
    await page.goForward();
    await expect(chart).not.toHaveAttribute("aria-label", new RegExp(whole));
    const focused = page.locator("[data-testid='span']:focus");
    await expect(async () => {
      const index = Number(await focused.getAttribute("data-index", { timeout: 1_000 }));
      expect(await tip.textContent({ timeout: 1_000 })).toContain(`row ${index + 1}`);
    }).toPass({ timeout: 15_000 });
  });
});
