import { axeFile, faultsOf } from "../fixtures/axe.js";
import {
  byService,
  createBoard,
  menuOf,
  query,
  settled,
  test,
  tileOf,
} from "../fixtures/boards.js";
import { expect } from "../fixtures/test.js";

test("the ready board of the demo: one click, 24 tiles, week over week, what moved", async ({
  page,
  own,
}) => {
  // Journeys of other files may have left boards on this server: ready ones are offered where there is none.
  for (const { id } of await own.client.documents.list({ kind: "dashboard" }))
    await own.client.documents.delete(id);
  await page.goto(`${own.url}/dashboards`);
  await page.getByTestId("site-overview").click();
  await expect(page.getByTestId("board-title")).toHaveText("Site overview");
  await settled(page);
  await expect(page.getByTestId("tile")).toHaveCount(24);
  await expect(page.getByTestId("board-status")).toContainText("2/2 leaves");
  const releases = await own.client.annotations.list({ table: "requests" });
  expect(releases.filter(({ title }) => /^Release \d+\./.test(title)).length).toBeGreaterThan(1);
  // Tiles that are out of sight ask nothing.
  await expect(page.locator("[data-testid=tile]:has([data-testid=result])")).not.toHaveCount(23);

  await test.step("print waits until the tiles out of sight have answered, too", async () => {
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute("data-printed", "true");
    });
    await page.getByTestId("print-board").click();
    await expect(page.locator("body[data-printed]")).toBeAttached({ timeout: 30_000 });
    await expect(page.locator("[data-testid=tile]:has([data-testid=result])")).toHaveCount(23);
  });

  await page.keyboard.press("m");
  await expect(page.getByTestId("what-moved")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByTestId("tile-moved").first()).toBeVisible();
  await page.keyboard.press("m");
  await expect(page.getByTestId("board-section")).toHaveCount(4);
});

test("the bar applies to every tile and is in the address; Back undoes", async ({ page, own }) => {
  const path = await createBoard(own, "The bar", {
    variables: [{ name: "service", table: "requests", column: "service" }],
  });
  await page.goto(own.url + path);
  await settled(page);
  await expect(page.getByTestId("board-time")).toContainText("last 6 hours");

  await test.step("w compares every tile with last week", async () => {
    await page.keyboard.press("w");
    await expect(page).toHaveURL(/compare=7d/);
    for (const id of ["one", "two"]) {
      await expect(tileOf(page, id)).toContainText("7 days earlier");
    }
    await page.goBack();
    await expect(page.getByTestId("board-compare")).toHaveValue("");
  });

  await test.step("a variable filters, by several values", async () => {
    await page.getByTestId("variable").click();
    await page.getByTestId("variable-values").getByRole("option", { name: "checkout" }).click();
    await expect(page).toHaveURL(/var=service%3Ain%3Acheckout|var=service:in:checkout/);
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("variable")).toContainText("checkout");
    await settled(page);
    await page.reload();
    await expect(page.getByTestId("variable")).toContainText("checkout");
  });

  await test.step("a tile without the filter's column says so", async () => {
    await own.client.ingestBody("other", `{"time":${Date.now()},"page":"a"}`, {
      contentType: "application/x-ndjson",
    });
    const other = await createBoard(own, "Two tables", {
      sections: [
        {
          tiles: [
            { id: "one", query: byService, view: "bar" },
            { id: "other", query: { ...query, table: "other" }, view: "timeseries" },
          ],
        },
      ],
    });
    await page.goto(`${own.url + other}?from=-6h&to=now&filter=country:eq:DE`);
    await expect(tileOf(page, "other").getByTestId("tile-note")).toContainText("no column country");
    await expect(tileOf(page, "one").getByTestId("tile-note")).toHaveCount(0);
  });
});

test("a click on a mark goes on in Explore, and Back returns to the same place", async ({
  page,
  own,
}) => {
  const tiles = Array.from({ length: 6 }, (_, i) => ({
    ...{ id: `t${i}`, x: 0, y: i * 5, w: 12, h: 5, view: "table", title: `Table ${i}` },
    query: byService,
  }));
  const filter = [{ column: "status", op: "<", value: 500 }];
  const path = await createBoard(own, "Long", { filter, sections: [{ tiles }] });
  await page.goto(own.url + path);
  await settled(page);
  const scroll = page.getByTestId("board-scroll");
  await scroll.evaluate((element) => element.scrollTo(0, 900));
  await expect(tileOf(page, "t3").getByTestId("result-table")).toContainText("checkout");
  await tileOf(page, "t3").getByRole("gridcell", { name: "checkout" }).click();
  await page.getByTestId("only-this").click();
  await expect(page).toHaveURL(/\/explore\?.*filter=status.*filter=service/);
  await page.goBack();
  await expect(page.getByTestId("board-title")).toHaveText("Long");
  await expect(tileOf(page, "t3").getByTestId("result-table")).toContainText("checkout");
  expect(await scroll.evaluate((element) => element.scrollTop)).toBe(900);
});

test("hover shows the same moment on every tile, and a brush zooms the board", async ({
  page,
  own,
}) => {
  await page.goto(own.url + (await createBoard(own, "Moments")));
  await settled(page);
  const chart = tileOf(page, "one").getByTestId("chart");
  await expect(chart.locator("canvas").first()).toBeVisible();
  const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
  await page.mouse.move(...at(0.5));
  await expect(tileOf(page, "two").getByTestId("shared-moment")).toBeVisible();
  await expect(tileOf(page, "one").getByTestId("shared-moment")).toHaveCount(0);
  await page.mouse.move(...at(0.3));
  await page.mouse.down();
  await page.mouse.move(...at(0.6), { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=20\d\d-.*to=20\d\d-/);
});

test("a board is arranged by keys and pointer, undone, saved, and restored", async ({
  page,
  own,
  pageErrors,
}) => {
  const path = await createBoard(own, "Arranged");
  await page.goto(own.url + path);
  await settled(page);
  await page.keyboard.press("e");
  const two = tileOf(page, "two");

  await test.step("arrows move a tile, Shift resizes it, Ctrl Z undoes", async () => {
    await two.focus();
    await page.keyboard.press("Shift+ArrowLeft");
    await expect(two).toHaveCSS("grid-column", "7 / span 5");
    await page.keyboard.press("ArrowRight");
    await expect(two).toHaveCSS("grid-column", "8 / span 5");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await expect(two).toHaveCSS("grid-column", "7 / span 6");
    await expect(page.getByTestId("save-board")).toHaveCount(0);
  });

  await test.step("a drag of its title moves a tile past the other", async () => {
    const title = two.getByRole("heading");
    const box = (await title.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + 20, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x - 640, box.y + 12, { steps: 8 });
    await page.mouse.up();
    await expect(two).toHaveCSS("grid-column", /^1 \//);
  });

  await test.step("Ctrl S saves; another save is a conflict that keeps both", async () => {
    await page.keyboard.press("Control+s");
    await expect(page.getByTestId("save-board")).toHaveCount(0);
    const id = path.split("/").at(-1) ?? "";
    const { title, body, version } = await own.client.documents.find(id);
    expect(version).toBe(2);
    await own.client.documents.save(id, { kind: "dashboard", title: `${title}!`, body });
    await menuOf(page, "text", "tile-duplicate");
    await page.getByTestId("save-board").click();
    const both = page.getByTestId("conflict-sheet");
    await expect(both).toContainText("Version 3 was saved while you worked on version 2");
    await expect(both.getByTestId("board-change")).toHaveText([
      /^The dashboard changed.*Title.*Arranged!.*Arranged$/s,
      /^Tile “Text” +added +in section “Now”$/,
    ]);
    await page.keyboard.press("Escape");
    await expect(both).toHaveCount(0);
    await page.getByTestId("compare-conflict").click();
    await page.getByTestId("save-over").click();
    await expect(page.getByTestId("board-conflict")).toHaveCount(0);
    await expect.poll(async () => (await own.client.documents.find(id)).version).toBe(4);
    // The browser reports the 412 of the first attempt.
    expect(pageErrors.splice(0)).toEqual([expect.stringContaining("412")]);
  });

  await test.step("versions are compared, and an older one is restored", async () => {
    await page.getByTestId("board-versions").click();
    const sheet = page.getByTestId("versions");
    await expect(sheet.getByTestId("board-change")).toHaveText([
      /^The dashboard changed/,
      /^Tile “Text” +added +in section “Now”$/,
    ]);
    await sheet.getByTestId("version-list").getByRole("button").last().click();
    await expect(sheet.getByTestId("board-differences")).toHaveText(/Nothing differs/);
    await sheet.getByTestId("versions-against").selectOption("newest");
    await expect(sheet.getByTestId("board-change")).toHaveText([
      /^Tile “Text” +removed +from section “Now”$/,
      /^Tile “By service” +moved/,
      /^Tile “All” +moved/,
      /^Tile “Text” +moved/,
    ]);
    await sheet.getByTestId("restore").click();
    await expect(sheet).toHaveCount(0);
    await expect(two).toHaveCSS("grid-column", "7 / span 6");
  });
});

test("a tile is edited in place with Explore's form; text has no HTML", async ({ page, own }) => {
  await page.goto(own.url + (await createBoard(own, "Edited")));
  await settled(page);
  await menuOf(page, "one", "tile-edit");
  const editor = page.getByTestId("tile-editor");
  await expect(editor.getByTestId("result")).toBeVisible();
  await page.getByTestId("tile-title").fill("Latest requests");
  await page.getByTestId("ignore-time").check();
  await page.getByTestId("apply-tile").click();
  await expect(editor).toHaveCount(0);
  await expect(tileOf(page, "one").getByRole("heading")).toHaveText("Latest requests");
  await expect(tileOf(page, "one").getByTestId("tile-note")).toContainText("own time");

  const text = tileOf(page, "text").getByTestId("tile-text");
  await expect(text.locator("strong")).toHaveText("Ask");
  await expect(text).toContainText("<img src=x");
  await expect(text.locator("img")).toHaveCount(0);

  await menuOf(page, "two", "tile-full");
  await expect(tileOf(page, "two")).toHaveAttribute("data-full", "true");
  await page.keyboard.press("Escape");
  await expect(tileOf(page, "two")).toHaveAttribute("data-full", "false");
});

test("kiosk shows one section at a time; a tile moves to another board", async ({ page, own }) => {
  const other = await createBoard(own, "Receiving");
  await page.goto(own.url + (await createBoard(own, "Giving")));
  await settled(page);
  await page.getByTestId("kiosk").click();
  await expect(page.getByTestId("board")).toHaveAttribute("data-kiosk", "true");
  await expect(page.getByTestId("board-section")).toHaveCount(1);
  await expect(page.getByTestId("board-bar")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("board")).toHaveAttribute("data-kiosk", "false");
  await expect(page.getByTestId("board-section")).toHaveCount(2);

  await menuOf(page, "two", "tile-move");
  await page.getByTestId("move-list").getByRole("option", { name: "Receiving" }).click();
  await expect(tileOf(page, "two")).toHaveCount(0);
  await page.keyboard.press("Control+s");
  await expect(page.getByTestId("save-board")).toHaveCount(0);
  await page.goto(own.url + other);
  await settled(page);
  await expect(page.getByTestId("tile")).toHaveCount(4);
});

test("p in Explore pins the query to a new board, which shows it", async ({ page, own }) => {
  await page.goto(
    `${own.url}/explore?v=1&table=requests&from=-3h&to=now&view=bar&agg=count&group=service`,
  );
  await expect(page.locator("[data-testid=status-line][data-final=true]")).toBeVisible();
  await page.keyboard.press("p");
  await page.getByTestId("pin-title").fill("Pinned bars");
  await page.getByTestId("pin-list").getByRole("combobox").fill("On call");
  await page.keyboard.press("Enter");
  await page.getByTestId("pinned").getByRole("link", { name: "On call" }).click();
  await expect(page.getByTestId("board-title")).toHaveText("On call");
  await settled(page);
  await expect(page.getByTestId("tile").getByRole("heading")).toHaveText("Pinned bars");
  await expect(page.locator("[data-testid=result][data-view=bar]")).toBeVisible();
});

test("the list: search, duplicate, delete; a board of a newer version is read-only", async ({
  page,
  own,
  pageErrors,
}) => {
  await createBoard(own, "Findable");
  const newer = await own.client.documents.create({
    ...{ kind: "dashboard", title: "From the future" },
    body: { version: 2, sections: [{ tiles: [{ id: "a", hologram: true }] }] },
  });
  await page.goto(`${own.url}/dashboards`);
  await page.getByTestId("board-search").fill("findable");
  await expect(page.getByTestId("board-row")).toHaveCount(1);
  await page.getByTestId("duplicate-board").click();
  await expect(page.getByTestId("board-title")).toHaveText("Copy of Findable");
  await page.goto(`${own.url}/dashboards`);
  await page.getByTestId("board-search").fill("copy of findable");
  await page.getByTestId("delete-board").click();
  await page.getByTestId("confirm-delete").click();
  await expect(page.getByTestId("board-row")).toHaveCount(0);

  await page.goto(`${own.url}/dashboards/${newer.id}`);
  await expect(page.getByTestId("why-read-only")).toContainText("version 2");
  await expect(page.getByTestId("arrange")).toHaveCount(0);
  await page.goto(`${own.url}/dashboards/6f1c0d3e-8f0a-4a56-9a43-1f1f5bb0c9ad`);
  await expect(page.getByTestId("unknown-board")).toBeVisible();
  // The browser reports the 404 of the board that does not exist.
  expect(pageErrors.splice(0)).toEqual([expect.stringContaining("404")]);
});

test("a file of Grafana is imported, what has no equivalent is named; a broken one says why", async ({
  page,
  own,
}) => {
  const board = {
    ...{ title: "Site of <b>Grafana</b>", schemaVersion: 39, time: { from: "now-6h", to: "now" } },
    panels: [
      {
        type: "text",
        title: "Read me",
        options: { content: "**On call** [x](javascript:alert(1))" },
      },
      { type: "graph", title: "Load", targets: [{ expr: "node_load1 <img src=x>" }] },
    ],
  };
  const choose = (name: string, text: string) =>
    page
      .getByTestId("import-board-file")
      .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await page.goto(`${own.url}/dashboards`);
  await choose("broken.json", JSON.stringify({ ...board, panels: [3] }));
  await expect(page.getByTestId("import-problem")).toContainText("panels[0]");
  await expect(page.getByTestId("import-create")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await choose("site.json", JSON.stringify(board));
  await expect(page.getByTestId("import-found")).toContainText(
    "2 tiles in 1 section, from Grafana",
  );
  await expect(page.getByTestId("import-gaps")).toContainText("“Load”: a panel of the type graph");
  await page.getByTestId("import-create").press("Enter");
  await expect(page.getByTestId("board-title")).toHaveText("Site of <b>Grafana</b>");
  await expect(page.getByTestId("board-time")).toContainText("last 6 hours");
  const texts = page.getByTestId("tile-text");
  await expect(texts.first().locator("strong")).toHaveText("On call");
  await expect(texts.locator("a, img, b")).toHaveCount(0);
  await expect(texts.last()).toContainText("node_load1 <img src=x>");
});

test("any table has a board; on a phone it is one column; sections fold", async ({ page, own }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${own.url}/dashboards`);
  await page.getByTestId("table-board").click();
  await page.getByTestId("table-board-list").getByRole("option", { name: "requests" }).click();
  await expect(page.getByTestId("board-title")).toHaveText("Overview of requests");
  await settled(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
  const boxes = await page
    .getByTestId("tile")
    .evaluateAll((tiles) => tiles.map((tile) => Math.round(tile.getBoundingClientRect().left)));
  expect(new Set(boxes).size).toBe(1);
  const count = await page.getByTestId("tile").count();
  await page.getByTestId("fold-section").first().click();
  await expect(page.getByTestId("tile")).toHaveCount(count - 2);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: the list, a board and its editor pass the checks of axe`, async ({
    page,
    own,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.addInitScript({ path: axeFile });
    await page.goto(own.url + (await createBoard(own, `Axe ${colorScheme}`)));
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press("e");
    await expect(page.getByTestId("board-add")).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await menuOf(page, "two", "tile-edit");
    await expect(page.getByTestId("tile-editor").getByTestId("result")).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${own.url}/dashboards`);
    await expect(page.getByTestId("board-list")).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
  });
}
