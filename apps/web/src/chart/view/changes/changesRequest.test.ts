import type { Filter, Query } from "@hadal/sdk";
import { expect, test } from "vitest";
import { changesRequest } from "./changesRequest.js";

const failed: Filter = { column: "status", op: ">=", value: 500 };
const web: Filter = { column: "service", op: "=", value: "web" };
const others: Filter = { not: failed };
const query: Query = { table: "requests", from: "-3h", to: "now", timeZone: "UTC" };
const rows = { ...query, timeoutMs: 10_000 };

test.each<readonly [string, Partial<Query>, object]>([
  [
    "an earlier time",
    { filter: [web], compare: { offset: "7d" } },
    { filter: [web], against: { offset: "7d" } },
  ],
  [
    "the rest: what both sides ask holds for both",
    { filter: [web, failed], compare: { filter: [web, others] } },
    { filter: [web], selection: { filter: [failed] }, against: { filter: [others] } },
  ],
  [
    "other rows at an earlier time",
    { filter: [failed], compare: { filter: [], offset: "1d" } },
    { filter: [], selection: { filter: [failed] }, against: { filter: [], offset: "1d" } },
  ],
  [
    "integers beyond 2^53",
    {
      filter: [{ column: "user", op: "=", value: 2n ** 63n - 1n }, web],
      compare: { filter: [{ column: "user", op: "=", value: 2n ** 63n - 1n }] },
    },
    {
      filter: [{ column: "user", op: "=", value: 2n ** 63n - 1n }],
      selection: { filter: [web] },
      against: { filter: [] },
    },
  ],
])("%s", (_, parts, expected) => {
  expect(changesRequest({ ...query, ...parts })).toEqual({ ...rows, ...expected });
});

test("a part of the times: against the rest of them, whatever is compared elsewhere", () => {
  const asked = { ...query, filter: [web], compare: { offset: "7d" } };
  expect(changesRequest(asked, { fromMs: 1_000, toMs: 2_000 })).toEqual({
    ...{ ...rows, filter: [web] },
    selection: { from: 1_000, to: 2_000 },
  });
});

test("one side alone is no comparison", () => {
  expect(changesRequest(query)).toBeNull();
});
