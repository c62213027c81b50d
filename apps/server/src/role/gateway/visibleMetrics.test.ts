import { expect, test } from "vitest";
import { printVisibleMetrics } from "./visibleMetrics.js";

test("each table has its quantiles, whatever its name is", () => {
  const times = { p50Ms: 250, p99Ms: 1_500, samples: 9, unseen: 2 };
  const unseen = { p50Ms: null, p99Ms: null, samples: 0, unseen: 1 };
  const text = printVisibleMetrics([
    ['a"\\b', times],
    ["t", unseen],
  ]);
  expect(text.split("\n").filter((line) => !line.startsWith("#"))).toEqual([
    'hadal_visible_seconds{table="a\\"\\\\b",quantile="0.5"} 0.25',
    'hadal_visible_seconds{table="a\\"\\\\b",quantile="0.99"} 1.5',
    'hadal_canaries_unseen_total{table="a\\"\\\\b"} 2',
    'hadal_canaries_unseen_total{table="t"} 1',
    "",
  ]);
});
