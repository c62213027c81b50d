import { bucketBounds, coarserBucket } from "@hadal/kernel-wasm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResolvedQuery } from "../../../plan/query/resolvedQuery.js";
import { decodePartialResult, encodePartialResult } from "../../merge/partialCodec.js";
import { createWeights, largestOf, weightBytesFor } from "../../partial/bucketWeights.js";
import type { StateColumn } from "../../partial/partialResult.js";
import type { MergeInput } from "../stateKind.js";
import { asListed } from "./histogramRuns.js";
import {
  bucketsOf,
  coarseWeightUpTo,
  histogramState,
  percentileOf,
  weightOf,
  weightUpTo,
} from "./histogramState.js";
import { MergedRuns } from "./mergedRuns.js";
import { type HistogramColumn, type PackedRuns, packedMaxOf } from "./packedRuns.js";

const groupCount = 5;

/** Per group the weights by bucket; groups without any are among them. */
type Weights = ReadonlyMap<number, number>[];

const weightsNear = (middle: number, weight: fc.Arbitrary<number>) =>
  fc
    .array(fc.tuple(fc.integer({ min: middle - 6, max: middle + 6 }), weight), { maxLength: 8 })
    .map((entries) => new Map(entries));
const weight = fc.oneof(
  fc.integer({ min: 1, max: 255 }),
  fc.constantFrom(255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 40),
);
const narrowWeight = fc.integer({ min: 1, max: 255 });
const randomWeights = fc
  .tuple(fc.constantFrom(0, -4_000, 4_000, 3), fc.constantFrom(weight, narrowWeight))
  .chain(([middle, of]) =>
    fc.array(weightsNear(middle, of), { minLength: groupCount, maxLength: groupCount }),
  );

/** The same with cells of one or two bytes, large ones beside. */
function packedOf(groups: Weights, subBits = 6, cellBytes = 1): PackedRuns {
  const { offsets, buckets, weights } = columnOf(groups, "runs", subBits);
  const all = [...weights];
  const room = cellBytes === 1 ? new Uint8Array(all.length) : new Uint16Array(all.length);
  const packedMax = packedMaxOf(room);
  const largeAt = Uint32Array.from(all.keys()).filter((i) => all[i]! > packedMax);
  return {
    ...{ kind: "histogram", form: "packed", subBits, offsets, buckets },
    cells: room.map((_, i) => (all[i]! > packedMax ? 0 : all[i]!)),
    totals: Float64Array.from(groups, (own) => [...own.values()].reduce((a, b) => a + b, 0)),
    ...{ largeAt, largeWeights: Float64Array.from(largeAt, (i) => all[i]!) },
  };
}

function columnOf(groups: Weights, form: HistogramColumn["form"], subBits = 6): HistogramColumn {
  const offsets = [0];
  const buckets: number[] = [];
  const all: number[] = [];
  for (const weights of groups) {
    const filled = [...weights.keys()].sort((a, b) => a - b);
    if (form === "listed") {
      buckets.push(...filled);
      all.push(...filled.map((bucket) => weights.get(bucket)!));
    } else {
      const first = filled[0] ?? 0;
      buckets.push(first);
      const length = filled.length === 0 ? 0 : filled.at(-1)! - first + 1;
      for (let i = 0; i < length; i++) all.push(weights.get(first + i) ?? 0);
    }
    offsets.push(all.length);
  }
  const narrow = createWeights(weightBytesFor(largestOf(Float64Array.from(all))), all.length);
  narrow.set(all);
  return {
    ...{ kind: "histogram", form, subBits, weights: narrow },
    ...{ offsets: Uint32Array.from(offsets), buckets: Int16Array.from(buckets) },
  };
}

const coarserWeights = (weights: ReadonlyMap<number, number>): ReadonlyMap<number, number> => {
  const coarse = new Map<number, number>();
  for (const [bucket, weight] of weights) {
    const to = coarserBucket(bucket, 6, 3);
    coarse.set(to, (coarse.get(to) ?? 0) + weight);
  }
  return coarse;
};

/** The same buckets in every group. */
function listedEvery(
  count: number,
  buckets: readonly number[],
  weights: Uint32Array,
): HistogramColumn {
  const offsets = new Uint32Array(count + 1);
  const all = new Int16Array(weights.length);
  for (let group = 0; group < count; group++) {
    all.set(buckets, offsets[group]);
    offsets[group + 1] = offsets[group]! + buckets.length;
  }
  return { kind: "histogram", form: "listed", subBits: 5, offsets, buckets: all, weights };
}

const everyGroup = (count: number) => new Int32Array(count).map((_, i) => i);

/** What all senders have of a merged group, by bucket. */
function addedUp(
  senders: readonly Weights[],
  groups: readonly (readonly number[])[],
  group: number,
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  senders.forEach((sender, i) => {
    for (const [bucket, weight] of sender[groups[i]!.indexOf(group)] ?? []) {
      sums.set(bucket, (sums.get(bucket) ?? 0) + weight);
    }
  });
  return sums;
}

const weightBelow = (weights: ReadonlyMap<number, number>, last: number): number =>
  [...weights].reduce((sum, [bucket, weight]) => sum + (bucket <= last ? weight : 0), 0);

/** As text, whatever the width of the weights. */
function print(column: StateColumn): unknown {
  const { subBits, offsets, buckets, weights } = asListed(column);
  return [subBits, [...offsets], [...buckets], [...weights]];
}

const inputsOf = (
  senders: readonly Weights[],
  groups: readonly (readonly number[])[],
  form: HistogramColumn["form"] | "packed",
): MergeInput[] =>
  senders.map((sender, i) => ({
    // Some in cells of a byte, some in cells of two.
    column: form === "packed" ? packedOf(sender, 6, 1 + (i % 2)) : columnOf(sender, form),
    groups: Int32Array.from(groups[i]!),
  }));

const merged = (inputs: readonly MergeInput[]) =>
  histogramState.merge(inputs, groupCount) as HistogramColumn;

describe("runs of buckets say what listed ones do", () => {
  test("alone: listed, taken, percentiles, shown buckets", () => {
    fc.assert(
      fc.property(randomWeights, fc.integer({ min: 1, max: 99 }), (groups, p) => {
        const [runs, listed] = [columnOf(groups, "runs"), columnOf(groups, "listed")];
        const [packed, wide] = [packedOf(groups), packedOf(groups, 6, 2)];
        expect(print(runs)).toEqual(print(listed));
        expect(print(packed)).toEqual(print(listed));
        expect(print(wide)).toEqual(print(listed));
        const some = Uint32Array.of(3, 1, 1);
        for (const one of [packed, wide]) {
          const taken = histogramState.take(one, some);
          expect(taken).toMatchObject({ form: "packed" });
          expect(print(taken)).toEqual(print(histogramState.take(listed, some)));
          expect([...some].map((_, i) => weightOf(taken, i))).toEqual(
            [...some].map((group) => weightOf(listed, group)),
          );
        }
        expect(print(histogramState.take(runs, some) as HistogramColumn)).toEqual(
          print(histogramState.take(listed, some) as HistogramColumn),
        );
        for (let group = 0; group < groupCount; group++) {
          expect(percentileOf(runs, group, p)).toEqual(percentileOf(listed, group, p));
          expect(bucketsOf(runs, group, 2)).toEqual(bucketsOf(listed, group, 2));
          expect(percentileOf(packed, group, p)).toEqual(percentileOf(listed, group, p));
          expect(bucketsOf(packed, group, 2)).toEqual(bucketsOf(listed, group, 2));
        }
      }),
    );
  });

  test("merged, whichever groups they go to, with other forms and other fineness among them", () => {
    const places = fc.array(fc.integer({ min: 0, max: groupCount - 1 }), {
      minLength: groupCount,
      maxLength: groupCount,
    });
    const senders = fc.array(fc.tuple(randomWeights, places), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(senders, (all) => {
        const weights = all.map(([one]) => one);
        const groups = all.map(([, to]) => to);
        const listed = inputsOf(weights, groups, "listed");
        const runs = inputsOf(weights, groups, "runs");
        expect(print(merged(runs))).toEqual(print(merged(listed)));
        const packed = inputsOf(weights, groups, "packed");
        expect(print(merged(packed))).toEqual(print(merged(listed)));
        expect(print(merged([...packed, ...runs]))).toEqual(print(merged([...listed, ...listed])));
        const mixed = runs.map((input, i) => (i === 0 ? listed[0]! : input));
        expect(print(merged(mixed))).toEqual(print(merged(listed)));
        const coarser = (form: HistogramColumn["form"] | "packed") => ({
          column: form === "packed" ? packedOf(weights[0]!, 3) : columnOf(weights[0]!, form, 3),
          groups: runs[0]!.groups,
        });
        const ofListed = print(merged([...listed, coarser("listed")]));
        expect(print(merged([...runs, coarser("runs")]))).toEqual(ofListed);
        expect(print(merged([...packed, coarser("packed")]))).toEqual(ofListed);
      }),
    );
  });

  test("S40: groups whose runs would take more cells than memory has, or a section holds, are listed", () => {
    // Two senders, each with one bucket a group, so far apart that all runs together are 2^32 cells long.
    const many = 2 ** 20;
    const far = [-2_047, 2_048].map((bucket, sender): MergeInput => {
      const weights = new Uint32Array(many).map((_, group) => 1 + ((group + sender) % 7));
      return { column: listedEvery(many, [bucket], weights), groups: everyGroup(many) };
    });
    const apart = histogramState.merge(far, many) as HistogramColumn;
    expect(apart.form).toBe("listed");
    for (const group of [0, 1, 6, many - 1]) {
      expect(weightOf(apart, group)).toBe(1 + (group % 7) + 1 + ((group + 1) % 7));
    }
    // Few gaps, but more than 2^24 cells.
    const buckets = Array.from({ length: 17 }, (_, i) => i * 4);
    const count = 2 ** 18;
    const weights = new Uint32Array(count * buckets.length).fill(3);
    const input = { column: listedEvery(count, buckets, weights), groups: everyGroup(count) };
    const merged = histogramState.merge([input, input], count) as HistogramColumn;
    expect(merged.form).toBe("listed");
    expect([...merged.buckets.subarray(17, 34)]).toEqual(buckets);
    expect(weightOf(merged, count - 1)).toBe(17 * 6);
  });

  test("S40: percentiles of packed runs of several senders, wherever these lie, without adding them up", () => {
    const own = fc.tuple(fc.constantFrom(0, 200, -3), fc.constantFrom(weight, narrowWeight));
    const sender = own.chain(([middle, of]) =>
      fc.array(weightsNear(middle, of), { minLength: groupCount, maxLength: groupCount }),
    );
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: groupCount });
    const senders = fc.array(fc.tuple(sender, order), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(senders, fc.integer({ min: 0, max: 100 }), (all, p) => {
        const weights = all.map(([groups]) => groups);
        const groups = all.map(([, to]) => to);
        const ofPacked = merged(inputsOf(weights, groups, "packed"));
        expect(ofPacked).toBeInstanceOf(MergedRuns);
        const ofListed = merged(inputsOf(weights, groups, "listed"));
        for (let group = 0; group < groupCount; group++) {
          expect(percentileOf(ofPacked, group, p)).toEqual(percentileOf(ofListed, group, p));
        }
        expect(print(ofPacked)).toEqual(print(ofListed));
        // The coarsest sets the fineness.
        const rough = inputsOf(weights, groups, "packed").concat([
          { column: packedOf(weights[0]!, 3), groups: Int32Array.from(groups[0]!) },
        ]);
        const roughListed = inputsOf(weights, groups, "listed").concat([
          { column: columnOf(weights[0]!, "listed", 3), groups: Int32Array.from(groups[0]!) },
        ]);
        const [ofRough, ofRoughListed] = [merged(rough), merged(roughListed)];
        expect(ofRough).toBeInstanceOf(MergedRuns);
        for (let group = 0; group < groupCount; group++) {
          expect(percentileOf(ofRough, group, p)).toEqual(percentileOf(ofRoughListed, group, p));
          expect(weightOf(ofRough, group)).toEqual(weightOf(ofRoughListed, group));
          const value = percentileOf(ofRoughListed, group, p);
          if (value === null) continue;
          expect(weightUpTo(ofRough, group, Number(value))).toEqual(
            weightUpTo(ofRoughListed, group, Number(value)),
          );
        }
      }),
    );
  });

  test("S40: what holds nothing does not make others coarser, whatever its form and place", () => {
    const forms = ["listed", "runs", "packed"] as const;
    const empty = Array.from({ length: groupCount }, () => new Map<number, number>());
    const own = [0, 1, 2, 3, 4];
    const cases = fc.record({
      weights: randomWeights.filter((groups) => groups.some((one) => one.size > 0)),
      form: fc.constantFrom(...forms),
      emptyForm: fc.constantFrom(...forms),
      isFirst: fc.boolean(),
      p: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(cases, ({ weights, form, emptyForm, isFirst, p }) => {
        const filled = inputsOf([weights], [own], form);
        const column = emptyForm === "packed" ? packedOf(empty, 3) : columnOf(empty, emptyForm, 3);
        const nothing = { column, groups: Int32Array.from(own) };
        const both = merged(isFirst ? [nothing, ...filled] : [...filled, nothing]);
        const listed = columnOf(weights, "listed");
        expect(both.subBits).toBe(6);
        own.forEach((group) => {
          expect(percentileOf(both, group, p)).toEqual(percentileOf(listed, group, p));
          expect(bucketsOf(both, group, 0)).toEqual(bucketsOf(listed, group, 0));
        });
        // Among themselves the coarsest does: coarse squares stay coarse.
        expect(merged([nothing, nothing]).subBits).toBe(3);
      }),
    );
  });

  test("S83: weights up to a value, also of coarser squares, in every form and merged", () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: groupCount });
    const senders = fc.array(fc.tuple(randomWeights, order), { minLength: 1, maxLength: 2 });
    const bucket = fc.integer({ min: -4_010, max: 4_010 });
    fc.assert(
      fc.property(senders, fc.oneof(bucket, fc.integer({ min: -9, max: 12 })), (all, at) => {
        const weights = all.map(([groups]) => groups);
        const groups = all.map(([, to]) => to);
        // A value that is in this bucket.
        const value = at === 0 ? 0 : bucketBounds(at, 6)[at < 0 ? 1 : 0];
        // As squares are: the weights of a bucket times what its rows weigh.
        const factorOf = (coarse: number) => 2 + (Math.abs(coarse) % 3);
        const squares = (packed: boolean): MergeInput[] =>
          all.map(([own, to], i) => {
            const coarse = own.map((one) => {
              const rough = coarserWeights(one);
              return new Map([...rough].map(([b, weight]) => [b, weight * factorOf(b)]));
            });
            const column = packed
              ? packedOf(coarse, 3, 2 - (i % 2))
              : columnOf(coarse, "listed", 3);
            return { column, groups: Int32Array.from(to) };
          });
        const rough = coarserBucket(at, 6, 3);
        for (const form of ["listed", "runs", "packed"] as const) {
          const fine = merged(inputsOf(weights, groups, form));
          const coarse = merged(squares(form === "packed"));
          for (let group = 0; group < groupCount; group++) {
            const own = addedUp(weights, groups, group);
            const total = [...own.values()].reduce((a, b) => a + b, 0);
            const below = weightBelow(own, at);
            expect(weightOf(fine, group)).toBe(total);
            expect(weightUpTo(fine, group, value)).toBe(below);
            const squaresBelow = [...own].reduce((sum, [b, weight]) => {
              const isBelow = coarserBucket(b, 6, 3) === rough ? b <= at : b < at;
              return isBelow ? sum + weight * factorOf(coarserBucket(b, 6, 3)) : sum;
            }, 0);
            expect(coarseWeightUpTo(fine, coarse, group, value)).toBeCloseTo(
              squaresBelow,
              -Math.log10(total * 4e-9 + 1e-9),
            );
          }
        }
      }),
    );
  });

  test("packed runs travel as they are; large cells in no order, or beyond all cells, are refused", () => {
    const cut = { max: 9, bySeries: false, ranks: [] };
    const filter = { kind: "all", filters: [] } as const;
    const query: ResolvedQuery = {
      ...{ table: "t", sample: null, cut },
      sides: [{ fromMs: 0, toMs: 1, filter, buckets: null }],
      groupBy: [{ kind: "column", column: "g", type: "int", decimals: 0 }],
      states: [{ kind: "histogram", column: "n", decimals: 0 }],
    };
    const travel = (column: PackedRuns): StateColumn => {
      const values = new BigInt64Array(groupCount).map((_, i) => BigInt(i));
      const present = new Uint8Array(groupCount).fill(1);
      const keys = [{ kind: "int", values, present }] as const;
      const side = { groupCount, keys, states: [column], groupsCut: 0 };
      const bytes = encodePartialResult({ sides: [side], sample: null }, query);
      return decodePartialResult(bytes, query).sides[0]!.states[0]!;
    };
    fc.assert(
      fc.property(randomWeights, (groups) => {
        for (const cellBytes of [1, 2]) {
          const packed = packedOf(groups, 6, cellBytes);
          expect(travel(packed)).toEqual(packed);
        }
      }),
    );
    const packed = packedOf([
      new Map([
        [1, 300],
        [2, 1],
        [3, 400],
      ]),
      new Map(),
      new Map(),
      new Map(),
      new Map(),
    ]);
    for (const largeAt of [
      [2, 0],
      [0, 0],
      [0, 3],
    ]) {
      const wrong = { ...packed, largeAt: Uint32Array.from(largeAt) };
      expect(() => travel(wrong)).toThrow("a large cell at");
    }
  });

  test("runs stay runs while few of their buckets are empty", () => {
    const near = [new Map([[7, 200]]), new Map([[8, 200]]), new Map(), new Map(), new Map()];
    const far = [new Map([[-900, 1]]), new Map(), new Map(), new Map(), new Map()];
    const groups = [0, 1, 2, 3, 4];
    const both = merged(inputsOf([near, near], [groups, groups], "runs"));
    expect(both.form).toBe("runs");
    expect([...both.weights]).toEqual([400, 400]);
    expect(merged(inputsOf([near, far], [groups, groups], "runs")).form).toBe("listed");
  });
});
