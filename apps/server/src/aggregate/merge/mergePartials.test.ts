import { bucketBounds, logLinearBucket } from "@hadal/kernel-wasm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeStrings } from "../../base/bytes/stringList.js";
import type { ResolvedGroup, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type {
  KeyColumn,
  PartialResult,
  PartialSample,
  StateColumn,
} from "../partial/partialResult.js";
import { stringKeysOf } from "../partial/stringKeys.js";
import { asListed } from "../state/histogram/histogramRuns.js";
import { histogramState, percentileOf } from "../state/histogram/histogramState.js";
import { plainHistogram } from "../state/histogram/packedRuns.js";
import { sumOf, sumState } from "../state/sumState.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import { everyKind, printPartial, randomPartial, randomRows } from "../testing/randomPartials.js";
import { mergeGroups, mergePartials, mergeSteps } from "./mergePartials.js";
import { decodePartialResult, encodePartialResult } from "./partialCodec.js";

const merge = (...partials: PartialResult[]) => mergePartials(partials, everyKind);

describe("merging", () => {
  test("does not depend on order or grouping, and an empty answer changes nothing", () => {
    const empty = partialOfRows([], everyKind);
    fc.assert(
      fc.property(randomPartial, randomPartial, randomPartial, (a, b, c) => {
        const merged = printPartial(merge(a, b, c));
        expect(printPartial(merge(c, a, b))).toEqual(merged);
        expect(printPartial(merge(merge(a, b), c))).toEqual(merged);
        expect(printPartial(merge(a, merge(b, c)))).toEqual(merged);
        expect(printPartial(merge(a, empty, b, c))).toEqual(merged);
      }),
    );
  });

  test("of parts is the whole", () => {
    fc.assert(
      fc.property(randomRows, randomRows, (a, b) => {
        const parts = merge(partialOfRows(a, everyKind), partialOfRows(b, everyKind));
        expect(printPartial(parts)).toEqual(printPartial(partialOfRows([...a, ...b], everyKind)));
      }),
    );
  });

  test("of many groups goes by steps of some thousand, whatever they are grouped by", () => {
    const groupCount = 60_000;
    const codes = Int32Array.from({ length: groupCount }, (_, i) => i);
    const strings = encodeStrings(Array.from(codes, (i) => `user-${i}`));
    const keysOf: readonly (readonly [ResolvedGroup, KeyColumn])[] = [
      [{ kind: "column", column: "s", type: "string", decimals: 0 }, stringKeysOf(strings, codes)],
      [
        { kind: "column", column: "n", type: "int", decimals: 0 },
        {
          kind: "int",
          values: BigInt64Array.from(codes, (i) => BigInt(i) << 33n),
          present: new Uint8Array(groupCount).fill(1),
        },
      ],
    ];
    for (const grouped of [keysOf, [keysOf[0]!], [keysOf[1]!]]) {
      const groupBy = grouped.map(([group]) => group);
      const resolved: ResolvedQuery = { ...everyKind, groupBy, states: [{ kind: "rows" }] };
      const part: PartialResult = {
        sides: resolved.sides.map(() => ({
          groupCount,
          keys: grouped.map(([, key]) => key),
          states: [{ kind: "count", values: new Float64Array(groupCount).fill(1) }],
          groupsCut: 0,
        })),
        sample: null,
      };
      const steps = mergeSteps([part, part], resolved);
      let stepCount = 0;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) stepCount++;
      const [side] = step.value.sides;
      expect(side?.groupCount).toBe(groupCount);
      expect(side?.states[0]).toMatchObject({ values: new Float64Array(groupCount).fill(2) });
      expect(stepCount).toBeGreaterThanOrEqual(Math.floor(groupCount / 10_000));
    }
  });

  test("is the same where states are merged when they are asked for, in whatever order", () => {
    const all = everyKind.states.map((_, i) => i);
    const anyOrder = fc.shuffledSubarray(all, { minLength: all.length });
    fc.assert(
      fc.property(randomPartial, randomPartial, anyOrder, (a, b, order) => {
        const sides = mergeGroups([a, b], everyKind, "states when asked for");
        for (const { states } of sides)
          for (const index of order) expect(states[index]).toBeDefined();
        expect(printPartial({ sides, sample: null })).toEqual(printPartial(merge(a, b)));
        const first = sides[0]!.states[order[0]!];
        expect(sides[0]!.states[order[0]!]).toBe(first);
      }),
    );
  });

  test("joins a key that one sender lists twice", () => {
    fc.assert(
      fc.property(randomRows, (rows) => {
        // Senders' groups end to end, as a leaf adds what it scanned to what its segments knew.
        const one = partialOfRows(rows, everyKind);
        const twice = merge(concat(one, one));
        expect(printPartial(twice)).toEqual(printPartial(merge(one, one)));
      }),
    );
  });

  test("sums that leave int64 are an overflow, and come back from none", () => {
    const sum = (hi: number): StateColumn => ({
      kind: "sum",
      hi: Float64Array.of(hi),
      lo: Float64Array.of(0),
      weights: Float64Array.of(1),
    });
    const groups = Int32Array.of(0);
    const total = (...columns: StateColumn[]) =>
      sumOf(
        sumState.merge(
          columns.map((column) => ({ column, groups })),
          1,
        ),
        0,
      );
    expect(total(sum(2 ** 31 - 1))).toBe((2n ** 31n - 1n) * 2n ** 32n);
    expect(total(sum(2 ** 31))).toBe("overflow");
    expect(total(sum(2 ** 31), sum(-1))).toBe((2n ** 31n - 1n) * 2n ** 32n);
    expect(total(sum(2 ** 53 + 2), sum(-(2 ** 53)))).toBe("overflow");
  });
});

describe("bytes", () => {
  test("come back as what they were", () => {
    fc.assert(
      fc.property(randomPartial, (partial) => {
        const bytes = encodePartialResult(partial, everyKind);
        expect(decodePartialResult(bytes, everyKind)).toEqual(partial);
      }),
    );
  });

  test("that are cut off, or of another query, are refused", () => {
    const bytes = encodePartialResult(partialOfRows([], everyKind), everyKind);
    for (let length = 0; length < bytes.length - 8; length += 8) {
      expect(() => decodePartialResult(bytes.slice(0, length), everyKind)).toThrow();
    }
    const other = { ...everyKind, states: everyKind.states.slice(1) };
    expect(() => decodePartialResult(bytes, other)).toThrow();
  });

  test("with a code that no entry of its dictionary has are refused", () => {
    fc.assert(
      fc.property(randomPartial, fc.constantFrom(-2, 1_000_000), (partial, code) => {
        const key = partial.sides[0]!.keys.find(({ kind }) => kind === "string");
        fc.pre(key?.kind === "string" && key.codes.length > 0);
        key.codes[0] = code;
        const bytes = encodePartialResult(partial, everyKind);
        expect(() => decodePartialResult(bytes, everyKind)).toThrow(`code ${code} has no entry`);
      }),
    );
  });
});

describe("percentiles", () => {
  const histogramOf = (values: readonly bigint[], subBits: number): StateColumn => {
    const weights = new Map<number, number>();
    for (const value of values) {
      const bucket = logLinearBucket(value, subBits);
      weights.set(bucket, (weights.get(bucket) ?? 0) + 1);
    }
    const buckets = [...weights.keys()].sort((a, b) => a - b);
    return {
      kind: "histogram",
      form: "listed",
      subBits,
      offsets: Uint32Array.of(0, buckets.length),
      buckets: Int16Array.from(buckets),
      weights: Float64Array.from(buckets, (bucket) => weights.get(bucket)!),
    };
  };
  const values = fc.array(
    fc.oneof(
      fc.bigInt({ min: -100n, max: 100n }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    ),
    { minLength: 1, maxLength: 50 },
  );

  test("are within 1 % of the nearest rank, and exact below 64", () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 99 }), (all, p) => {
        const sorted = [...all].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        const exact = sorted[Math.ceil((p * all.length) / 100) - 1]!;
        const found = percentileOf(histogramOf(all, 6), 0, p)!;
        const tolerance = Math.abs(Number(exact)) * 0.01;
        if (exact > -64n && exact < 64n) expect(BigInt(found)).toBe(exact);
        expect(Math.abs(Number(BigInt(found) - exact))).toBeLessThanOrEqual(tolerance);
      }),
    );
  });

  test("of histograms of different fineness merge to the coarser", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const groups = Int32Array.of(0);
        const merged = histogramState.merge(
          [
            { column: histogramOf(a, 6), groups },
            { column: histogramOf(b, 3), groups },
          ],
          1,
        );
        // What lies close together is merged as a run.
        const { weights, ...rest } = asListed(merged);
        const exactly = { ...rest, weights: Float64Array.from(weights) };
        expect(exactly).toEqual(histogramOf([...a, ...b], 3));
      }),
    );
  });

  test("S40: weights that outgrow the width they came in stay whole, also of groups that one sender lists twice", () => {
    const sender = (weights: readonly number[]): StateColumn => ({
      kind: "histogram",
      form: "listed",
      subBits: 6,
      offsets: Uint32Array.from([0, ...weights.map((_, i) => i + 1)]),
      buckets: new Int16Array(weights.length).fill(7),
      weights: weights.every((weight) => weight < 256)
        ? Uint8Array.from(weights)
        : Uint32Array.from(weights),
    });
    const weightsOf = (inputs: readonly (readonly number[])[]): number[] => {
      const merged = histogramState.merge(
        inputs.map((weights) => ({
          column: sender(weights),
          groups: new Int32Array(weights.length),
        })),
        1,
      );
      return [...plainHistogram(merged).weights];
    };
    expect(weightsOf([[200], [200]])).toEqual([400]);
    expect(weightsOf([[255, 255, 255]])).toEqual([765]);
    expect(weightsOf([[65_535], [1]])).toEqual([65_536]);
    expect(weightsOf([[2 ** 32 - 1, 2 ** 32 - 1], [5]])).toEqual([2 ** 33 + 3]);
  });

  test("none for no values", () => {
    expect(percentileOf(histogramState.create(1), 0, 50)).toBeNull();
    expect(bucketBounds(0, 6)).toEqual([0, 0]);
  });
});

describe("raw rows", () => {
  const resolved = {
    ...everyKind,
    sides: everyKind.sides.slice(0, 1),
    groupBy: [],
    states: [],
    sample: {
      columns: [
        { name: "n", type: "int" as const, decimals: 0 },
        { name: "s", type: "string" as const, decimals: 0 },
      ],
      limit: 3,
      newestFirst: true,
    },
  };
  const sample = (
    times: readonly number[],
    texts: readonly (string | null)[],
    sides: readonly number[] = [],
  ): PartialResult => ({
    sides: [],
    sample: {
      rowCount: times.length,
      sides: Uint8Array.from(times, (_, i) => sides[i] ?? 0),
      times: Float64Array.from(times),
      columns: [
        {
          kind: "int",
          values: BigInt64Array.from(times, BigInt),
          present: Uint8Array.from(times, () => 1),
        },
        {
          kind: "coded",
          dictionary: texts.map((text) => text ?? "unused"),
          codes: Int32Array.from(texts, (text, i) => (text === null ? -1 : i)),
        },
      ],
    },
  });

  test("the newest of all senders, their values with them", () => {
    const a = sample([9, 5, 1], ["nine", "five", "one"]);
    const b = sample([7, 6], [null, "five"]);
    const merged = mergePartials([a, b], resolved).sample as PartialSample;
    expect([...merged.times]).toEqual([9, 7, 6]);
    const [, texts] = merged.columns;
    expect(texts).toEqual({
      kind: "coded",
      dictionary: ["nine", "five"],
      codes: Int32Array.of(0, -1, 1),
    });
    const bytes = encodePartialResult({ sides: [], sample: merged }, resolved);
    expect(decodePartialResult(bytes, resolved).sample).toEqual(merged);
  });

  test("with a comparison that many of each side, the main side's first", () => {
    const one = { ...resolved, sample: { ...resolved.sample, limit: 2 } };
    const a = sample([9, 5, 8, 1], ["a", "b", "c", "d"], [0, 0, 1, 1]);
    const b = sample([7, 6], ["e", "f"], [0, 1]);
    const merged = mergePartials([a, b], one).sample;
    expect([...(merged?.times ?? [])]).toEqual([9, 7, 8, 6]);
    expect([...(merged?.sides ?? [])]).toEqual([0, 0, 1, 1]);
  });

  test("the oldest when they are asked for", () => {
    const oldest = { ...resolved, sample: { ...resolved.sample, newestFirst: false } };
    const merged = mergePartials([sample([1, 5], ["a", "b"]), sample([2], ["c"])], oldest).sample;
    expect([...(merged?.times ?? [])]).toEqual([1, 2, 5]);
  });
});

/** All groups of two answers, keys repeated. */
function concat(a: PartialResult, b: PartialResult): PartialResult {
  const sides = a.sides.map((side, i) => {
    const other = b.sides[i]!;
    const keys = side.keys.map((key, k) => {
      const more = other.keys[k]!;
      if (key.kind === "bucket" && more.kind === "bucket") {
        return { ...key, indexes: Int32Array.from([...key.indexes, ...more.indexes]) };
      }
      if (key.kind === "int" && more.kind === "int") {
        return {
          ...key,
          values: BigInt64Array.from([...key.values, ...more.values]),
          present: Uint8Array.from([...key.present, ...more.present]),
        };
      }
      if (key.kind === "string" && more.kind === "string") {
        const shift = key.dictionary.length;
        const moved = Array.from(more.codes, (code) => (code < 0 ? -1 : code + shift));
        return {
          ...key,
          dictionary: [...key.dictionary, ...more.dictionary],
          codes: Int32Array.from([...key.codes, ...moved]),
        };
      }
      throw new Error("keys of different kinds");
    });
    const states = side.states.map((state, s) => concatStates(state, other.states[s]!));
    return { ...side, groupCount: side.groupCount + other.groupCount, keys, states };
  });
  return { sides, sample: null };
}

function concatStates(a: StateColumn, b: StateColumn): StateColumn {
  const join = (x: Float64Array, y: Float64Array) => Float64Array.from([...x, ...y]);
  if (a.kind === "count" && b.kind === "count") return { ...a, values: join(a.values, b.values) };
  if (a.kind === "sum" && b.kind === "sum") {
    return {
      kind: "sum",
      hi: join(a.hi, b.hi),
      lo: join(a.lo, b.lo),
      weights: join(a.weights, b.weights),
    };
  }
  if (a.kind === "distinct" && b.kind === "distinct") {
    if (a.form !== "elements" || b.form !== "elements") throw new Error("sets of other forms");
    const shift = a.elements.length / 2;
    const moved = Array.from(b.offsets.subarray(1), (offset) => offset + shift);
    return {
      ...a,
      offsets: Uint32Array.from([...a.offsets, ...moved]),
      elements: Uint32Array.from([...a.elements, ...b.elements]),
    };
  }
  if (a.kind === "squares" && b.kind === "squares") {
    return { ...a, limbs: Uint32Array.from([...a.limbs, ...b.limbs]) };
  }
  if (a.kind === "extreme" && b.kind === "extreme") {
    return {
      kind: "extreme",
      values: BigInt64Array.from([...a.values, ...b.values]),
      present: Uint8Array.from([...a.present, ...b.present]),
    };
  }
  if (a.kind === "histogram" && b.kind === "histogram") {
    if (a.form !== "listed" || b.form !== "listed")
      throw new Error("histograms that are not listed");
    const shift = a.weights.length;
    const moved = Array.from(b.offsets.subarray(1), (offset) => offset + shift);
    return {
      ...a,
      offsets: Uint32Array.from([...a.offsets, ...moved]),
      buckets: Int16Array.from([...a.buckets, ...b.buckets]),
      weights: Float64Array.from([...a.weights, ...b.weights]),
    };
  }
  throw new Error("states of different kinds");
}
