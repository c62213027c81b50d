import { expect, test } from "vitest";
import type { GroupCell } from "../../kit/answer/intent.js";
import type { Amount } from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";
import { arrangeBars, hasLengths, partKinds } from "./arrange.js";

const total = (values: readonly (string | null)[], value: Amount): GroupTotal => ({
  key: JSON.stringify(values),
  group: values.map((value) => ({ column: "c", value }) as GroupCell),
  label: values.join(" · "),
  ...{ values: [value], compare: [], intervals: [], unsure: [] },
});
const totals = [
  total(["web", "iPhone"], 50),
  total(["web", "Mac"], 20),
  total(["cart", "iPhone"], 5),
  total(["cart", null], 3),
];
const wholes = [total(["web"], 100), total(["cart"], 8)];
const nameOf = ({ group }: GroupTotal): string => String(group[1]?.value);
const arranged = (isStack: boolean, kinds = partKinds(totals)) =>
  arrangeBars({ totals, wholes, kinds, isStack, nameOf }).map(({ whole, parts }) => [
    whole.label,
    ...parts.map(({ label, value }) => [label, value]),
  ]);

test("a stack ends at its whole: what has no part of its own is the others", () => {
  expect(arranged(true)).toEqual([
    ["web", ["iPhone", 50], ["Mac", 20], ["others", 30]],
    ["cart", ["iPhone", 5], ["null", 3]],
  ]);
  // Kinds that are not drawn are among the others too.
  expect(arranged(true, partKinds(totals).slice(0, 1))).toEqual([
    ["web", ["iPhone", 50], ["others", 50]],
    ["cart", ["iPhone", 5], ["others", 3]],
  ]);
});

test("side by side there are no others, and parts stand in the order of their sums", () => {
  expect(partKinds(totals)).toEqual(['["iPhone"]', '["Mac"]', "[null]"]);
  expect(arranged(false)[0]).toEqual(["web", ["iPhone", 50], ["Mac", 20]]);
});

test("a missing value is not the text null", () => {
  const both = [total(["web", null], 7), total(["web", "null"], 2), total([null, "x"], 1)];
  const [bar] = arrangeBars({
    totals: both,
    wholes: [total(["web"], 9), total(["null"], 4)],
    ...{ kinds: partKinds(both), isStack: true, nameOf },
  });
  expect(bar?.parts.map(({ value }) => value)).toEqual([7, 2]);
});

test("integers beyond 2^53 leave an exact rest, and what is below 0 has no length", () => {
  const [bar] = arrangeBars({
    totals: [total(["a", "x"], 2n ** 60n)],
    wholes: [total(["a"], 2n ** 60n + 1n)],
    ...{ kinds: ['["x"]'], isStack: true, nameOf },
  });
  expect(bar?.parts[1]?.value).toBe(1n);
  expect(hasLengths(arrangeBars({ totals, wholes, kinds: [], isStack: true, nameOf }))).toBe(true);
  const below = { totals: [total(["a", "x"], -1)], wholes: [total(["a"], -1)] };
  expect(hasLengths(arrangeBars({ ...below, kinds: ['["x"]'], isStack: true, nameOf }))).toBe(
    false,
  );
});
