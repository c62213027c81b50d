import { expect, test } from "../fixtures/test.js";

const query = "v=1&table=requests&from=-3h&to=now&view=timeseries&group=service&compare=7d";

test("on paper: the answer in light colors with a summary of the query, without the form", async ({
  page,
  hadal,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${hadal.url}/explore?${query}`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const root = page.locator("html");
  const summary = page.getByTestId("query-summary");
  await expect(root).toHaveAttribute("data-theme", "dark");
  await expect(summary).toBeHidden();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  await expect(root).toHaveAttribute("data-theme", "light");
  await expect(page.getByTestId("dive")).toBeHidden();
  await expect(summary).toHaveText("last 3 hours · now against 7 days earlier · Time series");
  await expect(page.getByTestId("status-line")).toBeVisible();
  await expect(page.getByTestId("legend-row").last()).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(root).toHaveAttribute("data-theme", "dark");
});

test("on a phone: a summary shows range, comparison and view, and a tap opens the form", async ({
  page,
  hadal,
}) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto(`${hadal.url}/explore?${query}`);
  const summary = page.getByTestId("query-summary");
  await expect(summary).toHaveText("last 3 hours · now against 7 days earlier · Time series");
  await expect(page.getByTestId("dive")).toBeHidden();
  await summary.click();
  await expect(page.getByTestId("dive")).toBeVisible();
});
