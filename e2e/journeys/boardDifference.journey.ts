import type { Page } from "@playwright/test";
import { axeFile, faultsOf } from "../fixtures/axe.js";
import { createBoard, settled, test, tileOf } from "../fixtures/boards.js";
import { chooseView } from "../fixtures/chooseView.js";
import type { Hadal } from "../fixtures/startHadal.js";
import { expect } from "../fixtures/test.js";

const table = "shop";
const minuteMs = 60_000;
const weekMs = 7 * 24 * 60 * minuteMs;
const endMs = Math.floor(Date.now() / minuteMs) * minuteMs;
const longMs = 120 * minuteMs;
const stepMs = 2_000;
/** The incident is in the last twenty of two hours. */
const incidentMs = endMs - 20 * minuteMs;

/** Two hours, and the same a week ago. In the last minutes the cart in Germany fails, waiting for a lock. */
async function fill({ client }: Hadal): Promise<void> {
  const services = ["web", "cart", "search"];
  const countries = ["US", "DE", "FR", "JP"];
  const rowOf = (time: number, i: number) => {
    const [service, country] = [services[i % 3], countries[Math.floor(i / 3) % 4]];
    const isHit = time >= incidentMs && service === "cart";
    const status = isHit || i % 40 === 7 ? 500 : 200;
    const stack = ["main", "serve", isHit ? "cart.lock.wait" : "db.query"];
    return JSON.stringify({ time, service, country, status, stack, request_id: `r-${i}` });
  };
  const lines = Array.from({ length: longMs / stepMs }, (_, i) => i).flatMap((i) => {
    const time = endMs - longMs + i * stepMs;
    return [rowOf(time, i), rowOf(time - weekMs, i)];
  });
  await client.ingestBody(table, lines.join("\n"), { contentType: "application/x-ndjson" });
}

const failed = { column: "status", op: ">=", value: 500 };
const range = { from: endMs - longMs, to: endMs };
const asked = { table, from: "-3h", to: "now", aggregates: [{ fn: "count" }] };
const place = (x: number) => ({ x, y: 0, w: 6, h: 5, view: "timeseries" });
const tiles = [
  { id: "errors", title: "Errors", ...place(0), query: { ...asked, filter: [failed] } },
  { id: "all", title: "Requests", ...place(6), query: { ...asked, groupBy: ["service"] } },
];
const board = { ...range, sections: [{ tiles }] };

/** Drags over the share of a chart, with Shift. */
async function brush(page: Page, id: string, from: number, to: number): Promise<void> {
  const chart = tileOf(page, id).getByTestId("chart");
  await expect(chart.locator("canvas").first()).toBeVisible();
  const box = await chart.boundingBox();
  if (box === null) throw new Error("the chart has no box");
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
  await page.keyboard.down("Shift");
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
}

test.beforeAll(({ own }) => fill(own));

test("a brush asks what is different here; a find becomes a filter of the board, and Back undoes", async ({
  page,
  own,
}) => {
  await page.goto(own.url + (await createBoard(own, "Different", board)));
  await settled(page);
  // All of the incident: a part of it would be in the time just before, too.
  await brush(page, "errors", 0.82, 0.97);
  const menu = page.getByTestId("value-menu");
  await expect(menu.getByTestId("zoom-all")).toContainText("Zoom the dashboard");
  await menu.getByTestId("what-is-different").click();
  const panel = page.getByTestId("difference");
  const changes = panel.getByTestId("changes");
  await expect(changes).toHaveAttribute("data-final", "true");
  await expect(changes).toContainText("the rest of the time");
  await expect(panel.getByTestId("difference-status")).toContainText("of rows");
  await expect(page).toHaveURL(/different=errors&part=.*&of=/);
  await expect(tileOf(page, "errors").getByTestId("picked-time")).toBeVisible();
  const service = panel.locator("[data-testid=change-card][data-column=service]");

  await test.step("the address shows it again", async () => {
    await page.reload();
    await expect(service.getByTestId("change-best")).toContainText("cart");
  });

  await test.step("a find becomes a filter of every tile, and Back removes it", async () => {
    await service.getByTestId("change-only").click();
    await expect(page).toHaveURL(/filter=service:eq:cart.*different=errors/);
    await expect(page.getByTestId("board-filters")).toContainText("service = cart");
    await expect(service).toHaveCount(0);
    await settled(page);
    await page.goBack();
    await expect(page.getByTestId("board-filters")).not.toContainText("cart");
    await expect(service.getByTestId("change-best")).toContainText("cart");
  });

  await test.step("compared with the time just before", async () => {
    await page.getByTestId("difference-against").selectOption("before");
    await expect(page).toHaveURL(/against=before/);
    await expect(changes).toHaveAttribute("data-final", "true");
    await expect(service.getByTestId("change-best")).toContainText("cart");
  });

  await test.step("Escape closes it, Back opens it again", async () => {
    await expect(page.getByTestId("difference-against")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
    await expect(page).not.toHaveURL(/different=/);
    await expect(tileOf(page, "errors").getByTestId("chart")).toBeFocused();
    await page.goBack();
    await expect(panel).toBeVisible();
  });
});

test("the menu of a brush zooms the board; keys alone ask what is different", async ({
  page,
  own,
}) => {
  await page.goto(own.url + (await createBoard(own, "Keys", board)));
  await settled(page);
  await brush(page, "errors", 0.5, 0.7);
  await page.getByTestId("zoom-all").click();
  await expect(page).toHaveURL(/from=20\d\d-.*to=20\d\d-/);
  await page.goBack();
  await settled(page);
  const chart = tileOf(page, "errors").getByTestId("chart");
  await chart.focus();
  for (const key of ["ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Enter"])
    await page.keyboard.press(key);
  await expect(page.getByTestId("value-menu")).toBeVisible();
  await page.getByTestId("what-is-different").press("Enter");
  await expect(page.getByTestId("close-difference")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("difference")).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: the side panel passes the checks of axe, on a phone, too`, async ({
    page,
    own,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.addInitScript({ path: axeFile });
    const path = await createBoard(own, `Axe ${colorScheme}`, board);
    const at = (ms: number) => new Date(ms).toISOString();
    const part = `part=${at(incidentMs)}/${at(endMs)}&of=${at(endMs - longMs)}/${at(endMs)}`;
    await page.goto(`${own.url + path}?different=errors&${part}`);
    const changes = page.getByTestId("difference").getByTestId("changes");
    await expect(changes).toHaveAttribute("data-final", "true");
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(changes).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
}

test("U1: from a board to the block of code", async ({ page, own }) => {
  // Higher than the window: it scrolls.
  const more = { id: "more", title: "More", ...place(0), y: 5, h: 12, query: asked };
  const sections = [{ tiles: [...tiles, more] }];
  await page.goto(own.url + (await createBoard(own, "Story", { ...board, sections })));
  await settled(page);

  await test.step("week over week shows what moved: errors first", async () => {
    await page.keyboard.press("w");
    await expect(page).toHaveURL(/compare=7d/);
    await expect(tileOf(page, "errors")).toContainText("7 days earlier");
    await settled(page);
    await page.keyboard.press("m");
    await expect(tileOf(page, "errors")).toHaveCSS("order", "0");
    await expect(tileOf(page, "errors").getByTestId("tile-moved")).toHaveAttribute(
      "data-tone",
      "more",
    );
    await page.keyboard.press("m");
  });

  await test.step("what is different in the spike: the service, and its stack", async () => {
    await brush(page, "errors", 0.86, 0.97);
    await page.getByTestId("what-is-different").click();
    const panel = page.getByTestId("difference");
    await expect(panel.getByTestId("changes")).toHaveAttribute("data-final", "true");
    const stack = panel.locator("[data-testid=change-card][data-column=stack]");
    await expect(stack.getByTestId("change-best")).toContainText(/cart\.lock\.wait|db\.query/);
    const service = panel.locator("[data-testid=change-card][data-column=service]");
    await service.getByTestId("change-only").click();
    await expect(page.getByTestId("board-filters")).toContainText("service = cart");
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
    await settled(page);
  });

  await test.step("the rows of the spike in Explore, with the board's filters", async () => {
    await page.getByTestId("board-scroll").evaluate((box) => box.scrollTo(0, 40));
    await brush(page, "errors", 0.86, 0.97);
    await page.getByTestId("see-rows").click();
    await expect(page).toHaveURL(/\/explore\?.*filter=status.*filter=service/);
    await expect(page.getByTestId("raw-row").first()).toBeVisible();
  });

  await test.step("a row shows its stack; the flame of the stacks has the block of code", async () => {
    await page.getByTestId("unfold").first().click();
    await expect(page.getByTestId("row-detail").first()).toContainText("cart.lock.wait");
    await chooseView(page, "flame");
    await expect(page.locator("[data-testid=result][data-view=flame]")).toContainText(
      "cart.lock.wait",
    );
  });

  await test.step("Back returns to the board, at the place that it was left", async () => {
    await page.goBack();
    await expect(page.locator("[data-testid=result][data-view=rows]")).toBeVisible();
    await page.goBack();
    await expect(page.getByTestId("board-filters")).toContainText("service = cart");
    await settled(page);
    expect(await page.getByTestId("board-scroll").evaluate((box) => box.scrollTop)).toBe(40);
  });
});
