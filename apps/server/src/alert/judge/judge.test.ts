import type { AlertRule, Result } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullRule } from "../rule/fullRule.js";
import { valueColumn } from "../rule/ruleQueries.js";
import { judge } from "./judge.js";
import { readWindow } from "./windowAnswer.js";

type Bar = readonly [number, number] | null;
type Row = readonly [...(string | null)[], number | null];

const ruleOf = (condition: AlertRule["condition"], more: Partial<AlertRule> = {}) =>
  fullRule({
    query: {
      ...{ table: "t", from: "-5m", to: "now", groupBy: ["page"] },
      aggregates: [{ fn: "count" }, { fn: "avg", column: "ms" }],
    },
    condition: { aggregate: "count", ...condition },
    perGroup: true,
    ...more,
  });

interface Given {
  readonly fraction?: number;
  readonly bars?: readonly Bar[];
  readonly more?: Partial<Result>;
}

function answer(column: string, rows: readonly Row[], { fraction = 1, bars, more }: Given = {}) {
  const result: Result = {
    columns: [
      ...(rows[0]?.length === 1 ? [] : [{ name: "page", type: "string", role: "group" } as const]),
      { name: column, type: "float", role: "aggregate" },
    ],
    rows,
    completeness: { fraction, leaves: { answered: 1, total: 1, missing: [] } },
    intervals: bars === undefined ? {} : { [column]: bars },
    ...{ asOf: 0, final: true, truncated: null },
    stats: { rowsMatched: 0, cache: "miss", elapsedMs: 0, scanMs: 0, mergeMs: 0 },
    ...more,
  };
  return readWindow(result, column, 0.995);
}

/** The verdict of each group, or why there is none. */
function verdicts(
  rule: ReturnType<typeof ruleOf>,
  judged: readonly Row[],
  compared: readonly (readonly Row[])[] = [],
  given: Given = {},
) {
  const column = valueColumn(rule);
  const judgement = judge(rule, {
    judged: answer(column, judged, given),
    compared: compared.map((rows) => answer(column, rows)),
    watched: [],
  });
  if (judgement.kind === "unknown") return judgement.reason;
  return Object.fromEntries(
    [...judgement.verdicts].map(([key, { kind }]) => [
      (JSON.parse(key) as string[])[0] ?? "",
      kind,
    ]),
  );
}

const above = ruleOf({ op: "above", value: 10 });
const below = ruleOf({ op: "below", value: 10 });
const changed = ruleOf({ op: "changed-by", value: 50, against: "7d" });

describe("judge", () => {
  test("above and below a bound, of each group", () => {
    const rows = [
      ["a", 11],
      ["b", 10],
      ["c", 9],
    ] as const;
    expect(verdicts(above, rows)).toEqual({ a: "breach", b: "fine", c: "fine" });
    expect(verdicts(below, rows)).toEqual({ a: "fine", b: "fine", c: "breach" });
  });

  test("a difference within its error bars counts only where the rule says so", () => {
    const rows = [
      ["a", 12],
      ["b", 12],
    ] as const;
    const bars: Bar[] = [
      [10, 14],
      [11, 13],
    ];
    expect(verdicts(above, rows, [], { bars })).toEqual({ a: "fine", b: "breach" });
    const within = ruleOf({ op: "above", value: 10 }, { judgeWithinBars: true });
    expect(verdicts(within, rows, [], { bars })).toEqual({ a: "breach", b: "breach" });
  });

  test("less than the wanted share, or groups that are cut off: it is not known", () => {
    const rows = [["a", 99]] as const;
    expect(verdicts(above, rows, [], { fraction: 0.99499 })).toContain("99.49 % of the rows");
    expect(verdicts(above, rows, [], { fraction: 0.995 })).toEqual({ a: "breach" });
    const cut = { truncated: { groups: 3 } };
    expect(verdicts(above, rows, [], { more: cut })).toContain("more than 1000 groups");
    const lost: Result["completeness"] = {
      ...{ fraction: 1, known: false, leaves: { answered: 1, total: 1, missing: [] } },
    };
    expect(verdicts(above, rows, [], { more: { completeness: lost } })).toContain("not known");
  });

  test("changes against an earlier window, in either direction", () => {
    const rows = [
      ["a", 16],
      ["b", 15],
      ["c", 4],
      ["d", 5],
      ["new", 5],
      ["zero", 1],
    ] as const;
    const before = [
      ["a", 10],
      ["b", 10],
      ["c", 10],
      ["d", 10],
      ["zero", 0],
    ] as const;
    expect(verdicts(changed, rows, [before])).toEqual({
      ...{ a: "breach", b: "fine", c: "breach", d: "fine", new: "fine", zero: "breach" },
    });
    const all = ruleOf({ op: "changed-by", value: 50, against: "7d" }, { perGroup: false });
    expect(verdicts(all, [[16]], [[[null]]])).toContain("compared has no value");
  });

  test("further from the usual value than its spread; a few weeks make no habit", () => {
    const band = ruleOf({ op: "outside-band", value: 3 }, { perGroup: false });
    const weeks = [100, 104, 96, 102, 98, 100].map((value) => [[value]] as const);
    expect(verdicts(band, [[108]], weeks)).toEqual({ "": "fine" });
    expect(verdicts(band, [[110]], weeks)).toEqual({ "": "breach" });
    expect(verdicts(band, [[90]], weeks)).toEqual({ "": "breach" });
    expect(verdicts(band, [[90]], weeks.slice(0, 2))).toContain("only 2 earlier windows");
  });

  test("no rows, of all or of groups that had some; new groups", () => {
    const none = ruleOf({ op: "absent" }, { perGroup: false });
    expect(verdicts(none, [[0]])).toEqual({ "": "breach" });
    expect(verdicts(none, [[3]])).toEqual({ "": "fine" });
    const gone = ruleOf({ op: "absent" });
    expect(
      verdicts(
        gone,
        [["a", 1]],
        [
          [
            ["a", 5],
            ["b", 5],
          ],
        ],
      ),
    ).toEqual({ a: "fine", b: "breach" });
    const fresh = ruleOf({ op: "new-group" });
    expect(
      verdicts(
        fresh,
        [
          ["a", 1],
          ["c", 1],
        ],
        [
          [
            ["a", 5],
            ["b", 5],
          ],
        ],
      ),
    ).toEqual({
      ...{ a: "fine", c: "breach" },
    });
  });

  test("a group that is watched and has no rows: a count is 0, an average is not known", () => {
    const evidence = (column: string) => ({
      ...{ judged: answer(column, [["b", 50]]), compared: [], watched: [["a"]] },
    });
    const count = judge(below, evidence("count"));
    expect(count.kind === "judged" && count.verdicts.get('["a"]')).toMatchObject({
      ...{ kind: "breach", value: 0 },
    });
    const average = judge(
      ruleOf({ aggregate: "avg_ms", op: "below", value: 9 }),
      evidence("avg_ms"),
    );
    expect(average.kind === "judged" && average.verdicts.get('["a"]')).toMatchObject({
      ...{ kind: "unknown", value: null },
    });
  });

  test("no breach has a bar that reaches the bound, nor an answer that is incomplete", () => {
    const numbers = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
    const arbitrary = fc.record({
      ...{ value: numbers, bound: numbers, low: numbers, high: numbers },
      fraction: fc.oneof(fc.constant(1), fc.double({ noNaN: true, min: 0, max: 1 })),
      op: fc.constantFrom("above" as const, "below" as const),
    });
    fc.assert(
      fc.property(arbitrary, ({ value, bound, low, high, fraction, op }) => {
        const bar: Bar = [Math.min(value, low), Math.max(value, high)];
        const rule = ruleOf({ op, value: bound });
        const found = verdicts(rule, [["a", value]], [], { fraction, bars: [bar] });
        if (fraction < 0.995) return typeof found === "string";
        const isApart = op === "above" ? bar[0] > bound : bar[1] < bound;
        return (found as Record<string, string>).a === (isApart ? "breach" : "fine");
      }),
    );
  });
});
