import { describe, expect, it } from "vitest";
import type { ColumnForms, FormsInRange } from "../../base/row/columnTypes.js";
import { choicesInRange, choicesInTable } from "./columnsInRange.js";

const forms = (types: ColumnForms["types"], decimals = 0, decimalsMax = 18): ColumnForms => ({
  ...{ types, decimals, decimalsMax },
});
const found = (
  types: ColumnForms["types"],
  numbers: readonly [digits: number, min: string, max: string] | null = null,
): FormsInRange => ({
  ...{ column: "x", types },
  numbers: numbers === null ? null : { digits: numbers[0], min: numbers[1], max: numbers[2] },
});
const zeros = "0".repeat(18);
const int64Max = `9223372036854775807${zeros}`;

describe("a column as a query may see it", () => {
  const seen = (own: ColumnForms, ...inRange: FormsInRange[]): readonly string[] =>
    choicesInRange("x", own, inRange).map(({ type, decimals }) => `${type} ${decimals}`);

  it.each<[string, readonly string[], readonly string[]]>([
    ["numbers only", seen(forms(["int", "string"], 6), found(["int"])), ["int 6", "string 0"]],
    ["texts only", seen(forms(["int", "string"]), found(["string"])), ["string 0"]],
    [
      "both, on two leaves",
      seen(forms(["int", "string"]), found(["int"]), found(["string"])),
      ["string 0"],
    ],
    [
      "lists too",
      seen(forms(["int", "set", "vector"]), found(["int", "set"])),
      ["set 0", "vector 0"],
    ],
    ["nothing", seen(forms(["int", "string"], 6)), ["int 6", "string 0"]],
  ])("%s", (_, choices, wanted) => expect(choices).toEqual(wanted));

  it.each<[string, readonly string[], readonly string[]]>([
    [
      "all of the table's",
      seen(forms(["int"], 6, 0), found(["int"], [1, `1${zeros}`, `5${zeros}`])),
      ["int 6", "string 0"],
    ],
    [
      "as few as they need",
      seen(forms(["int"], 6, 0), found(["int"], [0, "0", int64Max])),
      ["int 0", "string 0"],
    ],
    [
      "of no number that suits all",
      seen(forms(["int"], 6, 0), found(["int"], [1, "0", int64Max])),
      ["string 0"],
    ],
    [
      "by what all leaves have",
      seen(forms(["int"], 6, 0), found(["int"], [0, "0", int64Max]), found(["int"], [2, "0", "1"])),
      ["string 0"],
    ],
    ["without any", seen(forms(["int"], 6, 0), found([])), ["int 6", "string 0"]],
  ])("decimals: %s", (_, choices, wanted) => expect(choices).toEqual(wanted));

  it("has its numbers beside it where it is seen as text", () => {
    const numbersOf = (own: ColumnForms, ...inRange: FormsInRange[]) =>
      choicesInRange("x", own, inRange)
        .find(({ type }) => type === "string")
        ?.numbers?.map(({ decimals, numbersOf: of }) => [decimals, of?.decimalsMax]);
    expect(numbersOf(forms(["int", "string"], 6), found(["int", "string"]))).toEqual([[6, 6]]);
    expect(numbersOf(forms(["int", "string"], 6), found(["string"]))).toEqual([[6, 6]]);
    expect(numbersOf(forms(["int"], 6, 0), found(["int"], [2, "0", int64Max]))).toEqual([
      [2, 2],
      [1, 2],
      [0, 2],
    ]);
    expect(numbersOf(forms(["string", "set"]), found(["string"]))).toEqual([]);
  });

  it("names the types it holds where that is not its own alone", () => {
    const holds = (own: ColumnForms, ...inRange: FormsInRange[]) =>
      choicesInRange("x", own, inRange)[0]?.holds;
    expect(holds(forms(["int", "string"]), found(["int", "string"]))).toEqual(["int", "string"]);
    expect(holds(forms(["int", "string"]), found(["string"]))).toBeUndefined();
    expect(holds(forms(["int"], 6, 0), found(["int"], [1, "0", int64Max]))).toEqual(["int"]);
  });

  it("may have any type of the table before its range is known", () => {
    const inTable = (own: ColumnForms) => choicesInTable("x", own).map(({ type }) => type);
    expect(inTable(forms(["int", "vector"]))).toEqual(["int", "vector"]);
    expect(inTable(forms(["int"], 6, 0))).toEqual(["int", "string"]);
  });
});
