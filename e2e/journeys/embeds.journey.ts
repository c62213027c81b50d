import type { Page } from "@playwright/test";
import { axeFile, faultsOf } from "../fixtures/axe.js";
import {
  byService,
  fromMs,
  newestMs,
  openChart,
  ordersOf,
  seenOf,
  test,
  valuesOf,
} from "../fixtures/embeds.js";
import { expect } from "../fixtures/test.js";

const chart = (page: Page) => page.locator("hadal-chart");
const status = (page: Page) => page.getByTestId("embed-status");
const menu = (page: Page) => page.getByTestId("value-menu");
const overTime = { ...byService, groupBy: ["service", { time: "1m" }] };

/** The ids of the open menu's entries, in their order. */
const entriesOf = (page: Page) =>
  menu(page)
    .getByRole("menuitem")
    .evaluateAll((items) => items.map((item) => item.getAttribute("data-testid")));

async function clickService(page: Page, service: string): Promise<void> {
  const row = page.getByTestId("table-row").filter({ hasText: service });
  await row.getByRole("gridcell").first().click();
}

/** Drags over a part of the time axis, from and to as shares of the chart's width. */
async function brush(page: Page, from: number, to: number): Promise<void> {
  const box = await page.getByTestId("chart").boundingBox();
  if (box === null) throw new Error("there is no chart");
  const y = box.y + 80;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
}

const drawn = (page: Page, view: string) =>
  expect(page.locator(`[data-testid=result][data-view=${view}][data-final=true]`)).toBeVisible();

test("a chart in a page of another origin shows the values that its token allows, and how complete they are", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  await page.addInitScript({ path: axeFile });
  await openChart(page, { host, hadal, token: signer.token() });
  await expect(status(page)).toContainText("100 % of rows · as of");
  await expect(page.getByTestId("table-row")).toHaveCount(3);
  const values = [...(await valuesOf(page))].sort();
  const wanted = ["cart", "search", "web"].map((name) => `${name}\t${ordersOf.DE}`);
  expect(values.map((row) => row.split("\t").slice(0, 2).join("\t"))).toEqual(wanted);
  const seen = await seenOf(page);
  expect(seen.map(({ name }) => name)).toEqual(["ready", "complete"]);
  expect(seen.at(-1)?.detail).toMatchObject({ fraction: 1, missingLeaves: [], rows: 3 });
  expect(await faultsOf(page)).toEqual([]);
});

test("the theme is the page's or the system's, and CSS variables of the page set the look", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openChart(page, { host, hadal, token: signer.token() });
  await drawn(page, "table");
  const root = page.locator("hadal-chart .hadal-root");
  await expect(root).toHaveAttribute("data-theme", "dark");
  await expect(root).toHaveCSS("background-color", "rgb(14, 21, 28)");
  await page.emulateMedia({ colorScheme: "light" });
  await expect(root).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await chart(page).evaluate((element) => element.setAttribute("theme", "dark"));
  await expect(root).toHaveCSS("background-color", "rgb(14, 21, 28)");
  await chart(page).evaluate((element) => {
    element.style.setProperty("--hadal-background", "rgb(1, 2, 3)");
  });
  await expect(root).toHaveCSS("background-color", "rgb(1, 2, 3)");
});

test("a reader compares with last week and comes back; the page sees both states", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  await openChart(page, { host, hadal, token: signer.token() });
  await drawn(page, "table");
  await page.getByTestId("embed-compare").click();
  const cell = page.getByTestId("table-row").first().locator('[data-part="delta_pct"]');
  await expect(cell.first()).toBeVisible();
  const compared = (await seenOf(page)).filter(({ name }) => name === "statechange");
  expect(compared.map(({ detail }) => detail)).toMatchObject([
    { query: { compare: { offset: "7d" } }, view: "table" },
  ]);
  await page.getByTestId("embed-back").click();
  await expect(cell).toHaveCount(0);
  await expect(page.getByTestId("embed-back")).toHaveCount(0);
});

test("the menu of a mark has what the token allows, and its filter is within the token's", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  const token = signer.token({ views: ["table"], groupBy: ["service"], mayOpen: false });
  await openChart(page, { host, hadal, token });
  await drawn(page, "table");
  await clickService(page, "cart");
  await expect(menu(page)).toBeVisible();
  expect(await entriesOf(page)).toEqual([
    ...["only-this", "not-this", "compare-rest", "compare-week", "copy-value"],
  ]);
  await page.getByTestId("only-this").click();
  await expect(page.getByTestId("table-row")).toHaveCount(1);
  expect((await valuesOf(page))[0]).toMatch(new RegExp(`^cart\t${ordersOf.DE}\\b`));
  expect((await seenOf(page)).find(({ name }) => name === "select")?.detail).toMatchObject({
    filters: [{ column: "service", op: "=", value: "cart" }],
  });
});

test("a menu that would only copy the value does not open", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  const { groupBy: _, ...total } = byService;
  const click = async (mayOpen: boolean): Promise<void> => {
    const token = signer.token({ views: ["bignumber"], groupBy: [], mayOpen });
    await openChart(page, { host, hadal, token, query: total, view: "bignumber" });
    await expect(page.getByTestId("values")).toBeAttached();
    await page.getByTestId("big-number").getByText("1.8 k").click();
    await expect.poll(async () => (await seenOf(page)).map(({ name }) => name)).toContain("select");
  };
  await click(true);
  await expect(menu(page)).toBeVisible();
  expect(await entriesOf(page)).toEqual(["copy-value", "open-tab"]);
  await click(false);
  await page.evaluate(
    () => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))),
  );
  await expect(menu(page)).toHaveCount(0);
});

test("a brush zooms, as far as the token allows groups of time", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  await openChart(page, {
    ...{ host, hadal, token: signer.token(), query: overTime, view: "timeseries" },
  });
  await drawn(page, "timeseries");
  await brush(page, 0.5, 0.8);
  await expect(page.getByTestId("embed-back")).toBeVisible();
  const { query } = (await chart(page).evaluate((element) =>
    Reflect.apply(Reflect.get(element, "getState"), element, []),
  )) as { query: { from: string; to: string } };
  expect(Date.parse(query.from)).toBeGreaterThan(fromMs);
  expect(Date.parse(query.to)).toBeLessThan(newestMs);
  await drawn(page, "timeseries");
  await page.getByTestId("embed-back").click();
  await expect(page.getByTestId("embed-back")).toHaveCount(0);
});

test("what is different about a mark is found within the token's columns", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  await openChart(page, { host, hadal, token: signer.token() });
  await drawn(page, "table");
  await clickService(page, "cart");
  await page.getByTestId("what-is-different").click();
  await expect(page.locator("[data-testid=change-card][data-column=status]")).toContainText("500");
  await expect(page.locator("[data-testid=change-card][data-column=user_id]")).toHaveCount(0);
  await expect(page.locator("[data-testid=change-card][data-column=country]")).toHaveCount(0);
});

test("raw rows are there with the view rows only, without the hidden column", async ({
  page,
  pageErrors,
  hadal,
  host,
  signer,
}) => {
  await openChart(page, { host, hadal, token: signer.token() });
  await drawn(page, "table");
  await clickService(page, "web");
  await page.getByTestId("see-rows").click();
  await drawn(page, "rows");
  await page.getByTestId("unfold").first().click();
  await expect(page.getByTestId("row-detail")).toContainText("DE");
  await expect(page.getByTestId("row-detail")).not.toContainText("user_id");
  await expect(chart(page)).not.toContainText("secret");

  await test.step("without it the server refuses them too, whatever the page asks", async () => {
    const token = signer.token({ views: ["table"] });
    await openChart(page, { host, hadal, token, view: "rows" });
    await expect(page.getByTestId("embed-refused")).toContainText("not allowed");
    await expect(chart(page)).not.toContainText("11:59");
    const { groupBy: _, aggregates: __, ...range } = byService;
    const rawRows = { ...range, sampleView: { columns: ["service"] } };
    const refused = await page.evaluate(
      async ({ url, query, bearer }) => {
        const reply = await fetch(`${url}/api/v1/query`, {
          ...{ method: "POST", body: JSON.stringify({ query }) },
          headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        });
        return [reply.status, (await reply.json()).code];
      },
      { url: hadal.url, bearer: token, query: rawRows },
    );
    expect(refused).toEqual([403, "token-scope"]);
  });
  expect(pageErrors.splice(0).filter((error) => !error.includes("403"))).toEqual([]);
});

test("HTML in titles and names is text", async ({ page, hadal, host, signer }) => {
  const hostile =
    '<img src=x onerror="window.opened = 1"></caption><script>window.opened = 1</script>';
  await openChart(page, { host, hadal, token: signer.token({ title: hostile }) });
  await expect(page.getByTestId("values").locator("caption")).toHaveText(hostile);
  expect(await page.evaluate(() => Reflect.get(window, "opened"))).toBeUndefined();
});

test("charts with the same token share a socket; a live one shows new rows", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  const later = "live_orders";
  const row = () => JSON.stringify({ time: Date.now(), country: "DE", service: "web" });
  const ingest = (count: number) =>
    hadal.client.ingestBody(later, Array.from({ length: count }, row).join("\n"), {
      contentType: "application/x-ndjson",
    });
  await ingest(1);
  const token = signer.token({ table: later, hiddenColumns: [] });
  const query = { ...byService, table: later, from: "-1h", to: "now" };
  await openChart(page, { host, hadal, token, query, attributes: { live: "" } });
  await page.evaluate(() => {
    const first = document.querySelector("hadal-chart");
    if (first !== null) document.body.append(first.cloneNode());
  });
  const both = (count: number) => Array(2).fill(expect.stringMatching(`^web\t${count}\\b`));
  await expect.poll(() => valuesOf(page)).toEqual(both(1));
  await ingest(4);
  await expect.poll(() => valuesOf(page)).toEqual(both(5));
  expect(sockets).toHaveLength(1);
});

test("a chart that is on the page first, and is set by a script later, shows what it is set to", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  const token = signer.token();
  await openChart(page, { host, hadal, token: "", attributes: { src: "", query: "" } });
  await expect(chart(page)).toContainText("The attribute src must be the address");
  await chart(page).evaluate((element, given) => Object.assign(element, given), {
    ...{ src: hadal.url, token, query: byService },
  });
  await expect(page.getByTestId("table-row")).toHaveCount(3);
  const errors = (await seenOf(page)).filter(({ name }) => name === "error");
  expect(errors.map(({ detail }) => detail.code)).toEqual(["bad-request"]);
});
