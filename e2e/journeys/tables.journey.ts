import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

test("the list and a table's page show sizes, ingest rates and columns", async ({
  page,
  hadal,
  pageErrors,
}) => {
  await page.goto(`${hadal.url}/tables`);
  const row = page.getByTestId("table").filter({ hasText: "requests" });
  await expect(row).toContainText("30 days");
  await expect(row).toContainText(/\d \/s/);
  const heads = page.getByTestId("tables").getByRole("columnheader");
  await expect(heads.nth(0)).toHaveAttribute("aria-sort", "ascending");
  await heads.nth(1).getByRole("button").click();
  await expect(heads.nth(1)).toHaveAttribute("aria-sort", "descending");
  await expect(heads.nth(0)).toHaveAttribute("aria-sort", "none");
  await row.getByRole("link", { name: "requests", exact: true }).click();
  await expect(page).toHaveURL(`${hadal.url}/tables/requests`);
  const column = (name: string) =>
    page.getByTestId("column").filter({ has: page.getByText(name, { exact: true }) });
  await expect(column("latency_us")).toContainText("integer, µs");
  await expect(column("stack")).toContainText("vector");
  await page.getByRole("link", { name: "Explore", exact: true }).last().click();
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");

  await page.goto(`${hadal.url}/tables/request`);
  await expect(page.getByTestId("error-panel")).toContainText("There is no table request");
  // The browser logs the failed request, which the page has already reported.
  expect(pageErrors.splice(0)).toEqual([expect.stringContaining("404")]);
});

test.describe("a separate Hadal", () => {
  let own: Hadal;
  test.beforeAll(async () => {
    own = await startHadal({ leaves: 1, demoRows: 0 });
  });
  test.afterAll(() => own.stop());

  test("pasted rows: preview, time column, rejected rows; then retention and deletion", async ({
    page,
    pageErrors,
  }) => {
    await page.goto(`${own.url}/tables`);
    await page
      .getByTestId("paste-rows")
      .fill(
        [
          '{"at":"2026-11-21T09:00:00Z","service":"<img src=x onerror=alert(1)>","ms":12}',
          '{"at":"yesterday","service":"cart","ms":1}',
          '{"at":"2026-11-21T09:00:01Z","service":"\u202Ertl 🐟","ms":2.5}',
        ].join("\n"),
      );
    await page.getByTestId("look-at-rows").click();
    const preview = page.getByTestId("import-preview");
    await expect(preview).toContainText("<img src=x onerror=alert(1)>");
    await expect(preview).toContainText("decimal");
    await page.getByTestId("import-table").fill("shop.visits");
    await page.getByTestId("import-time").selectOption("at");
    await expect(page.getByText("Some values of at do not look like a time")).toBeVisible();
    await page.getByTestId("import").click();
    await expect(page.getByTestId("import-result")).toContainText(
      "2 rows added to shop.visits, 1 rejected",
    );
    const rejected = page.getByTestId("rejected").getByRole("row").nth(1);
    await expect(rejected).toContainText("2");
    await expect(rejected).toContainText("yesterday");

    await test.step("retention: a fault is shown, a limit is saved", async () => {
      await page.goto(`${own.url}/tables/shop.visits`);
      const form = page.getByTestId("retention");
      await form.getByLabel("Delete rows older than: unit").selectOption("days");
      await form.getByRole("textbox", { name: "Delete rows older than" }).fill("soon");
      await page.getByTestId("save-retention").click();
      await expect(page.getByTestId("retention-outcome")).toContainText("not a number of days");
      await form.getByRole("textbox", { name: "Delete rows older than" }).fill("36500");
      await page.getByTestId("save-retention").click();
      await expect(page.getByTestId("retention-outcome")).toContainText("Saved");
      expect((await own.client.table("shop.visits")).retention.maxAgeMs).toBe(36_500 * 86_400_000);
    });

    await test.step("thinning, types and decimals are saved, and still there after a reload", async () => {
      const form = page.getByTestId("retention");
      await form.getByTestId("add-thinning").click();
      await form.getByLabel("Step 1: keep one row in").fill("1");
      await page.getByTestId("save-retention").click();
      await expect(page.getByTestId("retention-outcome")).toContainText("at least 2");
      await form.getByLabel("Step 1: keep one row in").fill("20");
      await form.getByLabel("Step 1: what is kept").selectOption("rows of each");
      await form.getByLabel("Step 1: columns").fill("service");
      await form.getByLabel("Step 1: least rows of a group").fill("5");
      await page.getByTestId("save-retention").click();
      await expect(page.getByTestId("retention-outcome")).toContainText("Saved");
      const columns = page.getByTestId("column-settings");
      await columns.getByTestId("add-column-setting").click();
      await columns.getByLabel("Column 1", { exact: true }).fill("ms");
      await columns.getByLabel("Decimals of ms").fill("19");
      await columns.getByTestId("save-column-settings").click();
      await expect(columns.getByTestId("column-settings-outcome")).toContainText("0 to 18");
      for (const error of pageErrors.splice(0)) expect(error).toContain("400");
      await columns.getByLabel("Decimals of ms").fill("1");
      await columns.getByTestId("save-column-settings").click();
      await expect(columns.getByTestId("column-settings-outcome")).toContainText("Saved");
      await page.reload();
      await expect(form.getByLabel("Step 1: keep one row in")).toHaveValue("20");
      await expect(form.getByLabel("Step 1: columns")).toHaveValue("service");
      await expect(columns.getByLabel("Decimals of ms")).toHaveValue("1");
      expect(await own.client.table("shop.visits")).toMatchObject({
        retention: { maxAgeMs: 36_500 * 86_400_000 },
        thinning: [{ afterMs: 86_400_000, keepOneIn: 20, groups: ["service"], keepAtLeast: 5 }],
        columnSettings: [{ name: "ms", decimals: 1 }],
      });
    });

    await test.step("delete asks for the name", async () => {
      await expect(page.getByTestId("delete-table")).toBeDisabled();
      await page.getByTestId("delete-name").fill("shop.visits");
      await page.getByTestId("delete-table").click();
      await expect(page).toHaveURL(`${own.url}/tables`);
      expect(await own.client.tables()).toEqual([]);
    });
    // The page may have polled the deleted table once more.
    for (const error of pageErrors.splice(0)) expect(error).toContain("404");
  });

  test("a dropped CSV of several parts, and an indicator of rows that a program sends", async ({
    page,
  }) => {
    await page.goto(`${own.url}/tables`);
    const lines = Array.from(
      { length: 60_000 },
      (_, i) => `${1795254000000 + i},"service ${i % 7}",${i}`,
    );
    const csv = `ts,service,n\n${lines.join("\n")}\n`;
    const file = { name: "Load test (1).csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
    await page.getByTestId("file-input").setInputFiles(file);
    await expect(page.getByTestId("import-table")).toHaveValue("load_test_1");
    await expect(page.getByTestId("import-time")).toHaveValue("ts");
    await page.getByTestId("import").click();
    await expect(page.getByTestId("import-result")).toContainText(/60.000 rows added/);
    // Leaves report their rows with the next heartbeat.
    await expect.poll(async () => (await own.client.table("load_test_1")).rows).toBe(60_000);

    await page.goto(`${own.url}/tables/load_test_1`);
    await page.getByTestId("count-distinct").click();
    const service = page.getByTestId("column").filter({ hasText: "service" });
    await expect(service).toContainText("7");
    await page.getByTestId("send-rows").click();
    await expect(page.getByTestId("snippet")).toContainText("/api/v1/tables/load_test_1/rows");
    await expect(page.getByTestId("arrival")).toContainText("Waiting");
    // The first poll counts the rows before.
    await page.waitForResponse(/\/api\/v1\/status/);
    const rows = own.client.ingest("load_test_1");
    await rows.push({ ts: Date.now(), time: Date.now(), service: "cart" });
    await rows.close();
    await expect(page.getByTestId("arrival")).toContainText("1 row arrived");
  });

  test("a comparison with a time before the first row is reported in the form and in the answer", async ({
    page,
  }) => {
    const rows = own.client.ingest("fresh");
    const nowMs = Date.now();
    for (const minutes of [0, 40]) await rows.push({ time: nowMs - minutes * 60_000 });
    await rows.close();
    // Leaves report their first time with the next heartbeat.
    await expect.poll(async () => (await own.client.table("fresh")).rows).toBe(2);

    await page.goto(`${own.url}/explore?v=1&table=fresh&from=-30m&to=now&view=table&compare=7d`);
    const [asked, answered] = [page.getByTestId("compare-reach"), page.getByTestId("status-line")];
    await expect(asked).toContainText("Side B has no rows: they begin");
    await expect(answered).toContainText("side B has no rows");
    await page.getByTestId("compare-picker").selectOption("previous");
    await expect(asked).toContainText("Side B is not whole: rows begin");
    await expect(answered).toContainText("side B is not whole");
    await page.getByTestId("compare-picker").selectOption("off");
    await expect(answered).not.toContainText("side B");
    await expect(asked).toHaveCount(0);
  });
});
