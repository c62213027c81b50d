import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

test.describe("CSV", () => {
  let own: Hadal;
  test.beforeAll(async () => {
    own = await startHadal({ leaves: 1, demoRows: 0 });
  });
  test.afterAll(() => own.stop());

  test("the preview shows what will be stored, and the types can be chosen by key", async ({
    page,
  }) => {
    await page.goto(`${own.url}/tables`);
    const lines = [
      "sep=;",
      "time;version;rate;n;zip",
      "2026-11-20T10:00:00Z;1.1;3,9853;5;01234",
      "2026-11-20T10:00:01Z;1.10;4,341;NA;10115",
      "2026-11-20T10:00:02Z;1.10;4;7;10115",
      "2026-11-20T10:00:03Z;1.9;4",
    ];
    await page.getByTestId("paste-rows").fill(`${lines.join("\r\n")}\r\n`);
    await page.getByTestId("look-at-rows").click();
    const preview = page.getByTestId("import-preview");
    await expect(preview.getByRole("row").nth(2)).toContainText(/1\.10\s*4\.341\s*10115/);
    await expect(page.getByTestId("import-delimiter")).toHaveValue(";");
    await expect(page.getByTestId("import-decimal")).toHaveValue(",");
    await expect(page.getByTestId("type-of-rate")).toHaveValue("number");
    await expect(page.getByTestId("type-of-zip")).toHaveValue("string");
    const findings = page.getByTestId("import-findings");
    await expect(findings).toContainText('zip stays text. Line 3 has "01234"');
    await expect(findings).toContainText("n “NA” is missing (1 row)");
    await expect(page.getByTestId("preview-rejected")).toContainText("1 would be rejected");
    await expect(page.getByTestId("rejected")).toContainText("values are separated by semicolon");

    await test.step("a type chosen by key changes the preview", async () => {
      await page.getByTestId("type-of-rate").focus();
      await page.keyboard.type("decimal, 2");
      await expect(page.getByTestId("type-of-rate")).toHaveValue("decimal(2)");
      await expect(preview.getByRole("row").nth(1)).toContainText("3.98");
      await expect(preview.getByRole("row").nth(1)).not.toContainText("3.9853");
    });

    await test.step("a wrong delimiter is explained and can be changed back", async () => {
      await page.getByTestId("import-delimiter").selectOption("|");
      await expect(preview).toContainText("None of these rows can be stored");
      await page.getByTestId("import-delimiter").selectOption(";");
      await expect(preview.getByRole("row").nth(1)).toContainText("3.9853");
      await page.getByTestId("type-of-rate").selectOption("decimal(2)");
      await page.getByTestId("import-null").fill("1.9");
      await expect(preview.getByRole("row").nth(1)).toContainText("3.98");
    });

    await page.getByTestId("import-table").fill("rates");
    await page.getByTestId("import").click();
    await expect(page.getByTestId("import-result")).toContainText(
      "3 rows added to rates, 1 rejected",
    );
    const { rows } = await own.client.query({
      ...{ table: "rates", from: "2026-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z" },
      sampleView: { columns: ["version", "rate", "n", "zip"] },
      orderBy: [{ by: "time" }],
      exact: true,
    });
    expect(rows.map((row) => row.slice(1))).toEqual([
      ["1.1", 3.98, 5, "01234"],
      ["1.10", 4.34, null, "10115"],
      ["1.10", 4, 7, "10115"],
    ]);
  });

  test("all parts of a file are read like its start", async ({ page }) => {
    await page.goto(`${own.url}/tables`);
    // After the first megabyte all versions look like numbers.
    const lines = Array.from(
      { length: 120_000 },
      (_, i) => `${1795254000000 + i},${i === 5 ? "1.10" : "1.1"},"service ${i % 7}"`,
    );
    const csv = `time,version,service\n${lines.join("\n")}\n`;
    await page.getByTestId("add-table").click();
    const file = { name: "versions.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
    await page.getByTestId("file-input").setInputFiles(file);
    await expect(page.getByTestId("type-of-version")).toHaveValue("string");
    await page.getByTestId("import").click();
    await expect(page.getByTestId("import-result")).toContainText(/120.000 rows added/);
    const columns = (await own.client.table("versions")).columns;
    expect(columns.find(({ name }) => name === "version")?.type).toBe("string");
  });
});
