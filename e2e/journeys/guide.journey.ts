import { expect, test } from "../fixtures/test.js";

test("newcomers are led from a spike to its rows in five steps, once", async ({ page, hadal }) => {
  await page.goto(hadal.url);
  await page.getByTestId("guide-start").click();
  const views = ["timeseries", "timeseries", "changes", "flame", "rows"];
  for (const [i, view] of views.entries()) {
    await expect(page.getByTestId("guide")).toContainText(`${i + 1} of 5`);
    await expect(page).toHaveURL(new RegExp(`view=${view}`));
    await expect(page.getByTestId("result")).toHaveAttribute("data-view", view);
    await page.getByTestId("guide-next").click();
  }
  await expect(page.getByTestId("guide")).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId("result")).toBeVisible();
  await expect(page.getByTestId("guide")).toHaveCount(0);
});

test("what is on the screen is saved as a picture", async ({ page, hadal }) => {
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries`);
  await expect(page.getByTestId("result").locator("canvas").first()).toBeVisible();
  await page.getByTestId("share").click();
  const saved = page.waitForEvent("download");
  await page.getByTestId("share-png").click();
  const stream = await (await saved).createReadStream();
  const head = await new Promise<Buffer>((resolve) => stream.once("data", resolve));
  expect(head.subarray(1, 4).toString()).toBe("PNG");
});
