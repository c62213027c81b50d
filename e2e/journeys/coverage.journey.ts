import type { Page } from "@playwright/test";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const table = "pulse";
/** The age of the first row, in a range of an hour. */
const rowMinutes = 30;

/** Three rows per second, one per city, in one body that is distributed over the leaves. */
async function fill({ client }: Hadal, newestMs = Date.now(), minutes = rowMinutes): Promise<void> {
  const lines = Array.from({ length: minutes * 180 }, (_, i) =>
    JSON.stringify({ time: newestMs - i * 333, city: ["Aachen", "Berlin", "Cologne"][i % 3] }),
  );
  await client.ingestBody(table, lines.join("\n"), { contentType: "application/x-ndjson" });
}

const addressOf = ({ url }: Hadal, more: string): string =>
  `${url}/explore?v=1&table=${table}&from=-1h&to=now&view=timeseries&group=city${more}`;

/** The text of the chart for the time at a share of its width. */
async function noteAt(page: Page, share: number): Promise<string> {
  const box = await page.getByTestId("chart").boundingBox();
  if (box === null) throw new Error("there is no chart");
  // The value axis is left of the plot.
  const left = box.x + 64 + (box.width - 80) * share;
  await page.mouse.move(left - 2, box.y + box.height * 0.4);
  await page.mouse.move(left, box.y + box.height * 0.4);
  const note = page.locator(".chart-tooltip-note");
  return (await note.count()) === 0 ? "" : ((await note.textContent()) ?? "");
}

test("a chart explains incomplete times, and a legend shows lower bounds", async ({ page }) => {
  const hadal = await startHadal({ leaves: 2, demoRows: 0 });
  let stopped: number | null = null;
  try {
    await fill(hadal);
    await test.step("before the first row, complete, and not over yet", async () => {
      await page.goto(addressOf(hadal, ""));
      await expect(page.getByTestId("legend")).toContainText("Cologne");
      await expect.poll(() => noteAt(page, 0.1)).toBe("before the table's first row");
      await expect.poll(() => noteAt(page, 0.75)).toBe("");
      await expect.poll(() => noteAt(page, 0.999)).toContain("still open");
    });

    await test.step("side B has no rows: no difference is shown", async () => {
      await page.goto(addressOf(hadal, "&compare=1w"));
      const row = page.getByTestId("legend-row").first();
      await expect(row).toContainText("–");
      await expect(row).not.toContainText("new");
    });

    await test.step("without an answer from one leaf the numbers are lower bounds", async () => {
      const [leaf] = await hadal.leaves();
      stopped = leaf?.pid ?? null;
      if (stopped === null) throw new Error("the leaf has no process");
      process.kill(stopped, "SIGSTOP");
      await page.goto(addressOf(hadal, ""));
      await expect(page.getByTestId("status-line")).toContainText("1/2 leaves");
      await expect(page.getByTestId("legend-row").first()).toContainText("≥");
      const note = new RegExp(`of its rows: no answer from ${leaf?.id}`);
      await expect.poll(() => noteAt(page, 0.75)).toMatch(note);
    });
  } finally {
    if (stopped !== null) process.kill(stopped, "SIGCONT");
    // An open page would reconnect to its server.
    await page.goto("about:blank");
    await hadal.stop();
  }
});

test("a chart shades thinned times and says what share of their rows was kept", async ({
  page,
}) => {
  // Rows are thinned once they are sealed, and all of a segment at once.
  const hadal = await startHadal({ leaves: 1, demoRows: 0, flags: ["--seal-after", "1"] });
  try {
    const afterMs = 10 * 60_000;
    const nowMs = Date.now();
    await fill(hadal, nowMs - afterMs, 20);
    await hadal.client.setTable(table, { thinning: [{ afterMs, keepOneIn: 20 }] });
    await expect
      .poll(async () => (await hadal.client.table(table)).rows, { timeout: 60_000 })
      .toBe((20 * 180) / 20);
    await fill(hadal, nowMs, 10);
    await page.goto(addressOf(hadal, ""));
    await expect(page.getByTestId("legend")).toContainText("Cologne");
    const key = page.getByTestId("thinned-key");
    await expect(key).toHaveText("one row of 20 kept");
    await test.step("the tooltip says so where the chart is shaded, and nowhere else", async () => {
      await expect.poll(() => noteAt(page, 0.7)).toBe("about one row of 20 was kept");
      await expect.poll(() => noteAt(page, 0.93)).toBe("");
    });
    for (const theme of ["light", "dark"] as const) {
      for (const width of [1_280, 420]) {
        await test.step(`${theme}, ${width} pixels wide`, async () => {
          await page.emulateMedia({ colorScheme: theme });
          await page.setViewportSize({ width, height: 900 });
          await expect(key).toBeVisible();
          await page.mouse.move(0, 0);
          await expect.poll(() => stripWidth(page)).toBeGreaterThan(0.2);
          expect(await stripWidth(page)).toBeLessThan(0.45);
        });
      }
    }
  } finally {
    await page.goto("about:blank");
    await hadal.stop();
  }
});

/** The share of the chart's width where the strip of thinned rows is drawn, by the pixels on the screen. */
const stripWidth = (page: Page): Promise<number> =>
  page.getByTestId("chart").evaluate((chart) => {
    const canvas = chart.querySelector("canvas");
    const pen = canvas?.getContext("2d");
    if (canvas == null || pen == null) return 0;
    const probe = document.createElement("span");
    probe.style.color = "var(--edge)";
    chart.append(probe);
    const [red, green, blue] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
    probe.remove();
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const columns = new Set<number>();
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue) continue;
      columns.add((at / 4) % canvas.width);
    }
    return columns.size / canvas.width;
  });
