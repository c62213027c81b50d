import type { Page, WebSocket } from "@playwright/test";
import { settled } from "../fixtures/boards.js";
import type { Hadal } from "../fixtures/startHadal.js";
import { countFrames, heapBytes, test } from "./benchTest.js";
import { median, noteFigure } from "./figures.js";

const scrollMs = 10_000;
/** Of the watch over the heap. */
const minutes = Number(process.env.HADAL_BENCH_MINUTES ?? 10);

/** A live board is asked again every five seconds. */
const roundsPerMinute = 12;

const columns = ["service", "endpoint", "country", "app_version", "device"];
const latency = { fn: "percentile", column: "latency_us", p: 95 };
const range = { table: "requests", from: "-3h", to: "now" };

/** Forty charts: lines, bars, tables and heat maps, as boards mix them. */
const tiles = Array.from({ length: 40 }, (_, i) => {
  const column = columns[i % columns.length] ?? "service";
  const place = { id: `t${i}`, x: (i % 3) * 4, y: Math.floor(i / 3) * 4, w: 4, h: 4 };
  const asked = {
    ...range,
    groupBy: [column],
    aggregates: [i % 2 === 0 ? { fn: "count" } : latency],
  };
  const view = ["timeseries", "bar", "table", "timeseries"][i % 4];
  return { ...place, title: `${column} ${i}`, query: asked, view };
});

async function createBoard({ client }: Hadal): Promise<string> {
  const body = {
    from: "-3h",
    to: "now",
    compare: { offset: "7d" },
    sections: [{ title: "All", tiles }],
  };
  const { id } = await client.documents.create({ kind: "dashboard", title: "Forty tiles", body });
  return `/dashboards/${id}`;
}

/** Milliseconds from a board's request to the first and the last answer of each tile that it asks. */
function timeAnswers(page: Page): Promise<{ firstMs: number; finalMs: number }> {
  return new Promise((resolve) => {
    page.on("websocket", (socket: WebSocket) => {
      const [begun, done] = [new Set<string>(), new Set<string>()];
      let [startMs, count, firstMs] = [0, 0, 0];
      socket.on("framesent", ({ payload }) => {
        const frame = JSON.parse(String(payload));
        if (frame.kind !== "batch" || count > 0) return;
        startMs = performance.now();
        count = frame.queries.length;
      });
      socket.on("framereceived", ({ payload }) => {
        const { kind, tile } = JSON.parse(String(payload));
        if (tile === undefined || count === 0) return;
        begun.add(tile);
        const ms = performance.now() - startMs;
        if (begun.size === count && firstMs === 0) firstMs = ms;
        if (kind === "final") done.add(tile);
        if (done.size === count) resolve({ firstMs, finalMs: ms });
      });
    });
  });
}

/** Counts how often the page asks for its board. */
function countRounds(page: Page) {
  let [count, awaited] = [0, Number.POSITIVE_INFINITY];
  let onPassed = (): void => undefined;
  page.on("websocket", (socket: WebSocket) =>
    socket.on("framesent", ({ payload }) => {
      if (JSON.parse(String(payload)).kind === "batch" && ++count >= awaited) onPassed();
    }),
  );
  return {
    /** Resolves after this many more rounds. */
    pass(more: number): Promise<void> {
      awaited = count + more;
      return new Promise((resolve) => {
        onPassed = resolve;
      });
    },
  };
}

test("opening a board of 40 tiles", async ({ browser, hadal }, info) => {
  const address = await createBoard(hadal);
  const times = [];
  for (let i = 0; i < 7; i++) {
    const page = await browser.newPage();
    const timed = timeAnswers(page);
    await page.goto(`${hadal.url}${address}`);
    times.push(await timed);
    await page.close();
  }
  noteFigure(info, "boardFirstMs", median(times.map(({ firstMs }) => firstMs)));
  noteFigure(info, "boardFinalMs", median(times.map(({ finalMs }) => finalMs)));
});

test("scrolling a live board, and its memory", async ({ page, hadal }, info) => {
  test.setTimeout((2 * minutes + 5) * 60_000);
  const rounds = countRounds(page);
  await page.goto(`${hadal.url}${await createBoard(hadal)}?live=1`);
  await settled(page);
  await page.mouse.move(600, 400);
  let isDone = false;
  const counting = countFrames(page, scrollMs).finally(() => {
    isDone = true;
  });
  for (let step = 0; !isDone; step++) await page.mouse.wheel(0, step % 80 < 40 ? 60 : -60);
  noteFigure(info, "boardFramesPerSecond", await counting);
  const session = await page.context().newCDPSession(page);
  // What is loaded with the first answers is no growth.
  await rounds.pass(6);
  const before = await heapBytes(session);
  await rounds.pass(minutes * roundsPerMinute);
  const grownMb = ((await heapBytes(session)) - before) / 2 ** 20;
  noteFigure(info, `boardHeapGrowthMbIn${minutes}Minutes`, grownMb);
});
