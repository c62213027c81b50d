import { readFile } from "node:fs/promises";
import { expect, test } from "../fixtures/test.js";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("share: short and frozen links lead to the same answer, CSV holds it with its completeness", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=table&agg=count&group=service`,
  );
  const line = page.getByTestId("status-line");
  await expect(line).toHaveAttribute("data-final", "true");
  const question = page.url();
  const copied = async (testId: string): Promise<string> => {
    await page.getByTestId("share").click();
    await page.getByTestId(testId).click();
    await expect(page.getByTestId("share-outcome")).toContainText("Copied");
    await page.keyboard.press("Escape");
    return page.evaluate(() => navigator.clipboard.readText());
  };

  expect(await copied("share-link")).toBe(question);
  const short = await copied("share-short");
  expect(short).toMatch(/\/s\/[a-z2-9]{10}$/);
  const frozen = await copied("share-frozen");
  expect(frozen).toMatch(/from=20\d\d-.*to=20\d\d-/);
  await page.goto(short);
  await expect(page).toHaveURL(question);
  await page.goto(frozen);
  await expect(page.getByTestId("result-table")).toContainText("checkout");

  await page.getByTestId("share").click();
  const download = page.waitForEvent("download");
  await page.getByTestId("share-csv").click();
  const file = await (await download).path();
  const lines = (await readFile(file, "utf8")).split("\r\n");
  expect(lines[0]).toBe("service,count,count.raw");
  expect(lines.some((row) => row.startsWith("checkout,"))).toBe(true);
  expect(lines.at(-3)).toMatch(/^# completeness: 1; rows \d+\/\d+; leaves 2\/2$/);
});

test("past questions are named by what they ask, can be searched, and open again", async ({
  page,
  hadal,
}) => {
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
