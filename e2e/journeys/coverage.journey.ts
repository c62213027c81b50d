import type { Page } from "@playwright/test";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const table = "pulse";
/** The age of the first row, in a range of an hour. */
const rowMinutes = 30;

/** Three rows per second, one per city, in one body that is distributed over the leaves. */
async function fill({ client }: Hadal): Promise<void> {
  const nowMs = Date.now();
  const lines = Array.from({ length: rowMinutes * 180 }, (_, i) =>
    JSON.stringify({ time: nowMs - i * 333, city: ["Aachen", "Berlin", "Cologne"][i % 3] }),
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
