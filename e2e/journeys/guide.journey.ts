import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

test.describe("the guided incident", () => {
  let dense: Hadal;
  test.beforeAll(async ({ browserName: _ }, info) => {
    info.setTimeout(180_000);
    // Its last hour is as dense as live rows: an hour always has an incident.
    dense = await startHadal({ leaves: 1, demoRows: 700_000, readyMsMax: 150_000 });
  });
  test.afterAll(() => dense.stop());

  test("zooms to the newest incident, ends at its cause, and can be opened again", async ({
    page,
  }) => {
    await page.goto(dense.url);
    await page.getByTestId("guide-start").click();
    const guide = page.getByTestId("guide");
    const views = ["timeseries", "timeseries", "changes", "flame", "rows"];
    for (const [i, view] of views.entries()) {
      await expect(guide).toContainText(`${i + 1} of 5`);
      await expect(page).toHaveURL(new RegExp(`view=${view}`));
      await expect(page.getByTestId("result")).toHaveAttribute("data-view", view);
      const { searchParams } = new URL(page.url());
      const [fromMs = 0, toMs = 0] = ["from", "to"].map((name) =>
        Date.parse(searchParams.get(name) ?? ""),
      );
      expect(toMs - fromMs).toBeLessThan(40 * 60_000);
      expect(fromMs).toBeGreaterThan(Date.now() - 4 * 3_600_000);
      if (i < 4) await page.getByTestId("guide-next").click();
    }
    // The cause is what most of the failed rows of the service have in common, and what they say.
    const words = (await guide.textContent()) ?? "";
    const [, share, version, country] =
      /(\d+) % of them are version (\S+) in (\w+)/.exec(words) ?? [];
    expect(Number(share)).toBeGreaterThan(50);
    const message = /say: “(.*)”/.exec(words)?.[1] ?? "";
    // The demo's own causes name what is at fault; the usual failures name an upstream.
    expect(message).toMatch(/tax rates|address parser|consent store|edge directory|locale bundle/);
    await expect(page.getByTestId("result")).toContainText(message.slice(0, 10));
    await expect(page).toHaveURL(
      new RegExp(`filter=app_version.*${version}.*filter=country.*${country}`),
    );

    await page.getByTestId("guide-next").click();
    await expect(guide).toHaveCount(0);
    await page.reload();
    await expect(page.getByTestId("result")).toBeVisible();
    await expect(guide).toHaveCount(0);
    await page.getByTestId("guide-open").press("Enter");
    await page.getByTestId("guide-start").click();
    await expect(guide).toContainText("1 of 5");
    await page.getByRole("button", { name: "Close the guide" }).click();
    await expect(guide).toHaveCount(0);
  });
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
