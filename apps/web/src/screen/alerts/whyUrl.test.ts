import type { AlertRule } from "@hadal/sdk";
import { expect, test } from "vitest";
import { parseUrl } from "../../draft/url/url.js";
import { chartUrl, whyUrl } from "./whyUrl.js";

test("asks what changed in the windows that fired, with the rule's filters and fixed times", () => {
  const rule: AlertRule = {
    query: {
      ...{ table: "visits", from: "-10m", to: "now", aggregates: [{ fn: "avg", column: "ms" }] },
      filter: [{ column: "status", op: ">=", value: 500 }],
    },
    condition: { op: "above", aggregate: "avg_ms", value: 5 },
    forTimes: 3,
  };
  const firedMs = Date.UTC(2026, 10, 30, 12);
  const [path, search] = whyUrl(rule, firedMs).split("?");
  const { state } = parseUrl(search!);
  expect(path).toBe("/explore");
  expect(state).toMatchObject({
    ...{ table: "visits", view: "changes", live: false },
    part: { fromMs: firedMs - 30 * 60_000, toMs: firedMs },
    filters: [{ filter: { column: "status", op: ">=", value: 500 }, off: false }],
    aggregates: [{ fn: "avg", column: "ms" }],
  });
  expect(Number(state?.to) - Number(state?.from)).toBe(6 * 3_600_000 + 30 * 60_000);
});

test("the chart of a message ends with its window", () => {
  const query = {
    table: "visits",
    from: "-10m",
    to: "now",
    aggregates: [{ fn: "count" }],
  } as const;
  const rule: AlertRule = { query, condition: { op: "above", aggregate: "count", value: 5 } };
  const toMs = Date.UTC(2026, 10, 30, 12);
  const { state } = parseUrl(chartUrl(rule, toMs).split("?")[1]!);
  expect(state).toMatchObject({ table: "visits", view: "timeseries", live: false, to: `${toMs}` });
  expect(Number(state?.to) - Number(state?.from)).toBe(12 * 600_000);
});
