import type { Hadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const table = "shop";
const rowCount = 9_000;
const newestMs = Date.UTC(2026, 10, 20, 12);
const stepMs = 200;
/** The incident is in the last ten of thirty minutes. */
const incidentMs = newestMs - 600_000;

/** A few errors everywhere; in the last minutes the cart in Germany fails, waiting for a lock. */
async function fill({ client }: Hadal): Promise<void> {
  const services = ["web", "cart", "search"];
  const countries = ["US", "DE", "FR", "JP"];
  const lines = Array.from({ length: rowCount }, (_, i) => {
    const time = newestMs - i * stepMs;
    const service = services[i % 3];
    const country = countries[Math.floor(i / 3) % 4];
    const isHit = time >= incidentMs && service === "cart" && country === "DE";
    const status = isHit || i % 20 === 7 ? 500 : 200;
    const stack = status === 200 ? null : ["main", isHit ? "lock.wait" : "db.query"];
    return JSON.stringify({ time, service, country, status, stack, request_id: `r-${i}` });
  });
  await client.ingestBody(table, lines.join("\n"), { contentType: "application/x-ndjson" });
}

/** Revenue by country and kind of ad; in the last minutes videos in Germany have none. */
async function fillAds({ client }: Hadal): Promise<void> {
  const [countries, kinds] = [
    ["US", "DE", "FR", "JP"],
    ["text", "video", "image"],
  ];
  const lines = Array.from({ length: rowCount }, (_, i) => {
    const time = newestMs - i * stepMs;
    const country = countries[i % 4];
    const ad = kinds[Math.floor(i / 4) % 3];
    const isLost = time >= incidentMs && country === "DE" && ad === "video";
    return isLost ? "" : JSON.stringify({ time, country, ad, revenue: 10 });
  });
  await client.ingestBody("ads", lines.filter((line) => line !== "").join("\n"), {
    contentType: "application/x-ndjson",
  });
}

test("U5: revenue that fell is narrowed to a country and a kind of ad", async ({ page, hadal }) => {
  await fillAds(hadal);
  const at = (ms: number) => new Date(ms).toISOString();
  await page.goto(
    `${hadal.url}/explore?v=1&table=ads&from=${at(incidentMs)}&to=${at(newestMs + 1)}` +
      "&view=table&agg=sum:revenue&group=country&compare=previous",
  );
  const germany = page.getByTestId("table-row").filter({ hasText: "DE" });
  await expect(germany.locator('[data-part="delta_pct"]')).toHaveText(/^−33/);
  await page.keyboard.press("b");
  const best = (column: string) =>
    page.locator(`[data-testid=change-card][data-column=${column}]`).getByTestId("change-best");
  await expect(best("country")).toContainText(/DE.*less/);
  await expect(best("ad")).toContainText(/video.*less/);
});

test("U6: errors of an incident compared with those before: the cause comes first, and a click drills down", async ({
  page,
  hadal,
}) => {
  await fill(hadal);
  const at = (ms: number) => new Date(ms).toISOString();
  const explore = `${hadal.url}/explore?v=1&table=${table}&from=${at(incidentMs)}&to=${at(newestMs + 1)}`;
  const cards = page.getByTestId("change-card");
  const changes = page.getByTestId("changes");

  await test.step("compared with the ten minutes before, the frame, the service and the country come first", async () => {
    await page.goto(`${explore}&view=changes&filter=status:ge:500&compare=previous`);
    await expect(changes).toHaveAttribute("data-final", "true");
    await expect(cards).toHaveCount(3);
    const best = (column: string) =>
      page.locator(`[data-testid=change-card][data-column=${column}]`).getByTestId("change-best");
    await expect(best("stack")).toContainText(/lock\.wait|db\.query/);
    await expect(best("service")).toContainText("cart");
    await expect(best("country")).toContainText("DE");
    await expect(cards.first()).toContainText("chance");
  });

  await test.step("both sides have names; a side without rows is reported", async () => {
    await expect(changes).toContainText("the period before");
    await page.goto(`${explore}&view=changes&filter=status:ge:500&compare=52w`);
    await expect(page.getByTestId("one-side")).toContainText("Side B has no rows");
    await expect(changes).toContainText("52 weeks earlier");
    await expect(cards).toHaveCount(0);
    await page.goBack();
    await expect(cards).toHaveCount(3);
  });

  await test.step("ids are counted, not shown", async () => {
    await expect(page.getByTestId("changes-hidden")).toContainText("1 hidden");
  });

  await test.step("a finding becomes a filter, and Back removes it", async () => {
    const service = page.locator("[data-testid=change-card][data-column=service]");
    await service.getByTestId("change-only").click();
    await expect(page).toHaveURL(/filter=service/);
    await expect(changes).toHaveAttribute("data-final", "true");
    await page.goBack();
    await expect(page).not.toHaveURL(/filter=service/);
    await expect(cards).toHaveCount(3);
  });

  await test.step("a time span brushed on a chart is compared with the rest", async () => {
    const all = `from=${at(newestMs - rowCount * stepMs)}&to=${at(newestMs + 1)}`;
    await page.goto(
      `${hadal.url}/explore?v=1&table=${table}&${all}&view=timeseries&filter=status:ge:500`,
    );
    await expect(page.getByTestId("result")).toHaveAttribute("data-final", "true");
    const box = await page.getByTestId("chart").boundingBox();
    if (box === null) throw new Error("the chart has no box");
    const y = box.y + box.height / 2;
    await page.keyboard.down("Shift");
    await page.mouse.move(box.x + box.width * 0.7, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 20, y, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await page.getByTestId("what-is-different").click();
    await expect(page).toHaveURL(/view=changes.*&part=2026-11-20T11:5\d:\d\d.000Z\//);
    await expect(changes).toHaveAttribute("data-final", "true");
    await expect(changes).toContainText("the rest of the time");
    await expect(cards.filter({ hasText: "service" })).toContainText("cart");
  });

  await test.step("the menu of a value has “what is different”; b is the key of the view", async () => {
    await page.goto(`${explore}&view=table&group=service`);
    await page.getByRole("gridcell", { name: "cart" }).first().click();
    await page.getByTestId("what-is-different").click();
    await expect(page).toHaveURL(/view=changes/);
    await expect(changes).toHaveAttribute("data-final", "true");
    await expect(page.getByTestId("changes-hidden")).toContainText("hidden");
    await page.goto(`${explore}&view=table&group=service`);
    await expect(page.getByTestId("result")).toHaveAttribute("data-final", "true");
    await page.keyboard.press("b");
    await expect(page).toHaveURL(/view=changes/);
  });
});
