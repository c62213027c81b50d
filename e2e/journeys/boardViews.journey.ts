import { createBoard, query, settled, test, tileOf } from "../fixtures/boards.js";
import { expect } from "../fixtures/test.js";

/** Every view, with what it needs besides the table. */
const views: Readonly<Record<string, string>> = {
  ...{ timeseries: "group=service", area: "group=service", table: "group=service" },
  ...{ bar: "group=service", distribution: "group=bucket(latency_us:log)" },
  ...{ heatmap: "group=bucket(latency_us:log)", percentiles: "agg=p50:latency_us" },
  ...{ pie: "group=service", treemap: "group=service&group=device" },
  ...{ sankey: "group=service&group=device", pivot: "group=service&group=device" },
  ...{ scatter: "group=service", leaderboards: "", map: "group=country", calendar: "" },
  ...{ bignumber: "compare=7d", status: "group=service", flame: "group=stack", tags: "" },
  ...{ timeline: "", changes: "filter=status:ge:500&compare=7d", rows: "" },
};

test("every view is drawn in a tile of 3×2 cells, within its tile", async ({ page, own }) => {
  const ids = await Promise.all(
    Object.entries(views).map(async ([view, more]) => {
      const path = `/explore?v=1&table=requests&from=-3h&to=now&view=${view}&${more}`;
      const body = { query, path };
      return (await own.client.documents.create({ kind: "query", title: view, body })).id;
    }),
  );
  const tiles = Object.keys(views).map((view, i) => ({
    ...{ id: view, title: view, savedQuery: ids[i] },
    ...{ x: (i % 4) * 3, y: Math.floor(i / 4) * 2, w: 3, h: 2 },
  }));
  await page.setViewportSize({ width: 1_280, height: 1_100 });
  await page.goto(own.url + (await createBoard(own, "Views", { sections: [{ tiles }] })));
  await settled(page);
  for (const view of Object.keys(views)) {
    const tile = tileOf(page, view);
    const drawn = tile.locator(`[data-testid=result][data-view=${view}]`);
    await expect(drawn, view).toBeVisible();
    await expect(
      drawn.locator("canvas, svg, table, [role=grid], li, p, button").first(),
      view,
    ).toBeVisible();
    const fits = await tile.evaluate((box) => ({
      wide: box.scrollWidth <= box.clientWidth,
      high: box.scrollHeight <= box.clientHeight,
    }));
    expect.soft(fits, view).toEqual({ wide: true, high: true });
    // No drawing is wider than its tile, or squeezed to nothing.
    const canvas = tile.locator("canvas").first();
    if ((await canvas.count()) === 0) continue;
    const [inner, outer] = [await canvas.boundingBox(), await tile.boundingBox()];
    expect(inner?.width ?? 0, view).toBeLessThanOrEqual(outer?.width ?? 0);
    expect(inner?.height ?? 0, view).toBeGreaterThan(20);
  }
  await page.goto("about:blank");
});
