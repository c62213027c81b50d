import { expect, test } from "vitest";
import { sqlUnitsMax } from "./parse/scanText.js";
import { readSql } from "./readSql.js";

const where = (condition: string) =>
  `SELECT count(*) FROM t WHERE time >= now() - INTERVAL '1 hour' AND time < now() AND ${condition}`;

/** What a repeated piece makes a parser go over again and again, where it can be made to. */
const hostile: readonly (readonly [name: string, before: string, piece: string, after: string])[] =
  [
    ["digits", "a = ", "1", ""],
    ["zeros behind the point", "a = 0.", "0", "1"],
    ["an exponent", "a = 1e", "1", ""],
    ["an exponent with a sign", "a = 1e+", "1", ""],
    ["points", "a = ", "1.", ""],
    ["brackets", "", "(", ""],
    ["brackets that close", "a = 1", ")", ""],
    ["minus", "a = ", "- ", "1"],
    ["NOT", "", "NOT ", "a = 1"],
    ["a text without an end", "a = '", "x", ""],
    ["quotes", "a = '", "''", "'"],
    ["a name", "", "a", " = 1"],
    ["a quoted name", 'a = "', '""', '"'],
    ["white space", "a ", " ", "= 1"],
    ["white space at the end", "a = 1", " ", ""],
    ["a comment without an end", "a = 1 /*", "*", ""],
    ["comments in comments", "a = 1 ", "/*", ""],
    ["comments", "a = 1 ", "/**/", ""],
    ["AND", "a = 1", " AND a = 1", ""],
    ["additions", "a = 1", " + 1", ""],
    ["a list", "a IN (1", ",2", ")"],
    ["CASE", "a = ", "CASE WHEN a = 1 THEN ", "1"],
    ["casts", "a", "::int", " = 1"],
    ["a time", "time < '", "2", "'"],
    ["a pattern", "a ~ '", "[", "'"],
    ["semicolons", "a = 1", ";", "SELECT"],
  ];

/**
 * Linear work on 256 KiB takes some tens of milliseconds, work that grows with its square many
 * seconds.
 */
const msMax = 2_000;

test.each(hostile)(
  "%s, as many as a query may have, are read or refused at once",
  (_, before, piece, after) => {
    const frame = where(`${before}${after}`);
    const count = Math.floor((sqlUnitsMax - frame.length) / piece.length);
    const startedMs = performance.now();
    try {
      readSql(where(`${before}${piece.repeat(count)}${after}`));
    } catch (error) {
      expect(error).toMatchObject({ name: "HadalError", status: 400 });
    }
    expect(performance.now() - startedMs).toBeLessThan(msMax);
  },
);

test("a number with more digits than any column has is refused at its place", () => {
  const text = where(`a = ${"1".repeat(401)}`);
  expect(() => readSql(text)).toThrow(
    expect.objectContaining({
      code: "invalid-sql",
      errors: [
        expect.objectContaining({
          line: 1,
          column: text.indexOf("1".repeat(9)) + 1,
          code: "too-long",
        }),
      ],
    }),
  );
  expect(readSql(where(`a = ${"1".repeat(400)}`)).query.table).toBe("t");
});
