import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const table = "pulse";
const rowsPerBatch = 500;
const batches = 24;

/** Enough batches that both leaves hold a good share of the rows. */
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

/** Ends the leaf's process as a crash would; false while it has none to end. */
async function killLeaf(hadal: Hadal, id: string): Promise<boolean> {
  const leaf = (await hadal.leaves()).find((found) => found.id === id);
  if (leaf?.pid == null || leaf.state === "dead") return false;
  try {
    return process.kill(leaf.pid, "SIGKILL");
  } catch {
    return false;
  }
}

test("a killed leaf: the line turns amber and names it, then clears when it is back", async ({
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
    // Members tell of their rows with every heartbeat.
    await expect.poll(async () => Math.min(...(await rowsOfLeaves()))).toBeGreaterThan(0);
    const [leaf] = await hadal.leaves();
    const id = leaf?.id ?? "";
    await test.step("dead: amber, and its name", async () => {
      // Its supervisor is quick: where it was back before the question came, it dies once more.
      await expect(async () => {
        await killLeaf(hadal, id);
        await page.getByTestId("dive").click();
        await expect(line).toHaveAttribute("data-incomplete", "true", { timeout: 1_000 });
      }).toPass({ timeout: 30_000 });
      await expect(line).toContainText("1/2 leaves");
      await expect(page.getByTestId("missing-leaves")).toContainText(id);
      // What the other leaf holds is still there.
      await expect(page.getByTestId("result")).toContainText("city-4");
    });

    await test.step("its receipt offers to ask again, or for every row", async () => {
      await line.getByTitle("About this answer").click();
      await expect(page.getByTestId("retry")).toBeVisible();
      await page.getByTestId("make-exact").click();
      await expect(page).toHaveURL(/exact=1/);
      await page.keyboard.press("Escape");
    });

    await test.step("rows that only the dead one may have are not said to be missing", async () => {
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

    await test.step("the columns beside say that they were counted without it", async () => {
      await expect(async () => {
        await killLeaf(hadal, id);
        await page.goto(address);
        const trouble = page.getByTestId("facets-trouble");
        await expect(trouble).toContainText(`no answer from ${id}`, { timeout: 3_000 });
      }).toPass({ timeout: 60_000 });
    });

    await test.step("and so do the values of a filter", async () => {
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

    await test.step("restarted by its supervisor: whole again", async () => {
      await expect(async () => {
        await page.getByTestId("dive").click();
        // The answer before may have been whole: it stays until there is another.
        await expect(line).toHaveAttribute("data-busy", "false", { timeout: 3_000 });
        await expect(line).toContainText(/100 % of rows · .*2\/2 leaves/, { timeout: 100 });
      }).toPass({ timeout: 30_000 });
      await expect(line).toHaveAttribute("data-incomplete", "false");
      await expect(page.getByTestId("missing-leaves")).toHaveCount(0);
      const back = (await hadal.leaves()).find((found) => found.id === id);
      expect(back?.pid).not.toBe(leaf?.pid);
    });
  } finally {
    // A page that still asks would report that nobody answers any more.
    await page.goto("about:blank");
    await hadal.stop();
  }
});
