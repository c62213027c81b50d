import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce } from "../../base/schedule/steps.js";
import type { ResolvedGroup } from "../../plan/query/resolvedQuery.js";
import type { KeyColumn } from "../partial/partialResult.js";
import { numberDense } from "./denseKeys.js";
import type { KeyedGroups } from "./numberedGroups.js";
import { numberGroups } from "./numberGroups.js";

const groupBy: readonly ResolvedGroup[] = [
  { kind: "time" },
  { kind: "column", column: "service", type: "string", decimals: 0 },
  { kind: "column", column: "status", type: "int", decimals: 0 },
];

/** Index of a bucket, a string, an integer; null is missing. */
type Key = readonly [number, string | null, bigint | null];

/** Dictionaries of senders need not agree, and may name a string twice. */
function keyedOf(keys: readonly Key[], isRepeating: boolean): KeyedGroups {
  const dictionary: string[] = [];
  const codes = keys.map(([, text]) => {
    if (text === null) return -1;
    const known = isRepeating ? -1 : dictionary.indexOf(text);
    return known >= 0 ? known : dictionary.push(text) - 1;
  });
  return {
    groupCount: keys.length,
    keys: [
      { kind: "bucket", indexes: Int32Array.from(keys, ([bucket]) => bucket) },
      { kind: "string", dictionary, codes: Int32Array.from(codes) },
      {
        kind: "int",
        values: BigInt64Array.from(keys, ([, , value]) => value ?? 0n),
        present: Uint8Array.from(keys, ([, , value]) => (value === null ? 0 : 1)),
      },
    ],
  };
}

function textsOf(columns: readonly KeyColumn[], count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    columns
      .map((column) => {
        if (column.kind === "bucket") return column.indexes[i];
        if (column.kind === "int") return column.present[i] === 1 ? column.values[i] : null;
        return column.codes[i]! < 0 ? null : `"${column.dictionary[column.codes[i]!]}"`;
      })
      .join("|"),
  );
}

const near = fc.constantFrom(-(2n ** 40n) - 2n, -(2n ** 40n), -(2n ** 40n) + 9n);
const far = fc.constantFrom(-(2n ** 63n), -1n, 0n, 2n ** 31n, 2n ** 32n, 2n ** 63n - 1n);

test.each([
  ["by direct addressing", near, true],
  ["by hashing", far, false],
])(
  "keys of several senders have one number each, in the order of arrival: %s",
  (_, value, isDense) => {
    const key = fc.tuple<[number, string | null, bigint | null]>(
      fc.nat(5),
      fc.option(fc.constantFrom("", "a", "b", "🙂", "__proto__") as fc.Arbitrary<string>),
      fc.option<bigint>(value),
    );
    const sender = fc.tuple(fc.array(key, { maxLength: 40 }), fc.boolean());
    let denseCount = 0;
    fc.assert(
      fc.property(fc.array(sender, { minLength: 1, maxLength: 4 }), (senders) => {
        const keyed = senders.map(([keys, isRepeating]) => keyedOf(keys, isRepeating));
        const { count, numbersOf, keys } = numberGroups(groupBy, keyed);
        if (atOnce(numberDense(groupBy, keyed)) !== null) denseCount++;
        const expected = new Map<string, number>();
        const numbers = keyed.map((one) =>
          textsOf(one.keys, one.groupCount).map((text) => {
            if (!expected.has(text)) expected.set(text, expected.size);
            return expected.get(text);
          }),
        );
        expect(numbersOf.map((one) => [...one])).toEqual(numbers);
        expect(count).toBe(expected.size);
        expect(textsOf(keys(), count)).toEqual([...expected.keys()]);
      }),
      { numRuns: 200 },
    );
    if (isDense) expect(denseCount).toBe(200);
    else expect(denseCount).toBeLessThan(150);
  },
);

test("integers alone have one number each too, whatever they are, and so has what is missing", () => {
  const [, , status] = groupBy;
  const sender = fc.array(
    fc.option<bigint>(fc.oneof(far, near, fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))),
  );
  fc.assert(
    fc.property(fc.array(sender, { minLength: 1, maxLength: 3 }), (senders) => {
      const keyed = senders.map((values) => {
        const { keys, groupCount } = keyedOf(
          values.map((value) => [0, null, value] as const),
          false,
        );
        return { keys: keys.slice(2), groupCount };
      });
      const { count, numbersOf, keys } = numberGroups([status!], keyed);
      const distinct = [...new Set(senders.flat())];
      expect(numbersOf.map((one) => [...one])).toEqual(
        senders.map((values) => values.map((value) => distinct.indexOf(value))),
      );
      expect(textsOf(keys(), count)).toEqual(distinct.map((value) => String(value ?? "")));
    }),
  );
});
