import type { Page, Response } from "@playwright/test";
import type { Hadal } from "../fixtures/startHadal.js";
import { countFrames, heapBytes, test } from "./benchTest.js";
import { median, noteFigure } from "./figures.js";
import { timeDive, watchAnswers } from "./watchAnswers.js";

const queryUrl = (hadal: Hadal, more: string) =>
  `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&${more}`;

async function settle(page: Page): Promise<void> {
  await page.waitForSelector('[data-testid="result"][data-final="true"][data-stale="false"]');
}

test("dives", async ({ page, hadal }, info) => {
  await watchAnswers(page);
  await page.goto(queryUrl(hadal, "view=timeseries&agg=count&agg=p95:latency_us&group=service"));
  await settle(page);
  const times = [];
  for (let i = 0; i < 21; i++) times.push(await timeDive(page));
  noteFigure(info, "firstPartialMs", median(times.map(({ firstMs }) => firstMs)));
  noteFigure(info, "finalMs", median(times.map(({ finalMs }) => finalMs)));
});

test("drawing a heatmap and a flame graph", async ({ page, hadal }, info) => {
  await watchAnswers(page);
  // 320 time buckets by up to 64 value buckets: as many cells as 200 by 100.
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-16h&to=now&view=heatmap&bucket=3m`,
  );
  await settle(page);
  noteFigure(info, "heatmapDrawMs", await drawMs(page));
  await hadal.client.ingestBody("stacks", deepStacks(), { contentType: "application/x-ndjson" });
  await page.goto(`${hadal.url}/explore?v=1&table=stacks&from=-1h&to=now&view=flame`);
  await settle(page);
  noteFigure(info, "flameDrawMs", await drawMs(page));
});

async function drawMs(page: Page): Promise<number> {
  const times = [];
  for (let i = 0; i < 21; i++) times.push((await timeDive(page)).drawMs);
  return median(times);
}

/** 1,000 stacks with ten unique frames each: about 10,000 frames, as NDJSON. */
function deepStacks(): string {
  const lines = Array.from({ length: 1_000 }, (_, i) => {
    const shared = ["main", `part ${i % 4}`, `step ${i % 40}`];
    const own = Array.from({ length: 10 }, (_, depth) => `call ${i} at ${depth}`);
    return JSON.stringify({ time: Date.now() - i, stack: [...shared, ...own] });
  });
  return lines.join("\n");
}

test("frames while brushing and streaming", async ({ page, hadal }, info) => {
  // 24 h in buckets of a minute: 1,440 points of ten series, updated live.
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-24h&to=now&live=1&view=timeseries&bucket=1m&agg=count&group=service`,
  );
  await settle(page);
  const box = await page.getByTestId("chart").boundingBox();
  if (box === null) throw new Error("there is no chart");
  await page.mouse.move(box.x + 100, box.y + box.height / 2);
  await page.mouse.down();
  const counting = countFrames(page, 6_000);
  let isDone = false;
  const counted = counting.finally(() => {
    isDone = true;
  });
  for (let step = 0; !isDone; step++) {
    const x = box.x + 100 + Math.abs(((step * 12) % (2 * (box.width - 200))) - (box.width - 200));
    await page.mouse.move(x, box.y + box.height / 2);
  }
  noteFigure(info, "framesPerSecond", await counted);
});

test("first load", async ({ browser, hadal }, info) => {
  const interactive: number[] = [];
  for (let i = 0; i < 5; i++) {
    const page = await browser.newPage();
    const scripts: Promise<number>[] = [];
    const weigh = (response: Response): void => {
      if (i > 0 || !/\.js($|\?)/.test(response.url())) return;
      scripts.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize / 1024),
      );
    };
    page.on("response", weigh);
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(queryUrl(hadal, "view=timeseries&agg=count&group=service"), {
      waitUntil: "commit",
    });
    const ms = await page.waitForFunction(
      () => document.querySelector('[data-testid="dive"]') !== null && performance.now(),
      undefined,
      { polling: "raf" },
    );
    interactive.push((await ms.jsonValue()) as number);
    await settle(page);
    // Parts that load after the chart are not counted.
    page.off("response", weigh);
    if (i === 0) {
      const kb = (await Promise.all(scripts)).reduce((sum, one) => sum + one, 0);
      noteFigure(info, "firstLoadKb", kb);
    }
    await page.close();
  }
  noteFigure(info, "interactiveMs", median(interactive));
});

test("memory over 500 dives", async ({ page, hadal }, info) => {
  await watchAnswers(page);
  await page.goto(queryUrl(hadal, "view=timeseries&agg=count&group=service"));
  await settle(page);
  const session = await page.context().newCDPSession(page);
  // The browser's memory for compiled code stops growing after about 400 dives.
  for (let i = 0; i < 450; i++) await timeDive(page);
  const before = await heapBytes(session);
  for (let i = 0; i < 500; i++) await timeDive(page);
  noteFigure(info, "heapGrowthKbOf500Dives", ((await heapBytes(session)) - before) / 1024);
});
