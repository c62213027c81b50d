import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWeights, largestOf, weightBytesFor } from "./bucketWeights.js";
import { asListed, type HistogramColumn } from "./histogramRuns.js";
import { bucketsOf, histogramState, percentileOf } from "./histogramState.js";
import type { MergeInput } from "./stateKind.js";

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

/** As text, whatever the width of the weights. */
function print(column: HistogramColumn): unknown {
  const { subBits, offsets, buckets, weights } = asListed(column);
  return [subBits, [...offsets], [...buckets], [...weights]];
}

const inputsOf = (
  senders: readonly Weights[],
  groups: readonly (readonly number[])[],
  form: HistogramColumn["form"],
): MergeInput[] =>
  senders.map((sender, i) => ({
    column: columnOf(sender, form),
    groups: Int32Array.from(groups[i]!),
  }));

const merged = (inputs: readonly MergeInput[]) =>
  histogramState.merge(inputs, groupCount) as HistogramColumn;

describe("runs of buckets say what listed ones do", () => {
  test("alone: listed, taken, percentiles, shown buckets", () => {
    fc.assert(
      fc.property(randomWeights, fc.integer({ min: 1, max: 99 }), (groups, p) => {
        const [runs, listed] = [columnOf(groups, "runs"), columnOf(groups, "listed")];
        expect(print(runs)).toEqual(print(listed));
        const some = Uint32Array.of(3, 1, 1);
        expect(print(histogramState.take(runs, some) as HistogramColumn)).toEqual(
          print(histogramState.take(listed, some) as HistogramColumn),
        );
        for (let group = 0; group < groupCount; group++) {
          expect(percentileOf(runs, group, p)).toEqual(percentileOf(listed, group, p));
          expect(bucketsOf(runs, group, 2)).toEqual(bucketsOf(listed, group, 2));
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
        const mixed = runs.map((input, i) => (i === 0 ? listed[0]! : input));
        expect(print(merged(mixed))).toEqual(print(merged(listed)));
        const coarser = (form: HistogramColumn["form"]) => ({
          column: columnOf(weights[0]!, form, 3),
          groups: runs[0]!.groups,
        });
        expect(print(merged([...runs, coarser("runs")]))).toEqual(
          print(merged([...listed, coarser("listed")])),
        );
      }),
    );
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
