import { addToFilterLine } from "../fixtures/addToFilterLine.js";
import { expect, test } from "../fixtures/test.js";

test("S94, C17: raw rows: matches are marked, details filter and compare, columns are chosen", async ({
  page,
  hadal,
}) => {
  // A past range, so that the rows do not move.
  const hoursAgo = (hours: number): string =>
    new Date(Date.now() - hours * 3_600_000).toISOString();
  const range = `from=${hoursAgo(72)}&to=${hoursAgo(1)}`;
  const address = `/explore?v=1&table=requests&${range}&view=rows&filter=message:present`;
  await page.goto(`${hadal.url}${address}`);
  const rows = page.getByTestId("rows");
  await expect(page.getByTestId("raw-row").first()).toBeVisible();

  await test.step("the searched text is marked, and shown as text", async () => {
    // Messages of requests contain the word, those of probes do not.
    const word = "req=";
    await addToFilterLine(page, `"${word}"`);
    await expect(rows.locator("mark").first()).toHaveText(word);
  });
  await test.step("only columns with different values; all on request", async () => {
    await page.getByTestId("option-columns").selectOption("all");
    await expect(rows.getByRole("columnheader", { name: "sample_rate" })).toHaveCount(1);
    await page.getByTestId("option-columns").selectOption("differing");
    await expect(rows.getByRole("columnheader", { name: "time" })).toBeVisible();
  });
  await test.step("a row expands to its values; another row is compared with it", async () => {
    await page.getByTestId("unfold").first().click();
    const detail = page.getByTestId("row-detail");
    await expect(detail.first()).toContainText("service");
    await page.getByTestId("row-base").first().click();
    await page.getByTestId("unfold").nth(1).click();
    await expect(page.locator("[data-differs=true]").first()).toContainText("time");
  });
  await test.step("one click on a value filters by it", async () => {
    const detail = page.getByTestId("row-detail").first();
    await detail.getByRole("button", { name: "Only rows with this service" }).click();
    await expect(page.getByTestId("filter-chip").last()).toContainText("service =");
    await expect(page.getByTestId("result")).toHaveAttribute("data-final", "true");
  });
  await test.step("rows around a row are those of the same seconds", async () => {
    const around = page.getByTestId("row-around").first();
    // The rows of the filter close what was open when they come.
    await expect(async () => {
      if (!(await around.isVisible())) await page.getByTestId("unfold").first().click();
      await around.click({ timeout: 2_000 });
    }).toPass();
    const { searchParams } = new URL(page.url());
    const [from, to] = ["from", "to"].map((key) => Date.parse(searchParams.get(key) ?? ""));
    expect((to ?? 0) - (from ?? 0)).toBe(20_000);
  });
  await test.step("live rows pause while the pointer is on them, with the number of new rows", async () => {
    await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=rows&live=1`);
    const first = page.locator('[data-cell="0:1"]');
    await expect(first).toBeVisible();
    await first.hover();
    const seen = (await first.textContent()) ?? "";
    const paused = page.getByTestId("tail-paused");
    await expect(async () => {
      await page.keyboard.press("Enter");
      await expect(paused).toContainText(/Paused · (at least )?\d+ new rows?/, { timeout: 1_000 });
    }).toPass();
    await expect(first).toHaveText(seen);
    await paused.click();
    await expect(first).not.toHaveText(seen);
  });
  await test.step("chosen columns are in the address", async () => {
    await page.goto(`${hadal.url}${address}`);
    await page.getByTestId("add-column").click();
    await page.keyboard.type("device");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/column=device/);
    await expect(rows.getByRole("columnheader", { name: "device" })).toBeVisible();
    await expect(rows.getByRole("columnheader", { name: "country" })).toHaveCount(0);
  });
});

test("a number of a raw row is filtered by its value, even when other views group it into ranges", async ({
  page,
  hadal,
}) => {
  const address = "view=rows&group=bucket(latency_us:log)&column=time&column=latency_us";
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&${address}`);
  const row = page.getByTestId("raw-row").first();
  await row.getByRole("gridcell").nth(2).click();
  await page.getByTestId("only-this").click();
  await expect(page).toHaveURL(/filter=latency_us:eq:\d+/);
});
