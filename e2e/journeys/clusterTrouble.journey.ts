import { startMachines } from "../fixtures/startMachines.js";
import { expect, test } from "../fixtures/test.js";

const startMs = Date.UTC(2025, 2, 1, 10);
const rowCount = 2_000;
const query = { table: "visits", from: startMs, to: startMs + 3_600_000 } as const;

test("a machine of a real cluster is killed and comes back, as the status page says", async ({
  page,
}, info) => {
  test.setTimeout(180_000);
  const machines = await startMachines(3);
  try {
    for (let at = 0; at < rowCount; at += 100) {
      const lines = Array.from({ length: 100 }, (_, i) =>
        JSON.stringify({ time: startMs + at + i, n: at + i }),
      );
      const options = { contentType: "application/x-ndjson", ack: "durable" } as const;
      await machines.client.ingestBody("visits", lines.join("\n"), options);
    }
    await page.goto(`${machines.url}/status`);
    const listed = page.getByTestId("machine");
    const second = listed.filter({ hasText: "m2" });
    const sentences = page.getByTestId("cluster-sentence");
    await expect(listed).toHaveCount(3);
    // Once each row is on two machines there is nothing to say.
    await expect(sentences).toHaveCount(0, { timeout: 60_000 });

    await machines.kill(2);
    await expect(second).toContainText("suspect", { timeout: 20_000 });
    await expect(sentences.filter({ hasText: "m2 has not been heard from" })).toBeVisible();
    await expect(second).toContainText("dead", { timeout: 30_000 });
    const dead = sentences.filter({ hasText: "m2 is dead: copies answer for its leaves." });
    await expect(dead).toBeVisible();
    const { completeness } = await machines.client.query(query);
    expect(completeness).toMatchObject({ fraction: 1, rowsAnswered: rowCount });
    for (const [width, colorScheme] of [
      [1_280, "light"],
      [390, "dark"],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await expect(dead).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.screenshot({ path: info.outputPath(`dead-${width}.png`), fullPage: true });
    }

    await machines.start(2);
    await expect(second).toContainText("alive", { timeout: 30_000 });
    await expect(sentences).toHaveCount(0, { timeout: 60_000 });
    const again = await machines.client.query(query);
    expect(again.completeness).toMatchObject({ fraction: 1, rowsAnswered: rowCount });
  } finally {
    await page.goto("about:blank");
    await machines.stop();
  }
});
