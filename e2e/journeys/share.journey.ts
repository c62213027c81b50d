import { readFile } from "node:fs/promises";
import { expect, test } from "../fixtures/test.js";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("share: short and frozen links lead to the same answer, CSV contains it with its completeness", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=table&agg=count&group=service`,
  );
  const line = page.getByTestId("status-line");
  await expect(line).toHaveAttribute("data-final", "true");
  const address = page.url();
  const copied = async (testId: string): Promise<string> => {
    await page.getByTestId("share").click();
    await page.getByTestId(testId).click();
    await expect(page.getByTestId("share-outcome")).toContainText("Copied");
    await page.keyboard.press("Escape");
    return page.evaluate(() => navigator.clipboard.readText());
  };

  expect(await copied("share-link")).toBe(address);
  const short = await copied("share-short");
  expect(short).toMatch(/\/s\/[a-z2-9]{10}$/);
  const frozen = await copied("share-frozen");
  expect(frozen).toMatch(/from=20\d\d-.*to=20\d\d-/);
  await page.goto(short);
  await expect(page).toHaveURL(address);
  await page.goto(frozen);
  await expect(page.getByTestId("result-table")).toContainText("checkout");

  await page.getByTestId("share").click();
  const download = page.waitForEvent("download");
  await page.getByTestId("share-csv").click();
  const file = await (await download).path();
  const lines = (await readFile(file, "utf8")).split("\r\n");
  expect(lines[0]).toBe("service,count,count.low,count.high,count.raw");
  expect(lines.some((row) => row.startsWith("checkout,"))).toBe(true);
  expect(lines.at(-4)).toMatch(/^# completeness: 1; rows \d+\/\d+; leaves 2\/2$/);
});

const hostile = `<img src=x onerror="alert(1)">&'`;
/** A label shortened to fit its bar. */
const cut = `<img src=x oner…="alert(1)">&'`;

test("C17, S90: a chart saved as SVG has its names and numbers and no script; a table gives a reason", async ({
  page,
  hadal,
}) => {
  const names = [hostile, "\u202Ertl 🐟", "cart"];
  const rows = names.flatMap((name, i) => Array.from({ length: 3 - i }, () => ({ name })));
  const lines = rows.map((row, i) => JSON.stringify({ ...row, time: 1_795_000_000_000 + i }));
  await hadal.client.ingestBody("named", lines.join("\n"), { contentType: "application/x-ndjson" });
  const address = `${hadal.url}/explore?v=1&table=named&from=1794990000000&to=1795010000000&group=name`;
  await page.goto(`${address}&view=bar`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  // The chart appears after the answer, because its code loads on demand.
  await expect(page.getByTestId("chart").locator("canvas").first()).toBeVisible();
  await page.getByTestId("share").click();
  const download = page.waitForEvent("download");
  await page.getByTestId("share-svg").click();
  const svg = await readFile(await (await download).path(), "utf8");

  const found = await page.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const all = [root, ...Array.from(root.querySelectorAll("*"))];
    return {
      names: [...new Set(all.map(({ localName }) => localName))].sort(),
      listeners: all.filter((one) =>
        Array.from(one.attributes).some(({ name }) => /^on/i.test(name)),
      ).length,
      texts: Array.from(root.querySelectorAll("text"), ({ textContent }) => textContent),
    };
  }, svg);
  expect(found.listeners).toBe(0);
  for (const name of ["script", "foreignObject", "a", "parsererror", "img"]) {
    expect(found.names).not.toContain(name);
  }
  for (const text of [cut, "cart", "3", "2", "1", "count"]) expect(found.texts).toContain(text);
  expect(found.texts.join("\n")).toMatch(/100 % of rows · .*2\/2 leaves/);

  await page.goto(`${address}&view=table`);
  await expect(page.getByTestId("result-table")).toContainText("cart");
  await page.getByTestId("share").click();
  await expect(page.getByTestId("share-svg")).toBeDisabled();
  await expect(page.getByTestId("share-svg")).toContainText("a table is text: save it as CSV");
});

test("past queries have titles, can be searched, and reopen", async ({ page, hadal }) => {
  const remembered = (text: string) =>
    page.waitForFunction((part) => localStorage.getItem("hadal.history")?.includes(part), text);
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=table&group=country`,
  );
  await remembered("by country");
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=bar&group=device`);
  await remembered("by device");
  await page.getByTestId("history").click();
  const list = page.getByTestId("history-list");
  await expect(list.getByRole("option").first()).toContainText("count by device");
  await page.keyboard.type("by country");
  await expect(list.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/group=country/);
  await page.keyboard.press("Control+k");
  await expect(page.getByTestId("palette").getByRole("combobox")).toBeFocused();
  await page.keyboard.type("count by device");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/view=bar.*group=device/);
});

test("the answer on the screen is saved as a picture", async ({ page, hadal }) => {
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries`);
  await expect(page.getByTestId("result").locator("canvas").first()).toBeVisible();
  await page.getByTestId("share").click();
  const saved = page.waitForEvent("download");
  await page.getByTestId("share-png").click();
  const stream = await (await saved).createReadStream();
  const head = await new Promise<Buffer>((resolve) => stream.once("data", resolve));
  expect(head.subarray(1, 4).toString()).toBe("PNG");
});
