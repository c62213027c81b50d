import {
  type Dashboard,
  HadalError,
  type Query,
  type Result,
  type SavedDocument,
} from "@hadal/sdk";
import { expect, test } from "vitest";
import { resultOf } from "../chart/testing/answers.js";
import { allViews } from "../chart/view/views.js";
import { drawPicture } from "./picture.js";
import type { PictureRequest, PictureSubject } from "./pictureRequest.js";
import type { PictureSource } from "./pictureSource.js";
import { pictureTheme } from "./theme.js";
import { drawingOf } from "./viewPictures.js";

const nowMs = Date.UTC(2026, 10, 21, 12);

/** Each letter is seven pixels wide. */
const ruler = {
  font: "",
  measureText: (text: string) => ({ width: text.length * 7 }) as TextMetrics,
};

const half: Partial<Result> = {
  completeness: {
    ...{ fraction: 0.5, rowsExpected: 200, rowsAnswered: 100 },
    leaves: { answered: 1, total: 2, missing: ["leaf-b"] },
  },
};

function answerTo({ groupBy = [] }: Query, more: Partial<Result> = {}): Result {
  const groups = groupBy.filter((group) => typeof group === "string");
  const rows =
    groups.length === 0
      ? [[4321]]
      : [
          ["cart", 4321],
          ["<b>pay</b>", 1234],
        ];
  const result = resultOf([...groups.map((name) => `group ${name}`), "count"], rows);
  const stats = { ...result.stats, rowsMatched: 5555 };
  return { ...result, stats, asOf: nowMs, intervals: { count: [[4000, 4700], null] }, ...more };
}

const unknown = (table: string) => new HadalError("unknown-table", { table, nearest: "" });

const sourceOf = (more: Partial<PictureSource> = {}): PictureSource => ({
  ask: async (query) => {
    if (query.table === "gone") throw unknown("gone");
    return answerTo(query);
  },
  columns: async (table) => {
    if (table === "gone") throw unknown("gone");
    return [
      { name: "service", type: "string", decimals: 0, rows: 1, bytes: 1, compressionRatio: 1 },
    ];
  },
  document: async (id) => {
    throw new HadalError("unknown-document", { id });
  },
  annotations: async () => ({ annotations: [], queries: [] }),
  whatChanged: async () => {
    throw unknown("requests");
  },
  ...more,
});

const requestOf = (
  subject: PictureSubject,
  more: Partial<PictureRequest> = {},
): PictureRequest => ({
  ...{
    subject,
    theme: "light",
    width: 900,
    height: null,
    from: null,
    to: null,
    timeZone: null,
    bar: null,
  },
  ...{ nowMs, rangeMsMax: null, ...more },
});

const groups: Query = {
  ...{ table: "requests", from: "-3h", to: "now", groupBy: ["service"] },
  aggregates: [{ fn: "count" }],
};

const queryOf = (title: string, view = "table"): PictureSubject => ({
  ...{ kind: "query", title, query: groups, view, viewOptions: {} },
});

const documentOf = (board: Dashboard, title = "Site"): SavedDocument => ({
  ...{ id: "d1", kind: "dashboard", title, version: 1, body: board as never },
  ...{ createdMs: 0, createdBy: null, changedMs: 0, changedBy: null },
});

const boardOf = (board: Dashboard, tile: string | null = null): PictureSubject => ({
  ...{ kind: "document", document: documentOf(board), tile },
});

const place = { x: 0, y: 0, w: 6, h: 6 };
const tileOf = (id: string, query: Query = groups) => ({ ...place, id, query, view: "table" });

test("a table has its numbers, their error bars and how complete they are", async () => {
  const source = sourceOf({ ask: async (query) => answerTo(query, half) });
  const whole = await drawPicture(requestOf(queryOf("Calls")), sourceOf(), ruler);
  const part = await drawPicture(requestOf(queryOf("Calls")), source, ruler);
  expect(whole).toMatchObject({ width: 900, height: 563 });
  expect(whole.svg).toContain(">Calls</text>");
  for (const text of ["cart", "4.32 k", "1.23 k"]) expect(whole.svg).toContain(text);
  expect(whole.svg).toMatch(/±\d/);
  expect(whole.svg).toMatch(/1\/1 leaves · as of/);
  expect(whole.svg).not.toContain("partial");
  expect(part.svg).toMatch(/partial · [^<]*50[^<]*1\/2 leaves · no answer from leaf-b/);
});

test("a part of the rows in which nothing was found is not called empty", async () => {
  const drawn = async (more: Partial<Result>) => {
    const ask = async (query: Query) => {
      const { stats, ...answer } = answerTo(query, more);
      return { ...answer, stats: { ...stats, rowsMatched: 0 } };
    };
    return (await drawPicture(requestOf(queryOf("Calls")), sourceOf({ ask }), ruler)).svg;
  };
  expect(await drawn({})).toContain("No rows in this range");
  const part = await drawn(half);
  expect(part).toContain("Nothing found so far");
  expect(part).not.toContain("No rows");
});

test("numbers of fewer rows than the chart's say so, before notes that may be cut", async () => {
  const ask = async (query: Query) => answerTo(query, (query.groupBy ?? []).length > 0 ? {} : half);
  const subject = queryOf("Calls");
  const { svg } = await drawPicture(requestOf(subject, { width: 300 }), sourceOf({ ask }), ruler);
  expect(svg).toContain("numbers beside it: 50 % of rows");
  const board: Dashboard = { sections: [{ tiles: [tileOf("a")] }] };
  const drawn = await drawPicture(requestOf(boardOf(board)), sourceOf({ ask }), ruler);
  expect(drawn.svg).toContain("1 of 1 tiles are not complete");
});

test("times have their year, in the zone of the picture", async () => {
  const request = requestOf(queryOf("Calls"), {
    ...{ from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z", timeZone: "UTC" },
  });
  const { svg } = await drawPicture(request, sourceOf(), ruler);
  expect(svg).toContain("1 Jan 2025 00:00 – 1 Jan 2026 00:00 UTC");
  expect(svg).toContain("as of 21 Nov 2026 12:00:00 UTC");
});

test("a filter of a megabyte is drawn in no time", async () => {
  const query = {
    ...groups,
    filter: [{ column: "service", op: "=", value: "x".repeat(1_000_000) }],
  };
  let letters = 0;
  const counting = {
    font: "",
    measureText(text: string) {
      letters += text.length;
      return ruler.measureText(text);
    },
  };
  const subject = { ...queryOf("Calls"), query } as PictureSubject;
  await drawPicture(requestOf(subject), sourceOf(), counting);
  expect(letters).toBeLessThan(100e6);
});

test("bars and names of colours that have no room are counted", async () => {
  const ask = async ({ groupBy = [] }: Query) => {
    const names = Array.from({ length: 40 }, (_, i) => [`service number ${i}`, 1_000 - i] as const);
    const answer = resultOf(
      groupBy.length === 0 ? ["count"] : ["group service", "count"],
      groupBy.length === 0 ? [[9_000]] : names,
    );
    return { ...answer, stats: { ...answer.stats, rowsMatched: 9_000 }, asOf: nowMs };
  };
  const drawn = async (view: string) =>
    (
      await drawPicture(
        requestOf(queryOf("Calls", view), { width: 500, height: 300 }),
        sourceOf({ ask }),
        ruler,
      )
    ).svg;
  const bars = await drawn("bar");
  const shown = 40 - Number(/>(\d+) more bars</.exec(bars)?.[1]);
  expect(shown).toBeGreaterThan(0);
  // Names of the bars end at their axis; the others are of the key.
  expect(bars.match(/text-anchor="end"[^>]*>service number \d+</g)).toHaveLength(shown);
  const pie = await drawn("pie");
  const named = 40 - Number(/>(\d+) more</.exec(pie)?.[1]);
  expect(pie.match(/>service number \d+</g)?.length).toBeGreaterThanOrEqual(named);
});

test("a board says what it is compared with, other rows too", async () => {
  const against = async (compare: Dashboard["compare"]) => {
    const board: Dashboard = { compare: compare ?? null, sections: [] };
    return (await drawPicture(requestOf(boardOf(board)), sourceOf(), ruler)).svg;
  };
  expect(await against({ offset: "1d" })).toContain("against 1 day earlier");
  const other = { column: "service", op: "=" as const, value: "pay" };
  expect(await against({ filter: [other] })).toContain("against service = pay");
});

test("texts are escaped wherever they are from", async () => {
  const { svg } = await drawPicture(
    requestOf(queryOf(`<script>alert("1")</script>`)),
    sourceOf(),
    ruler,
  );
  expect(svg).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
  expect(svg).toContain("&lt;b&gt;pay&lt;/b&gt;");
  expect(svg).not.toMatch(/<(script|b)>/);
});

test("times and zone that were asked for are in place of the saved ones", async () => {
  const asked: Query[] = [];
  const source = sourceOf({
    ask: async (query) => {
      asked.push(query);
      return answerTo(query);
    },
  });
  const from = "2026-11-20T00:00:00Z";
  const to = "2026-11-21T00:00:00Z";
  const { svg } = await drawPicture(
    requestOf(queryOf("Calls"), { from, to, timeZone: "Asia/Tokyo" }),
    source,
    ruler,
  );
  expect(asked[0]).toMatchObject({ from, to });
  expect(svg).toContain("Asia/Tokyo");
});

test("a board has its head, sections, texts and tiles; a tile's problem is in its place", async () => {
  const board: Dashboard = {
    from: "-3h",
    to: "now",
    sections: [
      {
        title: "Calls & more",
        tiles: [
          { ...tileOf("a"), title: "By service" },
          { ...tileOf("b", { ...groups, table: "gone" }), x: 6 },
          { ...place, y: 6, id: "t", text: "# Read <i>this</i>\n- one" },
          { ...place, y: 12, w: 12, h: 1, id: "r", title: "Below", divider: true },
        ],
      },
      { title: "Hidden", folded: true, tiles: [tileOf("c")] },
    ],
  };
  const { svg, height } = await drawPicture(requestOf(boardOf(board)), sourceOf(), ruler);
  for (const text of ["Site", "Calls &amp; more", "By service", "4.32 k", "• one", "Below"])
    expect(svg).toContain(text);
  expect(svg).toContain(unknown("gone").message.replaceAll('"', "&quot;"));
  expect(svg).toContain("1 of 2 tiles are not complete");
  expect(svg).toContain("Read &lt;i&gt;this&lt;/i&gt;");
  expect(svg).toContain("Hidden (folded: 1 tiles)");
  const narrow = await drawPicture(requestOf(boardOf(board), { width: 390 }), sourceOf(), ruler);
  expect(narrow.height).toBeGreaterThan(height);
});

test("a range is not made longer than its reader may ask for", async () => {
  const askedFrom = async (rangeMsMax: number | null) => {
    const asked: Query[] = [];
    const ask = async (query: Query) => {
      asked.push(query);
      return answerTo(query);
    };
    const request = requestOf(queryOf("Calls", "timeseries"), {
      ...{ rangeMsMax, nowMs: nowMs + 30_000 },
    });
    await drawPicture(request, sourceOf({ ask }), ruler);
    return asked.map(({ from }) => from);
  };
  const hoursMs = 3 * 3_600_000;
  for (const from of await askedFrom(hoursMs)) expect(from).toBe("-3h");
  for (const from of await askedFrom(null)) expect(from).toMatch(/^-3h\/\d+ms$/);
});

test("one tile of a board, under the board's filters", async () => {
  const asked: Query[] = [];
  const source = sourceOf({
    ask: async (query) => {
      asked.push(query);
      return answerTo(query);
    },
  });
  const filter = [{ column: "service", op: "=" as const, value: "cart" }];
  const board: Dashboard = { filter, sections: [{ tiles: [tileOf("a"), tileOf("b")] }] };
  const { svg } = await drawPicture(requestOf(boardOf(board, "b")), source, ruler);
  // The groups, and all rows together.
  expect(asked.map((query) => query.filter)).toEqual([filter, filter]);
  expect(svg).toContain("4.32 k");
  await expect(drawPicture(requestOf(boardOf(board, "none")), source, ruler)).rejects.toMatchObject(
    { code: "bad-request" },
  );
  const gone: Dashboard = { sections: [{ tiles: [tileOf("a", { ...groups, table: "gone" })] }] };
  await expect(drawPicture(requestOf(boardOf(gone, "a")), source, ruler)).rejects.toMatchObject({
    code: "unknown-table",
  });
});

test("titles name the variables' values", async () => {
  const variables = [{ name: "service", table: "requests", column: "service", values: ["cart"] }];
  const tiles = [{ ...tileOf("a"), title: "Calls of $service" }];
  const board: Dashboard = { variables, sections: [{ tiles }] };
  const { svg } = await drawPicture(requestOf(boardOf(board)), sourceOf(), ruler);
  expect(svg).toContain("Calls of cart");
});

test("a tile that names no variable of the board is not asked: it says so", async () => {
  const filter = [{ column: "service", op: "=" as const, value: "$servcie" }];
  const board: Dashboard = { sections: [{ tiles: [tileOf("a", { ...groups, filter })] }] };
  const ask = () => Promise.reject(new Error("it was asked"));
  const { svg } = await drawPicture(requestOf(boardOf(board)), sourceOf({ ask }), ruler);
  expect(svg).toContain("There is no variable servcie");
  expect(svg).toContain("1 of 1 tiles are not complete");
});

test("a board under the bar of its address; a bar that cannot be read is refused", async () => {
  const asked: Query[] = [];
  const source = sourceOf({
    ask: async (query) => {
      asked.push(query);
      return answerTo(query);
    },
  });
  const board: Dashboard = { sections: [{ tiles: [tileOf("a")] }] };
  const bar = "from=-1h&to=now&filter=service:eq:cart";
  const { svg } = await drawPicture(requestOf(boardOf(board), { bar }), source, ruler);
  expect(asked[0]).toMatchObject({
    ...{ from: "-1h", filter: [{ column: "service", op: "=", value: "cart" }] },
  });
  expect(svg).toContain("service = cart");
  const broken = requestOf(boardOf(board), { bar: "from=-1h&filter=service:like" });
  await expect(drawPicture(broken, source, ruler)).rejects.toMatchObject({ code: "bad-request" });
});

test("too many tiles, too much height and boards of a newer version are refused", async () => {
  const refused = (board: Dashboard) =>
    expect(drawPicture(requestOf(boardOf(board)), sourceOf(), ruler)).rejects.toMatchObject({
      code: "bad-request",
    });
  const many = Array.from({ length: 101 }, (_, i) => ({ ...tileOf(`t${i}`), y: 6 * i }));
  await refused({ sections: [{ tiles: many }] });
  await refused({ sections: [{ tiles: many.slice(0, 90) }] });
  await refused({ version: 1_000, sections: [] });
});

test("the problem of a query that has a picture of its own is the picture's", async () => {
  const query = { ...groups, table: "gone" };
  const subject: PictureSubject = { ...queryOf("x"), query } as PictureSubject;
  await expect(drawPicture(requestOf(subject), sourceOf(), ruler)).rejects.toMatchObject({
    code: "unknown-table",
  });
});

test("each view has a picture, and each colour is one of the style sheet", () => {
  for (const { id } of allViews) expect(drawingOf(id)).toBeTypeOf("function");
  const [light, dark] = [pictureTheme("light"), pictureTheme("dark")];
  expect(light.ground).not.toBe(dark.ground);
  expect(light.series).toHaveLength(dark.series.length);
});
