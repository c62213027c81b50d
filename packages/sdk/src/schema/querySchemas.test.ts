import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkQuery } from "../model/check/checkQuery.js";
import { wrongQueries } from "../model/check/testing/wrongQueries.js";
import { HadalError, type ProblemPart } from "../model/problem/problem.js";
import { standaloneSchema } from "./jsonSchema.js";
import { schemas } from "./schemas.js";
import { randomQuery } from "./testing/randomQuery.js";
import { createValidator } from "./testing/schemaValidator.js";

const validate = createValidator(schemas)("Query");

/** What the checker refuses and no schema can say; each with the paths where that is so. */
const beyondSchemas: readonly (readonly [code: string, path: RegExp, detail?: RegExp])[] = [
  // Asked for in the right form, but answered by a later version.
  ["unsupported", /./],
  // What one part of a query means for another.
  ["unknown-result-column", /^(orderBy|having|calculate|show)/],
  ["duplicate-name", /./],
  ["type-mismatch", /^(orderBy\[\d+\]\.by|having\[\d+\]\.column)$/],
  ["unexpected", /^(having|calculate|show|calculate\[\d+\]\.expression)$/],
  // Calendars, zones, and which of two times is earlier.
  ["time-range-invalid", /^(from|to)$/],
  ["unknown-time-zone", /^timeZone$/],
  ["invalid-duration", /./],
  // Sums over a whole query.
  ["too-many", /^(filter|compare\.filter|groupBy)$/],
  ["too-deep", /./],
  // Names of derived columns, terms of all of them, and numbers beyond 64 bits.
  ["ambiguous", /^derive\[\d+\]$/],
  ["too-many", /^(derive|calculate)$/],
  ["out-of-range", /\.(integer|decimal)$/],
  // Edges that do not ascend.
  ["out-of-range", /^groupBy\[\d+\]\.edges\[\d+\]$/],
  // Texts that JSON can write and Unicode has not.
  ["not-unicode", /./],
  ["invalid-name", /./, /has at most 255 bytes of UTF-8|well-formed Unicode/],
];

function refusalsOf(query: unknown): readonly ProblemPart[] {
  try {
    checkQuery(query);
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors;
  }
}

function expectAgreement(query: unknown): void {
  const refusals = refusalsOf(query);
  const valid = validate(query);
  const shown = JSON.stringify(query);
  if (refusals.length === 0) expect(valid, `the schema refuses ${shown}`).toBe(true);
  if (!valid) return;
  const isBeyond = ({ code, path = "", detail }: ProblemPart): boolean =>
    beyondSchemas.some(([c, p, d]) => c === code && p.test(path) && (d?.test(detail) ?? true));
  const unsaid = refusals.filter((refusal) => !isBeyond(refusal));
  expect(unsaid, `the schema accepts ${shown}`).toEqual([]);
}

describe("schema and checker", () => {
  test("agree on thousands of queries, most of them wrong somewhere", () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(randomQuery, (query) => {
        expectAgreement(query);
        seen[validate(query) ? "accepted" : "refused"] += 1;
      }),
      { numRuns: 2_000 },
    );
    // Else the agreement would say little.
    expect(seen.accepted).toBeGreaterThan(150);
    expect(seen.refused).toBeGreaterThan(150);
  });

  const base = { table: "t", from: "-1h", to: "now" };
  // JSON has neither NaN nor infinity: a schema never sees them.
  const faults = wrongQueries.filter(
    ([, parts]) =>
      !/NaN|Infinity/.test(
        JSON.stringify(parts, (_key, value) => (typeof value === "number" ? String(value) : value)),
      ),
  );

  test.each(faults)("agree on a fault: %s", (_what, parts) => {
    expectAgreement(JSON.parse(JSON.stringify({ ...base, ...parts })));
  });
});

test("stands alone, with all that it points to", () => {
  const standalone = standaloneSchema("Query", schemas, "https://hadal.dev/query");
  expect(Object.keys(standalone.$defs as object)).toContain("DerivedColumn");
  const validateAlone = new Ajv2020({ allowUnionTypes: true, strictRequired: false }).compile(
    standalone,
  );
  fc.assert(
    fc.property(randomQuery, (query) => {
      expect(validateAlone(query)).toBe(validate(query));
    }),
  );
});
