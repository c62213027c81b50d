import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

let own: Hadal;
test.beforeAll(async () => {
  own = await startHadal({ leaves: 1, demoRows: 0 });
});
test.afterAll(() => own.stop());

const parquetPath = fileURLToPath(new URL("../fixtures/visits.parquet", import.meta.url));
const dayMs = 86_400_000;

async function choose(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await page.goto(`${own.url}/tables`);
  await expect(page.getByTestId("tables-screen")).toBeVisible();
  if (!(await page.getByTestId("drop-zone").isVisible()))
    await page.getByTestId("add-table").click();
  const buffer = Buffer.from(content);
  await page
    .getByTestId("file-input")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
}

/** The cells of a row of the preview. */
const cells = (page: Page, row: number) =>
  page.getByTestId("import-preview").getByRole("row").nth(row).getByRole("cell").allInnerTexts();

async function timesOf(table: string): Promise<readonly number[]> {
  const { rows } = await own.client.query({
    ...{ table, from: "0001-01-01T00:00:00Z", to: "9999-12-31T00:00:00Z", exact: true },
    sampleView: { columns: [] },
    orderBy: [{ by: "time" }],
  });
  return rows.map(([time]) => Number(time));
}

/** Real measurements if the file exists, else generated: every half hour, times without zone. */
async function taxiCsv(): Promise<string> {
  const folder = new URL("../../../shared/data/", import.meta.url);
  const path = new URL("nab/realKnownCause/nyc_taxi.csv", folder);
  if (existsSync(path)) return readFile(path, "utf8");
  const times = Array.from({ length: 10_320 }, (_, i) =>
    new Date(Date.UTC(2014, 6, 1) + i * 1_800_000).toISOString().slice(0, 19).replace("T", " "),
  );
  return `timestamp,value\n${times.map((time, i) => `${time},${10_000 + (i % 48)}`).join("\n")}\n`;
}

test("dates without a zone use the page's zone or the chosen one; Explore then opens with all rows", async ({
  page,
}) => {
  const csv = await taxiCsv();
  await choose(page, "nyc_taxi.csv", csv);
  await expect(page.getByTestId("import-time")).toHaveValue("timestamp");
  await expect(page.getByTestId("times-read")).toContainText(
    "Times are dates without a zone, read in Europe/Berlin.",
  );
  await expect.poll(async () => (await cells(page, 1))[0]).toBe("2014-06-30T22:00:00.000Z");
  await page.getByTestId("import-zone").selectOption("America/New_York");
  await expect(page.getByTestId("times-read")).toContainText("read in America/New_York");
  await expect.poll(async () => (await cells(page, 1))[0]).toBe("2014-07-01T04:00:00.000Z");
  await page.getByTestId("import").click();
  await expect(page.getByTestId("import-result")).toContainText(/10.3\d\d rows added to nyc_taxi/);
  const times = await timesOf("nyc_taxi");
  expect(times[0]).toBe(Date.UTC(2014, 6, 1, 4));

  await page.getByTestId("import-result").getByRole("link", { name: "Explore nyc_taxi" }).click();
  await expect(page).toHaveURL(/from=2014-07-01T04:00:00.000Z/);
  const to = new URL(page.url()).searchParams.get("to");
  expect(Date.parse(to ?? "")).toBe((times.at(-1) ?? 0) + 1);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  await expect(page.getByTestId("result").locator("canvas").first()).toBeVisible();
});

test("a new table opens with all its rows, even when the newest is current", async ({ page }) => {
  const nowMs = Date.now();
  const lines = [nowMs - 40 * dayMs, nowMs - 20 * dayMs, nowMs].map((ms) => `{"time":${ms},"n":1}`);
  await choose(page, "forty_days.ndjson", lines.join("\n"));
  await page.getByTestId("import").click();
  await page.getByTestId("import-result").getByRole("link", { name: "Explore forty_days" }).click();
  await expect(page).toHaveURL(/from=/);
  const { searchParams } = new URL(page.url());
  expect(Date.parse(searchParams.get("from") ?? "")).toBe(nowMs - 40 * dayMs);
  expect(Date.parse(searchParams.get("to") ?? "")).toBe(nowMs + 1);
});

for (const [unit, words, text] of [
  ["s", "seconds", "1763632800"],
  ["ms", "milliseconds", "1763632800123"],
  ["us", "microseconds", "1763632800123456"],
  ["ns", "nanoseconds", "1763632800123456789"],
] as const) {
  test(`${words} since 1970 are detected and named`, async ({ page }) => {
    const name = `epoch_${unit}`;
    await choose(page, `${name}.csv`, `time,u\n${text},x\n`);
    await expect(page.getByTestId("times-read")).toHaveText(
      `Times are numbers of ${words} since 1970.`,
    );
    const ms = unit === "s" ? 1_763_632_800_000 : 1_763_632_800_123;
    await expect.poll(async () => (await cells(page, 1))[0]).toBe(new Date(ms).toISOString());
    await page.getByTestId("import").click();
    await expect(page.getByTestId("import-result")).toContainText(`1 row added to ${name}`);
    expect(await timesOf(name)).toEqual([ms]);
  });
}

test("a chosen unit is applied to all rows", async ({ page }) => {
  await choose(page, "old.ndjson", '{"time":86400,"n":1}\n{"time":172800,"n":2}\n');
  await expect(page.getByTestId("import-time")).toHaveValue("");
  await page.getByTestId("import-time").selectOption("time");
  await expect(page.getByTestId("preview-rejected")).toContainText("2 would be rejected");
  await expect(page.getByTestId("import-unit")).toBeVisible();
  await page.getByTestId("import-unit").selectOption("s");
  await expect.poll(async () => (await cells(page, 1))[0]).toBe("1970-01-02T00:00:00.000Z");
});

const tsv = "time\tname\tzip\n2026-11-20T10:00:00Z\ta,b\t01234\n2026-11-20T10:00:01Z\tc;d\t10115\n";

/** A frame with one uncompressed block. */
function zstdOf(content: string): Uint8Array {
  const bytes = Buffer.from(content);
  const head = (bytes.length << 3) | 1;
  const start = [0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length, head & 255, head >> 8, 0];
  return Uint8Array.from([...start, ...bytes]);
}

for (const [name, content] of [
  ["names.tsv", tsv],
  ["names2.tsv.gz", gzipSync(tsv)],
  ["names3.tsv.zst", zstdOf(tsv)],
] as const) {
  test(`${name}: tab-separated values`, async ({ page }) => {
    await choose(page, name, content);
    await expect(page.getByTestId("import-delimiter")).toHaveValue("\t");
    await expect.poll(() => cells(page, 1)).toEqual(["2026-11-20T10:00:00.000Z", "a,b", "01234"]);
    await page.getByTestId("import").click();
    const table = name.split(".")[0] ?? "";
    await expect(page.getByTestId("import-result")).toContainText(`2 rows added to ${table}.`);
    expect((await own.client.table(table)).columns.map((column) => column.name)).toContain("zip");
  });
}

test("a compressed file of several parts is imported completely", async ({ page }) => {
  const lines = Array.from(
    { length: 90_000 },
    (_, i) => `{"ts":${1763632800 + i},"n":${i},"s":"service ${i % 9}"}`,
  );
  await choose(page, "many.ndjson.gz", gzipSync(lines.join("\n")));
  await page.getByTestId("import").click();
  await expect(page.getByTestId("import-result")).toContainText(/90.000 rows added to many/);
});

test("Parquet: its columns, its time column detected by type and read in the chosen zone", async ({
  page,
}) => {
  await choose(page, "visits.parquet", await readFile(parquetPath));
  await expect(page.getByTestId("import-time")).toHaveValue("taken");
  await expect(page.getByText("The first of 100 rows, as they will be stored.")).toBeVisible();
  await page.getByTestId("import-zone").selectOption("UTC");
  await expect
    .poll(() => cells(page, 2))
    .toEqual(["2026-07-01T12:30:00.000Z", "1", "cart 1", "1.25"]);
  await page.getByTestId("import").click();
  await expect(page.getByTestId("import-result")).toContainText("100 rows added to visits.");
  const { rows } = await own.client.query({
    ...{ table: "visits", from: "2026-07-01T00:00:00Z", to: "2026-07-05T00:00:00Z", exact: true },
    aggregates: [{ fn: "count" }, { fn: "sum", column: "price" }],
  });
  expect(rows).toEqual([[100, 100, 6187.5]]);
});

async function dropOn(page: Page, selector: string, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content ?? ""], fileName ?? ""));
      return data;
    },
    [name, text],
  );
  await page.dispatchEvent(selector, "dragover", { dataTransfer: transfer });
  await expect(page.getByTestId("drop-anywhere")).toBeVisible();
  await page.dispatchEvent(selector, "drop", { dataTransfer: transfer });
  await expect(page.getByTestId("drop-anywhere")).toHaveCount(0);
}

test("a file dropped on another screen or on a table's page opens its preview", async ({
  page,
}) => {
  await page.goto(`${own.url}/status`);
  await dropOn(page, "header", "dropped.csv", "time,n\n2026-11-20 10:00:00,5\n");
  await expect(page).toHaveURL(`${own.url}/tables`);
  await expect(page.getByTestId("import-table")).toHaveValue("dropped");
  await page.getByTestId("import").click();
  await expect(page.getByTestId("import-result")).toContainText("1 row added to dropped");

  await page.goto(`${own.url}/tables/dropped`);
  await dropOn(page, "main, h1", "more.csv", "time,n\n2026-11-21 10:00:00,6\n");
  await expect(page.getByTestId("import-table")).toHaveValue("dropped");
  await page.getByTestId("import").click();
  await expect(page.getByTestId("import-result")).toContainText("1 row added to dropped");
  expect(await timesOf("dropped")).toHaveLength(2);
});

test("a file is chosen by keyboard only, from any screen", async ({ page }) => {
  await page.goto(`${own.url}/status`);
  await expect(page.getByTestId("status-screen")).toBeVisible();
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("import a file");
  await page.keyboard.press("Enter");
  const buffer = Buffer.from("time,n\n2026-11-20,5\n");
  await (await chooser).setFiles({ name: "by_key.csv", mimeType: "text/csv", buffer });
  await expect(page.getByTestId("import-table")).toHaveValue("by_key");
  await expect.poll(async () => (await cells(page, 1))[0]).toBe("2026-11-19T23:00:00.000Z");
});

test("a long file without a time column asks for it and shows the rows", async ({
  page,
  pageErrors,
}) => {
  const lines = Array.from({ length: 2_000 }, (_, i) => `name ${i},${i}`);
  await choose(page, "no_time.csv", `name,n\n${lines.join("\n")}\n`);
  await expect(page.getByRole("alert")).toContainText("Which column contains it?");
  await expect.poll(() => cells(page, 1)).toEqual(["name 0", "0"]);
  await expect(page.getByTestId("import")).toBeDisabled();
  for (const error of pageErrors.splice(0)) expect(error).toContain("400");
});

const parts = gzipSync(tsv);
for (const [name, content, words] of [
  ["book.xlsx", Buffer.from("PK\u0003\u0004 zip"), "save the sheet as CSV"],
  ["photo.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]), "byte 9 is zero"],
  ["cut.tsv.gz", parts.subarray(0, parts.length - 12), "is not valid gzip"],
  ["empty.csv", Buffer.alloc(0), "“empty.csv” is empty"],
  ["broken.parquet", Buffer.from("PAR1 and no more of it"), "The Parquet file is cut off"],
  ["list.json", Buffer.from('[{"time":1763632800},\n oops]'), "would be rejected"],
] as const) {
  test(`${name} is rejected with a reason and a position`, async ({ page, pageErrors }) => {
    await choose(page, name, content);
    await expect(
      page.getByTestId("import-fault").or(page.getByRole("alert")).first(),
    ).toContainText(words);
    // The browser logs the failed request, which the page has already reported.
    for (const error of pageErrors.splice(0)) expect(error).toContain("400");
  });
}
