import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const startMs = Date.UTC(2026, 10, 20, 10);
const [from, to] = ["2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z"];

/** Values that CSV programs often change. */
const oddRows = [
  `{"n":9007199254740993,"price":0.1,"s":"","zip":"01234","version":"1.10","tags":{"$set":["b","a"]},"stack":["main","a,b","main"]}`,
  `{"n":-9223372036854775808,"price":-2.500001,"s":"NA","zip":"10115","version":"1.1","tags":{"$set":[]},"stack":[]}`,
  `{"price":3,"s":"# completeness: 1","zip":"1,000","version":"2","stack":["\\"q\\"","line\\nbreak"]}`,
  `{"n":0,"s":" two\\r\\nlines, \\"quoted\\" ","zip":"1e5","version":"-","tags":{"$set":["ü🐟"]}}`,
  `{"n":5,"s":"=1+1","a \\"b\\", c":"+49 30"}`,
].map((row, i) => row.replace("{", `{"time":${startMs + i * 1_001},`));

test.describe("CSV of an answer", () => {
  let own: Hadal;
  test.beforeAll(async () => {
    own = await startHadal({ leaves: 1, demoRows: 0 });
  });
  test.afterAll(() => own.stop());

  /** Saves the result as CSV, and imports the file as another table. */
  async function saveAndImport(page: Page, address: string, table: string): Promise<string> {
    await page.goto(`${own.url}/explore?v=1&${address}`);
    await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
    await page.getByTestId("share").click();
    const download = page.waitForEvent("download");
    await page.getByTestId("share-csv").click();
    const path = await (await download).path();
    const text = await readFile(path, "utf8");
    await page.goto(`${own.url}/tables`);
    const file = { name: `${table}.csv`, mimeType: "text/csv", buffer: Buffer.from(text) };
    // With tables in the list, the import is behind a button.
    const add = page.getByTestId("add-table");
    await expect(add.or(page.getByTestId("file-input")).first()).toBeAttached();
    if ((await add.count()) > 0) await add.click();
    await page.getByTestId("file-input").setInputFiles(file);
    await expect(page.getByTestId("import-table")).toHaveValue(table);
    await expect(page.getByTestId("import-time")).toHaveValue("time");
    await expect(page.getByTestId("import-preview")).toBeVisible();
    await expect(page.getByTestId("preview-rejected")).toHaveCount(0);
    await page.getByTestId("import").click();
    await expect(page.getByTestId("import-result")).toContainText(`rows added to ${table}.`);
    return text;
  }

  const rowsOf = async (table: string, columns: readonly string[]) => {
    const { columns: found, rows } = await own.client.query({
      ...{ table, from, to, sampleView: { columns } },
      orderBy: [{ by: "time" }],
      exact: true,
    });
    return { types: found.map(({ name, type }) => [name, type]), rows };
  };

  test("raw rows survive export and import: every digit, text and list", async ({ page }) => {
    await own.client.ingestBody("odd", oddRows.join("\n"), {
      contentType: "application/x-ndjson",
    });
    const text = await saveAndImport(page, `table=odd&from=${from}&to=${to}&view=rows`, "odd_2");
    expect(text).toContain("2026-11-20T10:00:00.000Z");
    const columns = ["n", "price", "s", "zip", "version", "tags", "stack", 'a "b", c'];
    const before = await rowsOf("odd", columns);
    expect(before.rows).toHaveLength(oddRows.length);
    expect(await rowsOf("odd_2", columns)).toEqual(before);
  });

  test("an answer survives export and import with its error bars", async ({ page }) => {
    const lines = Array.from({ length: 3_000 }, (_, i) =>
      JSON.stringify({
        ...{ time: startMs + i * 1_000, service: i % 3 === 0 ? "0" : "cart", ms: (i * 7) % 91 },
        sample_rate: 10,
      }),
    );
    await own.client.ingestBody("sampled", lines.join("\n"), {
      contentType: "application/x-ndjson",
    });
    const address = `table=sampled&from=${from}&to=${to}&view=timeseries&bucket=5m&agg=count&agg=avg:ms&group=service`;
    const text = await saveAndImport(page, address, "sampled_2");
    const [head = ""] = text.split("\r\n");
    expect(head).toMatch(/^time,service,count,count\.low,count\.high,/);
    const asked = await own.client.query({
      ...{ table: "sampled", from, to, groupBy: [{ time: "5m" }, "service"] },
      aggregates: [{ fn: "count" }, { fn: "avg", column: "ms" }],
    });
    const { rows } = await own.client.query({
      ...{ table: "sampled_2", from, to, exact: true },
      sampleView: { columns: ["service", "count", "count.low", "count.high", "avg_ms"] },
    });
    const names = asked.columns.map(({ name }) => name);
    const at = (name: string): number => names.indexOf(name);
    const key = (row: readonly unknown[]): string => `${row[0]} ${row[1]}`;
    const wanted = asked.rows.map((row, i) => [
      ...[row[at("time")], row[at("service")], row[at("count")]],
      ...(asked.intervals.count?.[i] ?? [null, null]),
      row[at("avg_ms")],
    ]);
    const byKey = (a: readonly unknown[], b: readonly unknown[]) => (key(a) < key(b) ? -1 : 1);
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.some((row) => row[3] !== null)).toBe(true);
    expect(rows.map((row) => row.map(Number.isNaN)).length).toBe(wanted.length);
    expect([...rows].sort(byKey)).toEqual(wanted.sort(byKey));
  });
});
