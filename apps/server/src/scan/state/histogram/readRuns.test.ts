import fc from "fast-check";
import { expect, test } from "vitest";
import { plainHistogram } from "../../../aggregate/state/histogram/packedRuns.js";
import { atOnce } from "../../../base/schedule/steps.js";
import { type Counters, fullCounter, histogramProgressBytes } from "../../task/histogramTask.js";
import { createScanMemory } from "../../testing/scanMemory.js";
import { readHistogramSteps } from "./readHistograms.js";

const context = createScanMemory(64, 40);
const { memory, leaf } = context;
const room = (bytes: number): number => leaf.queries.allocate(bytes)!;

const firstBucket = -3;
const bucketCount = 37;
const groupsMax = 40;
const histogram = room(groupsMax * bucketCount * 8);
const spilled = room(4 * 1_200_000);
const progress = room(histogramProgressBytes);
const shape = { subBits: 5, firstBucket, bucketCount };
const fine = { shape, histogram: 0, counterBytes: 4, spilled: 0, groupsMax: 0 } as const;

/** As the kernel counts: a counter that was full began again at 1. */
function write(counterBytes: Counters["counterBytes"], weights: readonly (readonly number[])[]) {
  const view = new DataView(memory.buffer);
  const full = fullCounter(counterBytes);
  const noted: number[] = [];
  weights.forEach((own, group) => {
    own.forEach((weight, cell) => {
      const at = histogram + (group * bucketCount + cell) * counterBytes;
      const times = counterBytes > 2 ? 0 : Math.max(0, Math.ceil(weight / full) - 1);
      for (let i = 0; i < times; i++) noted.push(at);
      if (counterBytes === 8) view.setBigInt64(at, BigInt(weight), true);
      else if (counterBytes === 4) view.setUint32(at, weight, true);
      else if (counterBytes === 1) view.setUint8(at, weight - times * full);
      else view.setUint16(at, weight - times * full, true);
    });
  });
  // In no order, as rows come.
  const addresses = Uint32Array.from(noted).sort((a, b) => (a % 7) - (b % 7) || a - b);
  new Uint32Array(memory.buffer, spilled, 1)[0] = addresses.length;
  new Uint32Array(memory.buffer, spilled + 4, addresses.length).set(addresses);
}

/** Buckets and weights of each group, and what it comes to where it says so. */
function read(counterBytes: Counters["counterBytes"], groups: Uint32Array) {
  // Only fine ones count with 4 bytes.
  const isFine = counterBytes === 4;
  new Uint32Array(memory.buffer, progress, 1)[0] = isFine ? 0 : 1;
  const counters = { shape, histogram };
  const coarse = isFine
    ? null
    : ({
        kind: "dense",
        ...{ ...counters, counterBytes, groupCount: groupsMax },
        spilled: counterBytes < 4 ? spilled : 0,
      } as const);
  const numbers = { numberOf: 0, groupOf: 0 };
  const steps = readHistogramSteps(
    context,
    {
      kind: "histogram",
      ...{ squared: false, progress, coarse },
      fine: { ...fine, ...numbers, ...(isFine && counters) },
    },
    groups,
  );
  const column = atOnce(steps);
  const { offsets, buckets, weights, form } = plainHistogram(column);
  const held = Array.from(groups, (_, g) => {
    const found: [number, number][] = [];
    for (let i = offsets[g]!; i < offsets[g + 1]!; i++) {
      const bucket = form === "runs" ? buckets[g]! + i - offsets[g]! : buckets[i]!;
      if (weights[i] !== 0) found.push([bucket, weights[i]!]);
    }
    return found;
  });
  const isPacked = column.kind === "histogram" && column.form === "packed";
  const packed = isPacked ? `packed in ${column.cells.BYTES_PER_ELEMENT}` : form;
  return { held, form: packed, totals: isPacked ? [...column.totals] : null };
}

test.each([1, 2, 4, 8] as const)(
  "S40: what counters of %d bytes hold is read as runs, in one byte or two, or listed, with what they were too full for",
  (counterBytes) => {
    const forms = new Set<string>();
    const weight = fc.tuple(
      fc.constantFrom(3, 200, 256, 700, 70_000, 200_000),
      fc.constantFrom(1, 2, 20),
      fc.constantFrom(2, 19),
      fc.infiniteStream(fc.nat(2 ** 30)),
    );
    fc.assert(
      fc.property(
        weight,
        fc.uniqueArray(fc.nat(groupsMax - 1)),
        ([most, rarity, often, random], all) => {
          const next = () => random.next().value as number;
          const weights = Array.from({ length: groupsMax }, () =>
            Array.from({ length: bucketCount }, () =>
              next() % rarity === 0
                ? next() % (next() % often === 0 ? most : Math.min(most, 300))
                : 0,
            ),
          );
          write(counterBytes, weights);
          const groups = Uint32Array.from(all).sort();
          const { held, totals, form } = read(counterBytes, groups);
          forms.add(form);
          const expected = Array.from(groups, (group) =>
            weights[group]!.flatMap((own, cell) => (own === 0 ? [] : [[firstBucket + cell, own]])),
          );
          expect(held).toEqual(expected);
          const sums = expected.map((own) => own.reduce((sum, [, value]) => sum + value!, 0));
          if (totals !== null) expect(totals).toEqual(sums);
        },
      ),
      { numRuns: 150 },
    );
    expect(forms).toEqual(new Set(["packed in 1", "packed in 2", "runs", "listed"]));
  },
);
