import type { Page } from "@playwright/test";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const fromMs = Date.UTC(2026, 4, 13, 12);
const services = Array.from({ length: 12 }, (_, i) => `service-${i}`);
const rows = services.flatMap((service, s) =>
  Array.from({ length: 60 - s }, (_, i) => JSON.stringify({ time: fromMs + i * 10_000, service })),
);

/** Color and shape of each service in the legend. */
async function looks(page: Page, count: number): Promise<ReadonlyMap<string, string>> {
  const lines = page.getByTestId("legend-row");
  await expect(lines).toHaveCount(count);
  return new Map(
    await lines.evaluateAll((all) =>
      all.map((line): [string, string] => {
        const swatch = line.querySelector<HTMLElement>("[data-symbol]");
        const name = /service-\d+/.exec(line.textContent ?? "")?.[0] ?? "";
        return [name, `${swatch?.style.background} ${swatch?.dataset.symbol}`];
      }),
    ),
  );
}

test("twelve services look different, and a link keeps their looks", async ({ page, browser }) => {
  const hadal = await startHadal({ leaves: 1, demoRows: 0 });
  try {
    const contentType = "application/x-ndjson";
    await hadal.client.ingestBody("calls", rows.join("\n"), { contentType });
    const range = `from=${fromMs}&to=${fromMs + 600_000}&tz=UTC`;
    const address = `${hadal.url}/explore?v=1&table=calls&${range}&view=timeseries&group=service`;
    await page.goto(`${address}&series=12`);
    const all = await looks(page, 12);
    expect(new Set(all.values()).size).toBe(12);
    await expect(page).toHaveURL(/&color=service-\d+:\d+/);

    await test.step("a filtered legend keeps them", async () => {
      await page.goto(`${page.url()}&filter=service:in:service-3,service-7,service-11`);
      for (const [name, look] of await looks(page, 3))
        expect([name, look]).toEqual([name, all.get(name)]);
    });

    await test.step("another browser shows the same", async () => {
      const other = await browser.newContext();
      const theirs = await other.newPage();
      await theirs.goto(page.url().replace(/&filter=[^&]*/, ""));
      expect(await looks(theirs, 12)).toEqual(all);
      await theirs.goto("about:blank");
      await other.close();
    });
    await page.goto("about:blank");
  } finally {
    await hadal.stop();
  }
});
