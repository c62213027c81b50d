import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const table = "pulse";
const rowsPerBatch = 500;
const batches = 24;

/** Enough batches for both leaves to store many rows. */
async function fill({ client }: Hadal): Promise<void> {
  const newestMs = Date.now() - 60_000;
  for (let batch = 0; batch < batches; batch++) {
    const lines = Array.from({ length: rowsPerBatch }, (_, index) => {
      const id = batch * rowsPerBatch + index;
      return JSON.stringify({ time: newestMs - id * 500, id, city: `city-${id % 5}` });
    });
    await client.ingestBody(table, lines.join("\n"), { contentType: "application/x-ndjson" });
  }
}

/** Kills the leaf's process; false: it has none. */
async function killLeaf(hadal: Hadal, id: string): Promise<boolean> {
  const leaf = (await hadal.leaves()).find((found) => found.id === id);
  if (leaf?.pid == null || leaf.state === "dead") return false;
  try {
    return process.kill(leaf.pid, "SIGKILL");
  } catch {
    return false;
  }
}

test("a killed leaf: the status line turns amber and names it, and clears when the leaf is back", async ({
  page,
}) => {
  const hadal = await startHadal({ leaves: 2, demoRows: 0 });
  try {
    await fill(hadal);
    const address = `${hadal.url}/explore?v=1&table=${table}&from=-3h&to=now&view=table&group=city`;
    await page.goto(address);
    const line = page.getByTestId("status-line");
    await expect(line).toContainText(/100 % of rows · .*2\/2 leaves/);
    await expect(page.getByTestId("result")).toContainText("city-4");

    const rowsOfLeaves = async () => (await hadal.leaves()).map(({ rows }) => rows);
    // Members report their rows with every heartbeat.
    await expect.poll(async () => Math.min(...(await rowsOfLeaves()))).toBeGreaterThan(0);
    const [leaf] = await hadal.leaves();
    const id = leaf?.id ?? "";
    await test.step("dead: the line is amber and names the leaf", async () => {
      // The supervisor may restart the leaf before the query arrives: it is killed again.
      await expect(async () => {
        await killLeaf(hadal, id);
        await page.getByTestId("dive").click();
        await expect(line).toHaveAttribute("data-incomplete", "true", { timeout: 1_000 });
      }).toPass({ timeout: 30_000 });
      await expect(line).toContainText("1/2 leaves");
      await expect(page.getByTestId("missing-leaves")).toContainText(id);
      // The rows of the other leaf are still shown.
      await expect(page.getByTestId("result")).toContainText("city-4");
    });

    await test.step("the details offer to run the query again, or exactly", async () => {
      await line.getByTitle("About this answer").click();
      await expect(page.getByTestId("retry")).toBeVisible();
      await page.getByTestId("make-exact").click();
      await expect(page).toHaveURL(/exact=1/);
      await page.keyboard.press("Escape");
    });

    await test.step("rows that the dead leaf may have are not reported as absent", async () => {
      let batch = 0;
      await expect(async () => {
        const row = (batch++ % batches) * rowsPerBatch;
        await page.goto(`${address}&filter=id:eq:${row}`);
        await killLeaf(hadal, id);
        await page.getByTestId("dive").click();
        await expect(line).toHaveAttribute("data-incomplete", "true", { timeout: 1_000 });
        const panel = page.getByTestId("empty-panel");
        await expect(panel).toContainText("Nothing found so far", { timeout: 1_000 });
        await expect(panel).toContainText(`no answer from ${id}`, { timeout: 1_000 });
      }).toPass({ timeout: 60_000 });
    });

    await test.step("the list of columns reports that it was counted without the leaf", async () => {
      await expect(async () => {
        await killLeaf(hadal, id);
        await page.goto(address);
        const trouble = page.getByTestId("facets-trouble");
        await expect(trouble).toContainText(`no answer from ${id}`, { timeout: 3_000 });
      }).toPass({ timeout: 60_000 });
    });

    await test.step("the values of a filter report the same", async () => {
      await page.goto(address);
      await page.getByTestId("add-filter").click();
      await page.keyboard.type("city");
      await page.keyboard.press("Enter");
      const values = page.getByTestId("filter-value");
      await expect(async () => {
        await killLeaf(hadal, id);
        for (const text of ["city-", "city"]) await values.locator("input").fill(text);
        await expect(values).toContainText(`no answer from ${id}`, { timeout: 1_000 });
      }).toPass({ timeout: 60_000 });
      await page.keyboard.press("Escape");
    });

    await test.step("restarted by its supervisor: complete again", async () => {
      await expect(async () => {
        await page.getByTestId("dive").click();
        // The previous complete answer stays until the next one arrives.
        await expect(line).toHaveAttribute("data-busy", "false", { timeout: 3_000 });
        await expect(line).toContainText(/100 % of rows · .*2\/2 leaves/, { timeout: 100 });
      }).toPass({ timeout: 30_000 });
      await expect(line).toHaveAttribute("data-incomplete", "false");
      await expect(page.getByTestId("missing-leaves")).toHaveCount(0);
      const back = (await hadal.leaves()).find((found) => found.id === id);
      expect(back?.pid).not.toBe(leaf?.pid);
    });
  } finally {
    // An open page would report that its server does not respond.
    await page.goto("about:blank");
    await hadal.stop();
  }
});
