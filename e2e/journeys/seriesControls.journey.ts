import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.js";

const twelve = "/explore?v=1&table=requests&from=-3h&to=now&tz=UTC&group=service&series=12";

const optionsOf = (page: Page): readonly string[] => new URL(page.url()).searchParams.getAll("opt");
const legendRow = (page: Page, at: number): Locator => page.getByTestId("legend-row").nth(at);
const nameOf = async (row: Locator): Promise<string> =>
  ((await row.getByRole("gridcell").first().textContent()) ?? "").trim();

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  await expect(page.getByTestId("series-key")).toContainText("12 lines");
}

declare global {
  interface Window {
    drawnTexts: string[];
  }
}

/** Records the text that the page draws on canvases, such as axis labels. */
function noteDrawnTexts(): void {
  window.drawnTexts = [];
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function fillText(...text) {
    window.drawnTexts.push(text[0]);
    draw.apply(this, text);
  };
}

const drawnTexts = (page: Page): Promise<string[]> => page.evaluate(() => window.drawnTexts);

/** The label of a chart names its lines. */
const chart = (page: Page): Locator => page.getByRole("group", { name: /^Time series of/ });

test("lines are isolated and hidden from the legend, also by keyboard, and stay hidden", async ({
  page,
  hadal,
}) => {
  await open(page, `${hadal.url}${twelve}&view=timeseries`);
  const [first, second] = [await nameOf(legendRow(page, 0)), await nameOf(legendRow(page, 1))];
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") requests.push(request.url());
  });
  const key = page.getByTestId("series-key");

  await test.step("a click on a color shows its line only, another click all lines", async () => {
    const alone = legendRow(page, 0).getByTestId("isolate-line");
    await alone.click();
    await expect(alone).toHaveAttribute("aria-pressed", "true");
    await expect(key).toContainText("1 of 12 shown");
    await expect(chart(page)).toHaveAccessibleName(`Time series of count: ${first}`);
    await alone.click();
    await expect(key).toContainText("12 lines");
    expect(optionsOf(page)).toEqual([]);
  });

  await test.step("the eye hides a line; its total stays in the legend", async () => {
    await legendRow(page, 0).hover();
    await legendRow(page, 0).getByTestId("hide-line").click();
    await expect(key).toContainText("11 of 12 shown");
    await expect(chart(page)).not.toHaveAccessibleName(new RegExp(`\\b${first}\\b`));
    await expect(page.getByTestId("legend-row")).toHaveCount(12);
    await expect(legendRow(page, 0)).toContainText(first);
  });

  await test.step("by keyboard, Shift hides", async () => {
    const next = legendRow(page, 1).getByTestId("isolate-line");
    await next.focus();
    await page.keyboard.press("Shift+Enter");
    await expect(key).toContainText("10 of 12 shown");
    await expect(legendRow(page, 1).getByTestId("hide-line")).toHaveAttribute(
      "aria-pressed",
      "true",
    );
  });

  expect(requests, "choosing lines sends no request").toEqual([]);

  await test.step("a reload, and the next live answer, keep what is hidden", async () => {
    await page.reload();
    await expect(key).toContainText("10 of 12 shown");
    await expect(chart(page)).not.toHaveAccessibleName(new RegExp(`\\b${second}\\b`));
    await page.getByRole("button", { name: "live" }).click();
    await expect(page).toHaveURL(/live=1/);
    await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
    await expect(key).toContainText("10 of 12 shown");
  });

  await test.step("all lines are shown again, and Back hides them", async () => {
    await page.getByTestId("show-all-lines").click();
    await expect(key).toContainText("12 lines");
    await page.goBack();
    await expect(key).toContainText("10 of 12 shown");
  });
});

test("scale, thresholds, average and bars are chosen in one place and kept in the address", async ({
  page,
  hadal,
}) => {
  await page.addInitScript(noteDrawnTexts);
  await open(page, `${hadal.url}${twelve}&view=timeseries&agg=p95:latency_us`);
  const panel = page.getByTestId("panel-name");
  await page.getByTestId("scale-and-lines").click();

  await test.step("axis ends are amounts with units, and the labels follow", async () => {
    await page.getByTestId("axis-max").fill("130");
    await expect(page.getByTestId("axis-max")).toHaveAttribute("aria-invalid", "true");
    await page.getByTestId("axis-max").fill("130ms");
    await page.evaluate(() => {
      window.drawnTexts = [];
    });
    await page.keyboard.press("Enter");
    await expect(panel).toContainText(/\d values? above 130 ms/);
    await expect.poll(() => drawnTexts(page)).toContain("50 ms");
    expect(await drawnTexts(page)).not.toContain("200 ms");
  });

  await test.step("a log scale, and thresholds", async () => {
    await page.getByTestId("axis-log").check();
    await expect(panel).toContainText("p95 latency_us · log scale");
    await page.getByTestId("axis-thresholds").fill("60ms, 250ms");
    await page.keyboard.press("Enter");
    await expect(panel).toContainText("threshold 250 ms is off the axis");
  });

  await test.step("the average is named", async () => {
    await page.getByTestId("option-average").fill("5");
    await page.keyboard.press("Enter");
    await expect(panel).toContainText("p95 latency_us, average of 5");
    await expect(page.getByTestId("series-key")).toContainText("average of 5 buckets");
  });

  await test.step("a log scale has no bars", async () => {
    await page.getByTestId("option-draw").selectOption("bars");
    await expect(panel).toContainText("bars begin at 0, which a log scale has not");
    await page.keyboard.press("Escape");
  });

  await test.step("the address and the picture keep all options", async () => {
    await page.goto(page.url());
    await expect(panel).toContainText("average of 5 · log scale");
    await expect(page.getByTestId("scale-and-lines")).toContainText("average of 5, log scale");
    await page.getByTestId("share").click();
    const download = page.waitForEvent("download");
    await page.getByTestId("share-svg").click();
    const svg = await readFile(await (await download).path(), "utf8");
    expect(svg).toContain("average of 5 · log scale");
    // The dashed threshold within the axis.
    expect(svg).toContain('stroke-dasharray="6 3"');
    expect(svg).not.toContain("NaN");
  });
});

test("two sides of many lines show the difference; the overlay dots the focused line", async ({
  page,
  hadal,
}) => {
  await open(page, `${hadal.url}${twelve}&view=timeseries&compare=1d`);
  const panel = page.getByTestId("panel-name");
  const key = page.getByTestId("sides-key");
  await expect(panel).toContainText("count: now − 1 day earlier");
  await expect(key).toContainText("now − 1 day earlier · grey: may be no change");

  await test.step("as ratio", async () => {
    await page.getByTestId("option-versus").selectOption("ratio (A ÷ B)");
    await expect(panel).toContainText("count: now ÷ 1 day earlier");
  });

  await test.step("as overlay, with a key for solid and dotted lines", async () => {
    await page.getByTestId("option-versus").selectOption("solid and dotted lines");
    await expect(key).toContainText("now");
    await expect(key).toContainText("1 day earlier (of the line you point at)");
    await legendRow(page, 0).getByTestId("isolate-line").click();
    await expect(key).not.toContainText("of the line you point at");
    await page.getByTestId("share").click();
    const download = page.waitForEvent("download");
    await page.getByTestId("share-svg").click();
    const svg = await readFile(await (await download).path(), "utf8");
    expect(svg).toContain('stroke-dasharray="1.3 1.3"');
  });
});

test("a stack with hidden lines states that its top is not the total, and keeps the shares", async ({
  page,
  hadal,
}) => {
  await open(page, `${hadal.url}${twelve}&view=area&opt=stack:share`);
  await legendRow(page, 0).hover();
  await legendRow(page, 0).getByTestId("hide-line").click();
  await expect(page.getByTestId("series-key")).toContainText("11 of 12 shown");
  await expect(page.getByTestId("series-key")).toContainText("the top is not the total");
});
