import type { Filter } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { everything } from "../../base/access/readable.js";
import { readableByGrants } from "./readableOf.js";
import { readableOfEmbed } from "./readableOfEmbed.js";

const shop: Filter = { column: "shop", op: "=", value: "berlin" };
const region: Filter = { column: "region", op: "=", value: "eu" };
const scope = {
  ...{ table: "visits", views: ["timeseries"], filter: [shop], hiddenColumns: ["ip"] },
  ...{ groupBy: ["time", "page"], rangeMsMax: 1_000 },
};
const granted = (hiddenColumns: readonly string[]) =>
  readableByGrants([{ user: "ann", table: "visits", filter: [region], hiddenColumns }]);
const rowsWith = (filter: Filter, hidden: readonly string[]) =>
  readableOfEmbed({ ...scope, filter: [filter] }, granted(hidden)).of("visits")?.rows;

describe("an embed", () => {
  test("has the rows that pass the maker's grant and its own filter", () => {
    expect(readableOfEmbed(scope, everything).of("visits")?.rows).toEqual([[shop]]);
    expect(rowsWith(shop, [])).toEqual([[region, shop]]);
    const rows = readableOfEmbed({ ...scope, filter: [] }, granted([])).of("visits")?.rows;
    expect(rows).toEqual([[region]]);
    expect(readableOfEmbed({ ...scope, filter: [] }, everything).of("visits")?.rows).toBeNull();
  });

  test.each<[string, Filter]>([
    ["alone", shop],
    ["in a choice", { any: [region, shop] }],
    ["in a list", { all: [region, { any: [shop] }] }],
    ["in a negation", { not: { all: [shop] } }],
  ])("has no row by a condition on a column that is hidden from its maker, %s", (_, filter) => {
    expect(rowsWith(filter, ["shop"])).toEqual([]);
    expect(rowsWith(filter, ["page"])).toEqual([[region, filter]]);
    // It may hide that column itself.
    const own = readableOfEmbed(
      { ...scope, filter: [filter], hiddenColumns: ["shop"] },
      everything,
    );
    expect(own.of("visits")).toMatchObject({ rows: [[filter]], hiddenColumns: ["shop"] });
  });

  test("hides what either hides, and shows raw rows only as a view", () => {
    const grant = readableOfEmbed(scope, granted(["email", "ip"])).of("visits");
    expect(grant?.hiddenColumns).toEqual(["email", "ip"]);
    expect(grant?.bounds).toEqual({ rows: false, groupBy: ["page", "time"], rangeMsMax: 1_000 });
    const withRows = readableOfEmbed({ ...scope, views: ["rows"] }, everything).of("visits");
    expect(withRows?.bounds?.rows).toBe(true);
  });

  test("is another reader for the caches wherever it differs", () => {
    const keys = [
      ...[scope, { ...scope, table: "others" }, { ...scope, filter: [] }],
      ...[
        { ...scope, hiddenColumns: [] },
        { ...scope, groupBy: ["time"] },
      ],
      ...[
        { ...scope, rangeMsMax: 2_000 },
        { ...scope, views: ["rows"] },
      ],
    ].map((one) => readableOfEmbed(one, everything).key);
    keys.push(readableOfEmbed(scope, granted([])).key, everything.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(readableOfEmbed({ ...scope, groupBy: ["page", "time"] }, everything).key).toBe(keys[0]);
  });
});
