import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const fromMs = Date.UTC(2026, 4, 13, 12);
/** Rows of each service by device. With twelve devices, three are merged into “others”. */
const counts = { web: [40, 20], cart: [10, 5] } as const;
const rows = Object.entries(counts).flatMap(([service, [first, second]]) =>
  Array.from({ length: 12 }, (_, d) => d).flatMap((d) =>
    Array.from({ length: d === 0 ? first : d === 1 ? second : 1 }, (_, i) =>
      JSON.stringify({ time: fromMs + i * 1_000, service, device: `device-${d}` }),
    ),
  ),
);

test("bars by two groups: single, side by side, or stacked", async ({ page }) => {
  const hadal = await startHadal({ leaves: 2, demoRows: 0 });
  try {
    const contentType = "application/x-ndjson";
    await hadal.client.ingestBody("calls", rows.join("\n"), { contentType });
    const range = `from=${fromMs}&to=${fromMs + 3_600_000}&tz=UTC`;
    const query = `v=1&table=calls&${range}&view=bar&group=service&group=device`;
    await page.goto(`${hadal.url}/explore?${query}`);
    await expect(page.getByTestId("legend-row").first()).toBeVisible();
    const bars = page.getByTestId("arranged-bar");
    await expect(bars).toHaveCount(0);

    await test.step("stacked: the remaining devices are merged into “others”", async () => {
      await page.getByTestId("option-bars").selectOption("stack");
      await expect(bars).toHaveText(["web70", "cart25"]);
      const web = bars.first().getByRole("button");
      await expect(web.first()).toHaveAccessibleName("web, device-0: 40, 57 %");
      await expect(web.last()).toHaveAccessibleName("web, others: 3, 4.3 %");
      await expect(web).toHaveCount(10);
    });

    await test.step("a click on a part filters by its groups", async () => {
      await bars.first().getByRole("button").first().click();
      await page.getByTestId("only-this").click();
      await expect(page).toHaveURL(/filter=service:eq:web&filter=device:eq:device-0/);
      await page.goBack();
    });

    await test.step("side by side has no “others”", async () => {
      await page.getByTestId("option-bars").selectOption("side");
      await expect(bars.first().getByRole("button")).toHaveCount(9);
    });
    await page.goto("about:blank");
  } finally {
    await hadal.stop();
  }
});
