import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HadalError, type WhatChanged } from "@hadal/sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { PictureHost } from "../../picture/pictureHost.js";
import type { PictureSource } from "../../picture/pictureOrder.js";
import { alertMessage } from "../testing/messages.js";
import { chartQuery, illustrateMessages } from "./illustrateMessages.js";

/** Speaks the protocol of the host's thread: a picture is its order, as JSON. */
const thread = `
import { parentPort as port } from "node:worker_threads";
port.on("message", ({ kind, id, order }) => {
  if (kind !== "draw") return;
  if (order.request.subject.title === "fail") port.postMessage({ kind: "failure", id, text: "broken" });
  else port.postMessage({ kind: "drawn", id, bytes: new TextEncoder().encode(JSON.stringify(order)) });
});
`;
const folder = mkdtempSync(join(tmpdir(), "hadal-illustrate-"));
const script = join(folder, "thread.mjs");
writeFileSync(script, thread);
afterAll(() => rmSync(folder, { recursive: true }));

const hosts: PictureHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

const share = (part: number) => ({ rows: 1, count: 1, share: part });
const found = {
  pairs: [
    {
      columns: ["service", "size"],
      is: [
        { kind: "value", value: null },
        { kind: "range", from: 10, to: null },
      ],
      ...{ a: share(0.404), b: share(0) },
    },
  ],
  columns: ["a", "b", "c"].map((name) => ({
    name,
    best: { is: { kind: "element", value: name.toUpperCase() }, a: share(0.5), b: share(0.25) },
  })),
} as unknown as WhatChanged;

const refuse = async () => Promise.reject(new HadalError("forbidden", { detail: "not yours" }));
const source: PictureSource = {
  ...{ ask: refuse, columns: refuse, document: refuse, annotations: refuse },
  whatChanged: async ({ from, to, against }) => {
    expect({ from, to, against }).toEqual({
      ...{ from: 1_749_999_700_000, to: 1_750_000_000_000, against: { offset: "300000ms" } },
    });
    return found;
  },
};

function illustrate(sourceOf = async () => source) {
  const url = pathToFileURL(script);
  const pictures = new PictureHost({ script: url, bundle: url, warn: () => undefined });
  hosts.push(pictures);
  const draw = illustrateMessages({ pictures, sourceOf, nowMs: () => 5 });
  return (parts: Parameters<typeof alertMessage>[0] = {}) =>
    draw(alertMessage(parts), AbortSignal.timeout(20_000));
}

test("a message gets its chart and its first three finds, pairs first", async () => {
  const { image, finds } = await illustrate()();
  const { format, request } = JSON.parse(new TextDecoder().decode(image ?? new Uint8Array()));
  expect(format).toBe("png");
  expect(request).toMatchObject({ width: 800, height: 400, subject: { title: "Errors" } });
  expect(finds).toEqual([
    "service (missing) with size from 10 to the most: 40.4 % of the rows, before 0.0 %",
    "a A: 50.0 % of the rows, before 25.0 %",
    "b B: 50.0 % of the rows, before 25.0 %",
  ]);
});

test("either is there without the other, and rights that are gone show nothing", async () => {
  expect(await illustrate()({ title: "fail" })).toMatchObject({
    image: null,
    finds: [{}, {}, {}].map(() => expect.any(String)),
  });
  const silent = illustrate(async () => ({ ...source, whatChanged: refuse }));
  expect(await silent()).toMatchObject({ image: expect.anything(), finds: [] });
  await expect(illustrate(refuse)()).rejects.toMatchObject({ code: "forbidden" });
});

test("what is over, or has no value, has no finds", async () => {
  const draw = illustrate();
  expect(await draw({ state: "ok" })).toMatchObject({ finds: [] });
  expect(await draw({ value: null })).toMatchObject({ finds: [] });
});

test.each([
  // Window, bucket.
  [300_000, 60_000],
  [60_000, 15_000],
  [3_600_000, 900_000],
  [1_000, 1_000],
  [0, 1_000],
  [604_800_000, 86_400_000],
])(
  "a window of %d ms is drawn in whole buckets of %d ms, with its groups",
  (windowMs, bucketMs) => {
    const toMs = 1_750_000_000_123;
    const groupBy = [{ time: "7m" }, "service"] as const;
    const query = { ...alertMessage().query, groupBy, limit: 5 };
    const drawn = chartQuery(alertMessage({ query, fromMs: toMs - windowMs, toMs }));
    expect(drawn).toMatchObject({ groupBy: [{ time: `${bucketMs}ms` }, "service"], series: 10 });
    expect(drawn).not.toHaveProperty("limit");
    for (const time of [drawn.from, drawn.to]) expect(Number(time) % bucketMs).toBe(0);
    expect(toMs - Number(drawn.to)).toBeLessThan(bucketMs);
  },
);
