import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

let own: Hadal;
let readyMs: number;
test.beforeAll(async () => {
  const startedMs = performance.now();
  own = await startHadal({ leaves: 1, demoRows: 1_200_000, waitsForDemo: false });
  readyMs = performance.now() - startedMs;
});
test.afterAll(() => own.stop());

test("a first start prints its address at once; the page shows the demo's rows while their history is written, and how far it has come", async ({
  page,
}) => {
  const first = (await own.client.status()).demo;
  expect(first?.fraction).toBeLessThan(0.5);
  // A cluster of processes has to come up, nothing else; loading the rows takes longer than this.
  expect(readyMs).toBeLessThan(15_000);

  await page.goto(own.url);
  const progress = page.getByTestId("demo-progress");
  await expect(progress).toContainText(/\d+ % of the demo’s ten days are written/);
  // Rows, and a history that is not whole, at the same moment.
  await expect(page.getByTestId("result").locator("canvas").first()).toBeVisible();
  await expect(page.getByTestId("status-line")).toContainText(/rows/);
  await expect(progress).toBeVisible();

  // What is said is what is stored: rows of history, beside which live rows come.
  const { demo } = await own.client.status();
  const [table] = await own.client.tables();
  expect(demo?.fraction).toBeLessThan(1);
  expect(table?.name).toBe("requests");
  const shares: number[] = [];
  await expect
    .poll(
      async () => {
        const { demo: now } = await own.client.status();
        shares.push(now?.fraction ?? 0);
        return now?.fraction;
      },
      { timeout: 80_000 },
    )
    .toBe(1);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.length).toBeGreaterThan(2);
  await expect(progress).toHaveCount(0);
  await expect(page.getByTestId("guide-start")).toBeVisible();
});
