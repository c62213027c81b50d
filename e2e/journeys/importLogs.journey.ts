import type { Page } from "@playwright/test";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

let own: Hadal;
test.beforeAll(async () => {
  own = await startHadal({ leaves: 1, demoRows: 0 });
});
test.afterAll(() => own.stop());

async function choose(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await page.goto(`${own.url}/tables`);
  await expect(page.getByTestId("tables-screen")).toBeVisible();
  if (!(await page.getByTestId("drop-zone").isVisible()))
    await page.getByTestId("add-table").click();
  await page.getByTestId("file-input").setInputFiles({
    ...{ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) },
  });
}

const cells = (page: Page, row: number) =>
  page.getByTestId("import-preview").getByRole("row").nth(row).getByRole("cell").allInnerTexts();

async function countOf(table: string, column: string): Promise<readonly unknown[]> {
  const { rows } = await own.client.query({
    ...{ table, from: "2026-01-01T00:00:00Z", to: "2036-01-01T00:00:00Z", exact: true },
    aggregates: [{ fn: "count" }, { fn: "sum", column }],
  });
  return rows[0] ?? [];
}

const access = [200, 404, 500].map(
  (status, i) =>
    `10.0.0.${i} - - [21/Nov/2026:09:00:0${i} +0000] "GET /cart HTTP/1.1" ${status} 12 "-" "curl"`,
);

test("log lines are detected and previewed as their pattern reads them; another can be chosen", async ({
  page,
  pageErrors,
}) => {
  await choose(page, "shop.access.log", `${access.join("\n")}\nno such line\n`);
  await expect(page.getByTestId("import-format")).toHaveValue("raw");
  await expect(page.getByTestId("import-pattern")).toHaveValue("combined");
  await expect(page.getByTestId("import-time")).toHaveCount(0);
  await expect.poll(() => cells(page, 1)).toContain("/cart");
  await expect(page.getByTestId("preview-rejected")).toContainText("Of 4 rows 1 would be rejected");

  await test.step("an own pattern", async () => {
    await page.getByTestId("import-pattern").selectOption("own");
    await page
      .getByTestId("import-own-pattern")
      .fill(String.raw`\[(?P<time>[^\]]+)\] "\S+ (?P<page>\S+).*" (?P<code>\d+) `);
    await expect.poll(() => cells(page, 2)).toEqual(["2026-11-21T09:00:01.000Z", "/cart", "404"]);
  });
  await test.step("a format that the file does not have leaves it as it was", async () => {
    await page.getByTestId("import-format").selectOption("ndjson");
    await expect(page.getByTestId("import-fault")).toContainText("no rows");
    await expect(page.getByTestId("import-format")).toHaveValue("raw");
  });
  await page.getByTestId("import-pattern").selectOption("combined");
  await page.getByTestId("import").click();
  await expect(page.getByTestId("import-result")).toContainText("3 rows added to shop_access");
  expect(await countOf("shop_access", "status")).toEqual([3, 3, 1_104]);
  // While a pattern is typed it may not be one yet.
  for (const error of pageErrors.splice(0)) expect(error).toContain("400");
});

test("an event of several lines is one row", async ({ page }) => {
  const event =
    "2026-11-21 09:00:00,123 ERROR [main] shop.Cart - lost\njava.lang.Error: x\n\tat shop.Cart";
  await choose(page, "app.txt", `${event}\n${event}\n`);
  await expect(page.getByTestId("import-pattern")).toHaveValue("log4j");
  await page.getByTestId("import-zone").selectOption("UTC");
  await expect.poll(() => cells(page, 1)).toContain("2026-11-21T09:00:00.123Z");
  await page.getByTestId("import").click();
  await expect(page.getByTestId("import-result")).toContainText("2 rows added to app.");
});

const profile = {
  nodes: [
    { id: 1, callFrame: { functionName: "(root)" }, children: [2] },
    { id: 2, callFrame: { functionName: "main" } },
  ],
  ...{ startTime: 1_000, endTime: 4_000, samples: [2, 2], timeDeltas: [1_000, 1_000] },
};
for (const [name, content, value] of [
  ["stacks.folded", "main;render 40\nmain;idle 2\n", 42],
  ["node.cpuprofile", JSON.stringify(profile), 2_000],
] as const) {
  test(`${name}: stacks as rows`, async ({ page }) => {
    await choose(page, name, content);
    await expect.poll(async () => (await cells(page, 1)).join(" ")).toContain("main");
    await page.getByTestId("import").click();
    const table = name.slice(0, name.indexOf("."));
    await expect(page.getByTestId("import-result")).toContainText(`2 rows added to ${table}.`);
    expect(await countOf(table, "value")).toEqual([2, 2, value]);
  });
}

test("Arrow: its time column is detected by type, and the rows are those of its batches", async ({
  page,
}) => {
  const lines = Array.from({ length: 100 }, (_, n) =>
    JSON.stringify({ time: Date.UTC(2026, 10, 21) + n, n, s: `text ${n % 3}` }),
  );
  await own.client.ingestBody("source", lines.join("\n"), { contentType: "application/x-ndjson" });
  const arrow = await own.client.queryArrow({
    ...{ table: "source", from: "2026-11-20T00:00:00Z", to: "2026-11-22T00:00:00Z" },
    sampleView: {},
    orderBy: [{ by: "time" }],
  });
  await choose(page, "copy.arrow", arrow);
  await expect(page.getByTestId("import-time")).toHaveValue("time");
  await expect.poll(() => cells(page, 2)).toContain("2026-11-21T00:00:00.001Z");
  await page.getByTestId("import").click();
  await expect(page.getByTestId("import-result")).toContainText("100 rows added to copy.");
  expect(await countOf("copy", "n")).toEqual([100, 100, 4_950]);
  await choose(page, "cut.arrow", arrow.subarray(0, 20));
  await expect(page.getByTestId("import-fault")).toContainText("starts like Arrow");
});
