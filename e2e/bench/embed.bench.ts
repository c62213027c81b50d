import type { Page } from "@playwright/test";
import { test } from "./benchTest.js";
import { median, noteFigure } from "./figures.js";

test("an embedded chart", async ({ browser, hadal }, info) => {
  const { token } = await hadal.client.embeds.create({
    ...{ title: "Requests", table: "requests", views: ["timeseries"], groupBy: ["time"] },
    ...{ rangeMsMax: 86_400_000, view: "timeseries" },
    query: {
      ...{ table: "requests", from: "-3h", to: "now", groupBy: [{ time: "1m" }] },
      aggregates: [{ fn: "count" }],
    },
  });
  const context = await browser.newContext();
  const times: number[] = [];
  for (let i = 0; i < 11; i++) {
    const page = await context.newPage();
    await page.goto(`${hadal.url}/api/v1/docs`);
    await page.addScriptTag({ type: "module", url: "/embed/hadal-chart.js" });
    times.push(await firstMs(page, token));
    await page.close();
  }
  await context.close();
  // The first one fills the browser's cache.
  noteFigure(info, "embedFirstVisitMs", times[0] ?? Number.NaN);
  noteFigure(info, "embedFirstPartialMs", median(times.slice(1)));
});

/** From the element's place on the page to its first answer drawn. */
const firstMs = (page: Page, token: string): Promise<number> =>
  page.evaluate(async (granted) => {
    await customElements.whenDefined("hadal-chart");
    const chart = document.createElement("hadal-chart");
    chart.setAttribute("src", location.origin);
    chart.setAttribute("token", granted);
    const isReady = new Promise((resolve) => chart.addEventListener("ready", resolve));
    const startMs = performance.now();
    document.body.prepend(chart);
    await isReady;
    return performance.now() - startMs;
  }, token);
