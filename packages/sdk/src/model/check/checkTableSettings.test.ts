import { expect, test } from "vitest";
import { checkTableSettings } from "./checkTableSettings.js";

const dayMs = 86_400_000;
const none = { retention: { maxAgeMs: null, maxBytes: null }, thinning: [], columns: [] };

test.each([
  [{}, none],
  [{ retention: { maxAgeMs: dayMs } }, { ...none, retention: { maxAgeMs: dayMs, maxBytes: null } }],
  [
    {
      thinning: [
        { afterMs: dayMs, keepOneIn: 10 },
        { afterMs: 7 * dayMs, keepOneIn: 100 },
      ],
      columns: [
        { name: "price", decimals: 2 },
        { name: "__proto__", type: "string" },
        { name: "ns", type: "int", decimals: 0 },
      ],
    },
    {
      ...none,
      thinning: [
        { afterMs: dayMs, keepOneIn: 10 },
        { afterMs: 7 * dayMs, keepOneIn: 100 },
      ],
      columns: [
        { name: "price", decimals: 2 },
        { name: "__proto__", type: "string" },
        { name: "ns", type: "int", decimals: 0 },
      ],
    },
  ],
])("%j is fine", (body, settings) => expect(checkTableSettings(body)).toEqual(settings));

const thinning = (...steps: readonly (readonly [number, number])[]) => ({
  thinning: steps.map(([afterMs, keepOneIn]) => ({ afterMs, keepOneIn })),
});

const basis = (of: object) => ({ thinning: [{ afterMs: dayMs, keepOneIn: 10, ...of }] });

test.each([
  basis({}),
  basis({ key: "user_id" }),
  basis({ groups: ["service", "status"] }),
  basis({ groups: ["service"], keepAtLeast: 65_536 }),
])("%j decides which rows stay", (body) =>
  expect(checkTableSettings(body).thinning).toEqual(body.thinning),
);

test.each([
  [{ columns: { price: 2 } }, "columns", "type-mismatch", "Expected a list"],
  [{ columns: [{ name: "a" }] }, "columns[0]", "missing", "Set `type`"],
  [{ columns: [{ name: "a", type: "float" }] }, "columns[0].type", "type-mismatch", "int, string"],
  [{ columns: [{ name: "a", decimals: 19 }] }, "columns[0].decimals", "type-mismatch", "0 to 18"],
  [{ columns: [{ name: "a", decimals: 1.5 }] }, "columns[0].decimals", "type-mismatch", "0 to 18"],
  [
    { columns: [{ name: "a", type: "set", decimals: 2 }] },
    ...["columns[0].decimals", "unexpected", "Only numbers"],
  ],
  [{ columns: [{ name: "time", type: "int" }] }, "columns[0].name", "invalid-name", "every table"],
  [{ columns: [{ type: "int" }] }, "columns[0].name", "type-mismatch", "found nothing"],
  [{ columns: [{ name: "a\n", type: "int" }] }, "columns[0].name", "invalid-name", ""],
  [
    {
      columns: [
        { name: "a", type: "int" },
        { name: "a", decimals: 1 },
      ],
    },
    ...["columns[1].name", "duplicate-name", "twice"],
  ],
  [thinning([1, 10]), "thinning[0].afterMs", "type-mismatch", "from 60000"],
  [thinning([dayMs, 1]), "thinning[0].keepOneIn", "type-mismatch", "from 2"],
  [thinning([dayMs, 10], [dayMs, 20]), "thinning[1].afterMs", "out-of-range", "young to old"],
  [thinning([dayMs, 10], [2 * dayMs, 25]), "thinning[1].keepOneIn", "out-of-range", "multiple"],
  [thinning([dayMs, 10], [2 * dayMs, 10]), "thinning[1].keepOneIn", "out-of-range", "multiple"],
  [basis({ key: "a", groups: ["b"] }), "thinning[0].groups", "unexpected", "leave one"],
  [basis({ keepAtLeast: 5 }), "thinning[0].keepAtLeast", "unexpected", "set `groups`"],
  [basis({ key: "a", keepAtLeast: 5 }), "thinning[0].keepAtLeast", "unexpected", "set `groups`"],
  [basis({ key: 7 }), "thinning[0].key", "type-mismatch", "column's name"],
  [basis({ key: "time" }), "thinning[0].key", "invalid-name", "every table"],
  [basis({ groups: "a" }), "thinning[0].groups", "type-mismatch", "list"],
  [basis({ groups: [] }), "thinning[0].groups", "missing", "at least one"],
  [basis({ groups: ["a", "b", "a"] }), "thinning[0].groups", "duplicate-name", "a is listed twice"],
  [basis({ groups: ["a", ""] }), "thinning[0].groups[1]", "invalid-name", ""],
  [
    basis({ groups: ["a"], keepAtLeast: 65_537 }),
    ...["thinning[0].keepAtLeast", "type-mismatch", "1 to 65536"],
  ],
  [
    { ...thinning([dayMs, 10]), retention: { maxAgeMs: dayMs } },
    ...["thinning[0].afterMs", "out-of-range", "gone by then"],
  ],
  [{ thining: [] }, "thining", "unknown-key", "thinning"],
] as [object, string, string, string][])("%j is refused at %s", (body, path, code, detail) => {
  expect(() => checkTableSettings(body)).toThrow(
    expect.objectContaining({
      code: "invalid-query",
      errors: [expect.objectContaining({ path, code, detail: expect.stringContaining(detail) })],
    }),
  );
});
