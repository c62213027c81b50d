import { axeFile, faultsOf } from "../fixtures/axe.js";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const table = "pulse";
const minuteMs = 60_000;
const fromMs = Date.UTC(2026, 4, 13, 12);
const rows = Array.from({ length: 1_800 }, (_, i) =>
  JSON.stringify({ time: fromMs + i * 1_000, city: "Aachen" }),
);

test("annotations are shown, made by hand, and compared before and after", async ({ page }) => {
  const hadal = await startHadal({ leaves: 1, demoRows: 0 });
  try {
    await hadal.client.ingestBody(table, rows.join("\n"), { contentType: "application/x-ndjson" });
    await hadal.client.annotations.create({
      ...{ time: fromMs + 10 * minuteMs, title: "<b>Release</b> 4.2", text: "New checkout" },
      tables: [table],
    });
    await hadal.client.annotations.create({ time: fromMs, title: "other", tables: ["orders"] });
    const range = `from=${fromMs}&to=${fromMs + 30 * minuteMs}`;
    await page.addInitScript({ path: axeFile });
    await page.goto(
      `${hadal.url}/explore?v=1&table=${table}&${range}&tz=UTC&view=timeseries&bucket=1m`,
    );
    const flags = page.getByTestId("annotation");
    await expect(flags).toHaveCount(1);

    await test.step("focus shows title and text, as text", async () => {
      await flags.focus();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      await expect(flags).toContainText("<b>Release</b> 4.2");
      await expect(flags.getByText("New checkout")).toBeVisible();
    });

    await test.step("a click on the chart annotates that moment", async () => {
      const box = await page.getByTestId("chart").boundingBox();
      if (box === null) throw new Error("there is no chart");
      await page.mouse.click(box.x + 64 + (box.width - 80) * 0.75, box.y + 150);
      await page.getByTestId("annotate").click();
      await page.getByTestId("annotation-title").fill("Rollback");
      await page.getByTestId("annotation-save").click();
      await expect(flags).toHaveCount(2);
      const saved = await hadal.client.annotations.list({ table });
      expect(saved.map(({ title }) => title)).toEqual(["<b>Release</b> 4.2", "Rollback"]);
    });

    await test.step("on a phone, light and dark", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await expect(flags).toHaveCount(2);
        await flags.last().focus();
        expect(await faultsOf(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1_280, height: 800 });
    });

    await test.step("before and after, by the keyboard", async () => {
      await flags.first().focus();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("value-menu")).toContainText("<b>Release</b> 4.2");
      await page.getByTestId("before-after").click();
      await expect(page).toHaveURL(/from=2026-05-13T12:10:00.000Z&to=2026-05-13T12:20:00.000Z/);
      await expect(page).toHaveURL(/compare=600s/);
    });
    await page.goto("about:blank");
  } finally {
    await hadal.stop();
  }
});
