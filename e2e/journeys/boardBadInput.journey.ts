import type { Page } from "@playwright/test";
import { createBoard, query, settled, test, tileOf } from "../fixtures/boards.js";
import { expect } from "../fixtures/test.js";

/** Each would run a script, or show a picture, if it were taken for HTML. */
const html = "<img src=x onerror=alert(1)>";
const long = (text: string) => text.repeat(200).slice(0, 200);

const noOverflow = async (page: Page, width: number) => {
  await page.setViewportSize({ width, height: 840 });
  const widest = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(widest).toBeLessThanOrEqual(width);
};

test("a board of 500 tiles opens, and only what is on the screen is asked", async ({
  page,
  own,
}) => {
  const tiles = Array.from({ length: 500 }, (_, i) => ({
    ...{ id: `t${i}`, title: `Tile ${i}`, x: (i % 4) * 3, y: Math.floor(i / 4) * 3, w: 3, h: 3 },
    ...{ query, view: i % 2 === 0 ? "timeseries" : "bignumber" },
  }));
  const path = await createBoard(own, "Five hundred", { sections: [{ title: "All", tiles }] });
  await page.goto(own.url + path);
  await settled(page);
  await expect(page.getByTestId("tile")).toHaveCount(500);
  const answered = page.locator("[data-testid=tile]:has([data-testid=result])");
  const first = await answered.count();
  expect(first).toBeGreaterThan(3);
  // Far from all: those of one screen, and of the next.
  expect(first).toBeLessThan(60);
  const last = tileOf(page, "t499");
  await expect(last.getByTestId("result")).toHaveCount(0);

  await page.getByTestId("board-scroll").evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(last.getByTestId("result")).toBeVisible();
  await settled(page);
  expect(await answered.count()).toBeLessThan(120);
  await page.goto("about:blank");
});

test("501 tiles are refused, and the board says so", async ({ own }) => {
  const tiles = Array.from({ length: 501 }, (_, i) => ({ id: `t${i}`, text: "x" }));
  await expect(createBoard(own, "Too many", { sections: [{ tiles }] })).rejects.toMatchObject({
    code: "invalid-query",
    message: expect.stringContaining("at most 500"),
  });
});

test("tiles whose table, column or saved query is gone say so; the others answer", async ({
  page,
  own,
  pageErrors,
}) => {
  const rows = `{"time":${Date.now()},"page":"a"}`;
  await own.client.ingestBody("passing", rows, { contentType: "application/x-ndjson" });
  const place = (i: number) => ({ x: i * 3, y: 0, w: 3, h: 5, view: "timeseries" });
  const saved = await own.client.documents.create({
    ...{ kind: "query", title: "Gone soon", body: { query } },
  });
  const tiles = [
    { id: "table", ...place(0), query: { ...query, table: "passing" } },
    { id: "column", ...place(1), query: { ...query, groupBy: ["no_such_column"] } },
    { id: "saved", ...place(2), savedQuery: saved.id },
    { id: "sound", ...place(3), query },
  ];
  const path = await createBoard(own, "Gone", { sections: [{ title: "All", tiles }] });
  await own.client.deleteTable("passing");
  await own.client.documents.delete(saved.id);
  await page.goto(own.url + path);
  await settled(page);
  await expect(tileOf(page, "table")).toContainText("There is no table passing");
  await expect(tileOf(page, "column")).toContainText("no_such_column");
  await expect(tileOf(page, "saved")).toContainText("The saved query is gone");
  await expect(tileOf(page, "sound").getByTestId("result")).toBeVisible();
  await expect(page.getByTestId("board-status")).toContainText("3 tiles have no answer");

  await test.step("the table comes back", async () => {
    await own.client.ingestBody("passing", rows, { contentType: "application/x-ndjson" });
    await tileOf(page, "table").getByRole("button", { name: "Try again" }).click();
    await expect(tileOf(page, "table").getByTestId("result")).toBeVisible();
  });
  // The browser reports the 404 of the table and of the saved query.
  expect(pageErrors.splice(0).every((text) => text.includes("404"))).toBe(true);
  await page.goto("about:blank");
});

for (const [name, text] of [
  ["HTML in every text is shown as text", html],
  ["texts of 200 characters do not widen the page", long("word ")],
  ["texts of 200 characters without a space do not, either", long("w")],
] as const) {
  test(name, async ({ page, own }) => {
    page.on("dialog", () => expect(false, "a script ran").toBe(true));
    const title = text.trim();
    const variables = [{ name: title, table: "requests", column: "service" }];
    const tiles = [
      { id: "one", title, x: 0, y: 0, w: 6, h: 5, query, view: "timeseries" },
      { id: "text", title, x: 6, y: 0, w: 3, h: 3, text: `${title} [link](javascript:alert(1))` },
      { id: "line", title, x: 0, y: 5, w: 12, h: 1, divider: true },
    ];
    const sections = [{ title, tiles }];
    const path = await createBoard(own, title, { variables, sections });
    await own.client.annotations.create({
      ...{ time: Date.now() - 3_600_000, title, text: title, tables: ["requests"] },
    });
    await page.goto(own.url + path);
    await settled(page);
    await expect(page.getByTestId("board-title")).toHaveText(title);
    await expect(page.getByTestId("fold-section")).toContainText(title);
    await expect(tileOf(page, "one").getByRole("heading", { level: 3 })).toHaveText(title);
    await expect(tileOf(page, "text").getByTestId("tile-text")).toContainText(title.slice(0, 40));
    await expect(page.getByTestId("variable")).toHaveAttribute("data-variable", title);
    await expect(tileOf(page, "one").getByTestId("annotation").first()).toBeVisible();
    await tileOf(page, "one").getByTestId("annotation").first().focus();
    await expect(page.locator("main img, [onerror], a[href^='javascript:']")).toHaveCount(0);
    for (const width of [1_280, 390]) await noOverflow(page, width);

    await page.setViewportSize({ width: 1_280, height: 840 });
    await page.getByTestId("arrange").click();
    await noOverflow(page, 1_280);
    await page.goto(`${own.url}/dashboards`);
    await expect(page.getByTestId("board-list")).toContainText(title);
    await expect(page.locator("main img")).toHaveCount(0);
    for (const width of [1_280, 390]) await noOverflow(page, width);
    await page.goto(`${own.url}/annotations`);
    await expect(page.getByTestId("annotation-row").first()).toBeVisible();
    for (const width of [1_280, 390]) await noOverflow(page, width);
    await page.goto("about:blank");
  });
}
