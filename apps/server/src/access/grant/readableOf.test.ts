import type { Filter, Grant } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everything } from "../../base/access/readable.js";
import { readableByGrants, readableByScopes } from "./readableOf.js";

const eu: Filter = { column: "region", op: "=", value: "eu" };
const us: Filter = { column: "region", op: "=", value: "us" };
const slow: Filter = { column: "ms", op: ">", value: 100 };

describe("grants", () => {
  test("without one a table does not exist", () => {
    const readable = readableByGrants([{ user: "anna", table: "requests" }]);
    expect(readable.of("requests")).toEqual({ rows: null, hiddenColumns: [] });
    expect(readable.of("payments")).toBeNull();
    expect(readableByGrants([]).of("requests")).toBeNull();
  });

  test("several of one table: rows of each, and no column that one of them hides", () => {
    const readable = readableByGrants([
      { user: "anna", table: "requests", filter: [eu, slow], hiddenColumns: ["ip"] },
      { group: "ops", table: "requests", filter: [us] },
      { group: "everyone", table: "*", filter: [us], hiddenColumns: ["email", "ip"] },
    ]);
    expect(readable.of("requests")).toEqual({
      rows: [[eu, slow], [us]],
      hiddenColumns: ["email", "ip"],
    });
    expect(readable.of("others")).toEqual({ rows: [[us]], hiddenColumns: ["email", "ip"] });
  });

  test("one without a filter shows all rows; columns stay hidden", () => {
    const readable = readableByGrants([
      { user: "anna", table: "t", filter: [eu], hiddenColumns: ["ip"] },
      { user: "anna", table: "t", filter: [] },
    ]);
    expect(readable.of("t")).toEqual({ rows: null, hiddenColumns: ["ip"] });
  });

  test("every table as a whole is everything, as an admin has it", () => {
    expect(readableByGrants([{ group: "everyone", table: "*" }])).toBe(everything);
    const narrowed = readableByGrants([
      { user: "anna", table: "*" },
      { user: "anna", table: "t", hiddenColumns: ["ip"] },
    ]);
    expect(narrowed.of("t")).toEqual({ rows: null, hiddenColumns: ["ip"] });
    expect(narrowed.key).not.toBe(everything.key);
  });

  test("a table may have any name", () => {
    const readable = readableByGrants([{ user: "anna", table: "__proto__" }]);
    expect(readable.of("__proto__")).not.toBeNull();
    expect(readable.of("constructor")).toBeNull();
  });
});

describe("scopes of a token", () => {
  test("it reads its tables; grants that name it narrow that, and add nothing", () => {
    const tables = new Set(["a", "b"]);
    const alone = readableByScopes(tables, []);
    expect(["a", "b", "c"].map((table) => alone.of(table) !== null)).toEqual([true, true, false]);
    const narrowed = readableByScopes(tables, [
      { token: "ci", table: "b", filter: [eu] },
      { token: "ci", table: "c" },
    ]);
    expect(narrowed.of("a")).toBeNull();
    expect(narrowed.of("b")).toEqual({ rows: [[eu]], hiddenColumns: [] });
    expect(narrowed.of("c")).toBeNull();
    expect(narrowed.key).not.toBe(alone.key);
    expect(readableByScopes(new Set(["*"]), [])).toBe(everything);
    expect(readableByScopes(new Set(), []).of("a")).toBeNull();
  });
});

const anyGrant: fc.Arbitrary<Grant> = fc.record(
  {
    user: fc.constant("anna"),
    table: fc.constantFrom("a", "b", "*"),
    filter: fc.subarray([eu, us, slow]),
    hiddenColumns: fc.subarray(["ip", "email"]),
  },
  { requiredKeys: ["user", "table"] },
);
const grants = fc.array(anyGrant, { maxLength: 6 });
const rows = [
  { region: "eu", ms: 1 },
  { region: "eu", ms: 500 },
  { region: "us", ms: 1 },
  { region: "asia", ms: 500 },
];
type Row = (typeof rows)[number];

/** What the filters of this test mean. */
const passes = (row: Row, filter: Filter): boolean =>
  filter === slow ? row.ms > 100 : row.region === (filter === eu ? "eu" : "us");

describe("property", () => {
  test("a row is seen if and only if a grant of the table shows it; a column if none hides it", () => {
    fc.assert(
      fc.property(grants, (given) => {
        const readable = readableByGrants(given);
        for (const table of ["a", "b", "other"]) {
          const own = given.filter((grant) => grant.table === table || grant.table === "*");
          const found = readable.of(table);
          expect(found === null).toBe(own.length === 0);
          if (found === null) continue;
          for (const row of rows) {
            const isSeen =
              found.rows?.some((filter) => filter.every((one) => passes(row, one))) ?? true;
            const isGranted = own.some(({ filter = [] }) =>
              filter.every((one) => passes(row, one)),
            );
            expect(isSeen).toBe(isGranted);
          }
          const hidden = new Set(own.flatMap(({ hiddenColumns = [] }) => hiddenColumns));
          expect(found.hiddenColumns).toEqual([...hidden].sort());
        }
      }),
      { numRuns: 500 },
    );
  });

  test("the key is the same exactly where the same may be read, in any order of grants", () => {
    const textOf = (given: readonly Grant[]): string => {
      const readable = readableByGrants(given);
      return JSON.stringify(["a", "b", "other"].map((table) => readable.of(table)));
    };
    fc.assert(
      fc.property(grants, grants, (one, other) => {
        const reversed = readableByGrants(one.toReversed());
        expect(reversed.key).toBe(readableByGrants(one).key);
        if (readableByGrants(one).key === readableByGrants(other).key)
          expect(textOf(one)).toBe(textOf(other));
      }),
      { numRuns: 500 },
    );
  });
});
