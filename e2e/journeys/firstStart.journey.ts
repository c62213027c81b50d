import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

let own: Hadal;
let readyMs: number;
test.beforeAll(async () => {
  const startedMs = performance.now();
  own = await startHadal({ leaves: 1, demoRows: 900_000, waitsForDemo: false });
  readyMs = performance.now() - startedMs;
});
test.afterAll(() => own.stop());

/** Waits until the history is written; the shares of it that the status showed meanwhile. */
async function written(): Promise<readonly number[]> {
  const shares: number[] = [];
  await expect
    .poll(
      async () => {
        const { demo } = await own.client.status();
        shares.push(demo?.fraction ?? 0);
        return demo?.fraction;
      },
      { timeout: 80_000 },
    )
    .toBe(1);
  return shares;
}

test("a first start prints its address at once; the page shows rows and the progress while the demo's history is written", async ({
  page,
}) => {
  const first = (await own.client.status()).demo;
  expect(first?.fraction).toBeLessThan(0.5);
  // Enough to start the processes, but less than writing the history takes.
  expect(readyMs).toBeLessThan(15_000);

  await page.goto(own.url);
  const progress = page.getByTestId("demo-progress");
  await expect(progress).toContainText(/\d+ % of the demo’s ten days are written/);
  // Rows and an incomplete history at the same time.
  await expect(page.getByTestId("result").locator("canvas").first()).toBeVisible();
  await expect(page.getByTestId("status-line")).toContainText(/rows/);
  await expect(progress).toBeVisible();

  // The progress matches the stored rows of the history; live rows are also stored.
  const { demo } = await own.client.status();
  const [table] = await own.client.tables();
  expect(demo?.fraction).toBeLessThan(1);
  expect(table?.name).toBe("requests");
  const shares = await written();
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.length).toBeGreaterThan(2);
  await expect(progress).toHaveCount(0);
  await expect(page.getByTestId("guide-start")).toBeVisible();
});

test("the guide zooms to the newest incident, ends at its cause, and can be reopened", async ({
  page,
}) => {
  // The last hour has as many rows as live data, and always has an incident.
  await written();
  await page.goto(own.url);
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
  // The cause: what most failed rows of the service share, and their message.
  const words = (await guide.textContent()) ?? "";
  const [, share, version, country] =
    /(\d+) % of them are version (\S+) in (\w+)/.exec(words) ?? [];
  expect(Number(share)).toBeGreaterThan(50);
  const message = /the message “(.*)”/.exec(words)?.[1] ?? "";
  // Messages of incidents name the cause; those of ordinary failures name an upstream.
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
