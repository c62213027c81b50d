import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const fromMs = Date.UTC(2026, 4, 13, 12);
/** Rows and latency of each service. */
const services = { web: [60, 10], cart: [30, 20], search: [10, 90] } as const;
const rows = Object.entries(services).flatMap(([service, [count, ms]]) =>
  Array.from({ length: count }, (_, i) =>
    JSON.stringify({ time: fromMs + i * 1_000, service, ms }),
  ),
);

test("a table has a row for all rows, shows shares, and has adjustable column widths", async ({
  page,
}) => {
  const hadal = await startHadal({ leaves: 2, demoRows: 0 });
  try {
    const contentType = "application/x-ndjson";
    await hadal.client.ingestBody("calls", rows.join("\n"), { contentType });
    const range = `from=${fromMs}&to=${fromMs + 3_600_000}&tz=UTC`;
    const query = `v=1&table=calls&${range}&view=table&agg=count&agg=avg:ms&group=service&limit=2`;
    await page.goto(`${hadal.url}/explore?${query}`);
    const lines = page.getByTestId("table-row");
    const foot = page.getByTestId("table-foot").getByRole("gridcell");

    await test.step("all rows: includes hidden groups, with its own average", async () => {
      await expect(lines).toHaveCount(2);
      await expect(foot).toHaveText(["all rows", "100", "21 ms"]);
    });

    await test.step("shares", async () => {
      await page.getByTestId("option-share").selectOption("on");
      await expect(page).toHaveURL(/opt=share:on/);
      await expect(lines.first().getByRole("gridcell")).toHaveText(["web", "60", "60 %", "10 ms"]);
      await expect(foot).toHaveText(["all rows", "100", "100 %", "21 ms"]);
    });

    await test.step("a column is dragged wider, keeps its width, and is reset", async () => {
      const head = page.getByRole("columnheader", { name: "service" });
      const widthOf = async (): Promise<number> => (await head.boundingBox())?.width ?? 0;
      const before = await widthOf();
      const handle = head.getByTestId("column-width");
      await handle.focus();
      for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
      await expect.poll(widthOf).toBeCloseTo(before - 48, -1);
      await page.reload();
      await expect(lines).toHaveCount(2);
      await expect.poll(widthOf).toBeCloseTo(before - 48, -1);
      await handle.dblclick();
      await expect.poll(widthOf).toBeCloseTo(before, -1);
    });
    await page.goto("about:blank");
  } finally {
    await hadal.stop();
  }
});
