import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDashboard, isNewerDashboard } from "../../model/check/checkDashboard.js";
import {
  type Dashboard,
  dashboardIgnores,
  dashboardTilesMax,
} from "../../model/dashboard/dashboard.js";
import { HadalError } from "../../model/problem/problem.js";
import { schemas } from "../schemas.js";
import { createValidator } from "../testing/schemaValidator.js";

const validate = createValidator(schemas)("Dashboard");

function refusalsOf(body: unknown): string[] {
  try {
    checkDashboard(body);
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path, code }) => `${path}: ${code}`);
  }
}

const query = { table: "requests", from: "-3h", to: "now" };
const board = (...tiles: readonly unknown[]) => ({ sections: [{ tiles }] });

const drawing = fc.record(
  {
    ...{ title: fc.string({ maxLength: 200 }), view: fc.constantFrom("bar", "map") },
    ...{ x: fc.nat(5), y: fc.nat(100), w: fc.integer({ min: 1, max: 6 }) },
    h: fc.integer({ min: 1, max: 9 }),
    viewOptions: fc.dictionary(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 })),
    ignores: fc.subarray([...dashboardIgnores]),
  },
  { requiredKeys: [] },
);
const content = fc.oneof(
  fc.record({ query: fc.constant(query) }),
  fc.record({ savedQuery: fc.uuid() }),
);
const plain = fc.oneof(
  fc.record({ text: fc.string() }),
  fc.record({ divider: fc.constant(true as const) }),
);
const tile = fc.oneof(
  fc.tuple(drawing, content).map(([how, what]) => ({ ...how, ...what })),
  plain,
);
const section = fc.record(
  { title: fc.string(), folded: fc.boolean(), tiles: fc.array(tile, { maxLength: 4 }) },
  { requiredKeys: ["tiles"] },
);
const values = fc.option(fc.array(fc.oneof(fc.string(), fc.nat(), fc.boolean())));
const soundBoard = fc
  .record(
    {
      version: fc.constant(1),
      timeZone: fc.constantFrom(null, "UTC", "Europe/Berlin"),
      compare: fc.constantFrom(null, { offset: "7d" }, { filter: [] }),
      filter: fc.constantFrom([], [{ column: "status", op: ">=", value: 500 }]),
      variables: fc.uniqueArray(
        fc.record({
          ...{ name: fc.constantFrom("a", "b", "__proto__"), table: fc.constant("requests") },
          ...{ column: fc.constantFrom("service", "constructor"), values },
        }),
        { selector: ({ name }) => name, maxLength: 3 },
      ),
      sections: fc.array(section, { maxLength: 4 }),
    },
    { requiredKeys: [] },
  )
  .map((body) => ({ ...body, sections: numbered(body.sections ?? []) }));

/** Every tile has an id of its own. */
const numbered = (sections: readonly { readonly tiles: readonly object[] }[]) =>
  sections.map((one, s) => ({
    ...one,
    tiles: one.tiles.map((part, t) => ({ id: `${s}.${t}`, ...part })),
  }));

describe("the body of a board", () => {
  test("every sound one is accepted, by the schema too, and is the same after JSON", () => {
    fc.assert(
      fc.property(soundBoard, (body) => {
        expect(refusalsOf(body)).toEqual([]);
        expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
        const again = JSON.parse(JSON.stringify(body)) as Dashboard;
        expect(JSON.stringify(again)).toBe(JSON.stringify(body));
        expect(checkDashboard(again)).toEqual(body);
      }),
    );
  });

  test("the example of the schema is sound", () => {
    const [example] = (schemas.Dashboard?.examples ?? []) as readonly unknown[];
    expect(refusalsOf(example)).toEqual([]);
    expect(validate(example)).toBe(true);
  });

  test.each([
    ["a list", [], ": type-mismatch"],
    ["an unknown member", { tiles: [] }, "tiles: unknown-key"],
    ["one end of a range", { from: "-3h" }, "to: time-range-missing"],
    ["an unknown zone", { timeZone: "Mars" }, "timeZone: unknown-time-zone"],
    ["a comparison with nothing", { compare: {} }, "compare: missing"],
    ["a broken filter", { filter: [{ column: "a", op: "?" }] }, "filter[0].op: unknown-operator"],
    [
      "two variables of one name",
      {
        variables: ["a", "b"].map((column) => ({ name: "x", table: "t", column })),
      },
      "variables[1].name: duplicate",
    ],
    ["a section without tiles", { sections: [{}] }, "sections[0].tiles: missing"],
    ["a tile of nothing", board({ id: "a" }), "sections[0].tiles[0]: missing"],
    [
      "a tile of two things",
      board({ id: "a", text: "", divider: true }),
      "sections[0].tiles[0]: unknown-value",
    ],
    [
      "a wrong query in a tile",
      board({ id: "a", query: { ...query, filter: [{ column: "", op: "=", value: 1 }] } }),
      "sections[0].tiles[0].query.filter[0].column: invalid-name",
    ],
    [
      "two tiles of one id",
      board({ id: "a", text: "" }, { id: "a", text: "" }),
      "sections[0].tiles[1].id: duplicate",
    ],
    [
      "a tile beyond the grid",
      board({ id: "a", text: "", x: 8, w: 5 }),
      "sections[0].tiles[0].w: out-of-range",
    ],
    [
      "a long title",
      board({ id: "a", text: "", title: "x".repeat(201) }),
      "sections[0].tiles[0].title: too-large",
    ],
    [
      "an unknown part to ignore",
      board({ id: "a", query, ignores: ["colour"] }),
      "sections[0].tiles[0].ignores[0]: unknown-value",
    ],
    [
      "too many tiles",
      board(...Array.from({ length: dashboardTilesMax + 1 }, (_, i) => ({ id: `${i}`, text: "" }))),
      "sections: too-many",
    ],
  ])("%s is refused with its place", (_, body, refusal) => {
    expect(refusalsOf(body)).toContain(refusal);
  });

  test("a newer version is kept with what this one does not know", () => {
    const newer = { version: 2, colours: "loud", sections: [{ tiles: [{ id: 1, video: "x" }] }] };
    expect(checkDashboard(newer)).toBe(newer);
    expect(isNewerDashboard(newer)).toBe(true);
    expect(isNewerDashboard({})).toBe(false);
    expect(refusalsOf({ version: 2, sections: {} })).toEqual(["sections: type-mismatch"]);
    expect(refusalsOf({ version: 0 })).toEqual(["version: out-of-range"]);
  });
});
