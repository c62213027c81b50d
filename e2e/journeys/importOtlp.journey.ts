import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

let own: Hadal;
test.beforeAll(async () => {
  own = await startHadal({ leaves: 1, demoRows: 0 });
});
test.afterAll(() => own.stop());

const startMs = Date.UTC(2026, 10, 20, 10);

/** A request of the protocol, as the Collector writes one to a line of a file. */
const logRequest = (second: number, body: string): string =>
  JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: `${startMs + second * 1_000}000000`,
                severityText: "Info",
                body: { stringValue: body },
              },
            ],
          },
        ],
      },
    ],
  });

/** Two spans, as the Collector 0.165.0 sends them in protobuf. */
const spans =
  "CsQDEpIDEqQCegsYAhIHcmVmdXNlZGocEggAAAAAAAAAAgoQAAAAAAAAAAAAAAAAAAAAAVprGiASDgoMUGF5bWVudEVycm9yCg5leGNlcHRpb24udHlwZRozEhsKGVBheW1lbnRFcnJvcjogbm8KICBhdCBwYXkKFGV4Y2VwdGlvbi5zdGFja3RyYWNlEglleGNlcHRpb24JgBaf8ugE6hhaEBIFcmV0cnkJAK038+gE6hhKFBIGCgQvcGF5CgpodHRwLnJvdXRlSiASAxj0AwoZaHR0cC5yZXNwb25zZS5zdGF0dXNfY29kZUE3DN726ATqGDkAgAby6ATqGDACKglQT1NUIC9wYXkiABoDYT1iEgju4Zt+w8GxdAoQW47/95gDgQPSabYzgT/GDBJEegBBdAYl8ugE6hg5QMIV8ugE6hgwAyoGU0VMRUNUIgju4Zt+w8GxdBIIqqGbfsPBsXQKEFuO//eYA4ED0mm2M4E/xgwKIxoJEgIQAQoDbGliEgUxLjQuMAoPaW8uZXhhbXBsZS5odHRwCi0KGhIKCghjaGVja291dAoMc2VydmljZS5uYW1lCg8SAhgECglob3N0LmNwdXM=";

test("files of OTLP, JSON and protobuf, are recognised, shown as rows and imported", async ({
  page,
}) => {
  const logs = `${logRequest(1, "paid")}\n${logRequest(2, "sent")}\n`;
  for (const { name, content, words, cell, rows } of [
    { name: "shop.jsonl", content: Buffer.from(logs), words: null, cell: "paid", rows: 2 },
    {
      ...{ name: "orders.pb", content: Buffer.from(spans, "base64") },
      ...{ words: "OTLP traces, protobuf", cell: "POST /pay", rows: 2 },
    },
  ]) {
    await page.goto(`${own.url}/tables`);
    await expect(page.getByTestId("tables-screen")).toBeVisible();
    if (!(await page.getByTestId("drop-zone").isVisible()))
      await page.getByTestId("add-table").click();
    await page
      .getByTestId("file-input")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: content });
    await expect(page.getByTestId("import-preview")).toContainText(cell);
    // A text may be of another format, bytes are of one.
    const format = page.getByTestId("import-format");
    if (words === null) await expect(format).toHaveValue("otlp-logs");
    else await expect(page.getByText(words, { exact: true })).toBeVisible();
    // The records have their times.
    await expect(page.getByTestId("import-time")).toHaveCount(0);
    await page.getByTestId("import").click();
    const table = name.split(".")[0] ?? "";
    await expect(page.getByTestId("import-result")).toContainText(`${rows} rows added to ${table}`);
  }
  const { rows } = await own.client.query({
    ...{ table: "shop", from: startMs, to: startMs + 60_000, exact: true },
    ...{ sampleView: { columns: ["service", "body"] }, orderBy: [{ by: "time" }] },
  });
  expect(rows).toEqual([
    [startMs + 1_000, "shop", "paid"],
    [startMs + 2_000, "shop", "sent"],
  ]);
  const { columns } = await own.client.table("orders");
  expect(columns.map(({ name }) => name)).toContain("duration_us");
});
