import type { NumberBucket } from "@hadal/sdk";
import { expect, test } from "vitest";
import { boundsOfBucket, filtersOfGroup, filtersOfRange } from "./groupFilter.js";

const filtersOf = (spec: Omit<NumberBucket, "bucket">, value: number | bigint | string) =>
  (filtersOfGroup([{ column: "id", value }], [{ bucket: "id", ...spec }]) ?? []).map((filter) =>
    "column" in filter ? [filter.op, filter.value] : [],
  );

test.each<[Omit<NumberBucket, "bucket">, number | bigint | string, unknown[]]>([
  [
    { width: 100 },
    200,
    [
      [">=", 200],
      ["<", 300],
    ],
  ],
  // The last bound that a number holds, and the first beyond.
  [
    { width: 1 },
    9007199254740990,
    [
      [">=", 9007199254740990],
      ["<", 9007199254740991],
    ],
  ],
  [
    { width: 2 },
    9007199254740991,
    [
      [">=", 9007199254740991],
      ["<", "9007199254740993"],
    ],
  ],
  [
    { width: 0.5 },
    9007199254740993n,
    [
      [">=", "9007199254740993"],
      ["<", "9007199254740994"],
    ],
  ],
  [
    { scale: "log" },
    10n ** 16n,
    [
      [">=", "10000000000000000"],
      ["<", "20000000000000000"],
    ],
  ],
  [
    { scale: "log" },
    5000000000000000,
    [
      [">=", 5000000000000000],
      ["<", "10000000000000000"],
    ],
  ],
  [
    { edges: [0, 2 ** 53, 2 ** 60] },
    2n ** 53n,
    [
      [">=", "9007199254740992"],
      ["<", "1152921504606846976"],
    ],
  ],
  [
    { edges: ["9007199254740993", "9007199254740994"] },
    9007199254740993n,
    [
      [">=", "9007199254740993"],
      ["<", "9007199254740994"],
    ],
  ],
  [
    { width: "9007199254740993" },
    0,
    [
      [">=", 0],
      ["<", "9007199254740993"],
    ],
  ],
  [
    { width: 1 },
    2n ** 63n - 2n,
    [
      [">=", "9223372036854775806"],
      ["<", "9223372036854775807"],
    ],
  ],
  // No number of 64 bits lies beyond.
  [{ width: 1 }, 2n ** 63n - 1n, [[">=", "9223372036854775807"]]],
  [{ scale: "log" }, 5n * 10n ** 18n, [[">=", "5000000000000000000"]]],
  [{ edges: [-1e19, 0, 1e19] }, 0, [[">=", 0]]],
  [{ edges: [-1e19, 1e19] }, "-10000000000000000000", [["is present", undefined]]],
])("the bucket %j from %s", (spec, value, filters) =>
  expect(filtersOf(spec, value)).toEqual(filters),
);

test("a range without an end has no condition there", () => {
  expect(filtersOfRange("id", null, 2e16)).toEqual([
    { column: "id", op: "<", value: "20000000000000000" },
  ]);
  expect(filtersOfRange("id", 0.5, null)).toEqual([{ column: "id", op: ">=", value: 0.5 }]);
  expect(filtersOfRange("id", -(2 ** 63), 2 ** 63)).toEqual([{ column: "id", op: "is present" }]);
});

test("bounds are numbers where these hold them", () => {
  expect(boundsOfBucket({ bucket: "id", width: 10 }, 20)).toEqual({ low: 20, high: 30 });
  expect(boundsOfBucket({ bucket: "id", width: 0.1 }, 0.2)).toEqual({ low: 0.2, high: 0.3 });
});
