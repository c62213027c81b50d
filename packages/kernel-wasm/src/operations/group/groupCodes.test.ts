import { expect, test } from "vitest";
import {
  checkCases,
  i64Max,
  i64Min,
  randomPresent,
  randomRowSet,
  randomValues,
  seeded,
  valueRange,
} from "../../testing/columns.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();

test("numeric buckets between edges get codes as the twin says, over all of int64", () => {
  checkCases((each) => {
    const random = seeded(each);
    const stored = randomValues(random, each.length, each.width, each.spread);
    const values = arena.clear().values(each.width, stored);
    const present = randomPresent(arena, random, each);
    const rows = randomRowSet(arena, random, each);
    const [, highest] = valueRange(each.width);
    const base = each.width === 8 ? 0n : random.pick([0n, -100n, i64Min, i64Max - highest]);
    const factor =
      each.width === 8 || base > 0n || base < -100n ? 1n : random.pick([1n, 10n, 1000n]);
    const near = stored.slice(0, 8).map((value) => (value + base) * factor);
    const inner = [...near, ...near.map((edge) => edge - 1n), -1n, 0n, 1n, i64Max];
    const distinct = new Set(inner.filter((edge) => edge > i64Min && random.below(3) > 0));
    const edges = [i64Min, ...distinct].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const out = arena.region(each.length * 4);
    const edgesAt = arena.i64s(edges);
    arena.run((kernel) =>
      kernel.bucketByEdges(out, values, base, factor, present, rows, edgesAt, edges.length),
    );
  });
});

test("numeric buckets of even steps get codes as the twin says, over all of int64", () => {
  checkCases((each) => {
    const random = seeded(each);
    const stored = randomValues(random, each.length, each.width, each.spread);
    const values = arena.clear().values(each.width, stored);
    const present = randomPresent(arena, random, each);
    const rows = randomRowSet(arena, random, each);
    const ascending = [...stored].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const lowest = ascending[0] ?? 0n;
    const highest = ascending.at(-1) ?? 0n;
    const factor = each.width === 8 ? 1n : random.pick([1n, 10n, 1000n]);
    const base = each.width === 8 ? 0n : -50n;
    const span = (highest - lowest) * factor;
    const parts = random.pick([1n, 7n, 1000n, 0xffff_fff0n]);
    // A step has 64 bits, one less than the widest span and one more would take.
    const step = span === 2n ** 64n - 1n && parts === 1n ? span : span / parts + 1n;
    const firstCode = random.pick([1, 2]);
    const origin = (lowest + base) * factor + (firstCode === 2 ? step / 2n : 0n);
    if (origin > i64Max) return;
    const out = arena.region(each.length * 4);
    arena.run((kernel) =>
      kernel.bucketBySteps(out, values, base, factor, present, rows, origin, firstCode, step),
    );
  });
});

test("S4 S5: rows are exploded by the items of their lists as the twin says, in pieces that fit", () => {
  checkCases((each) => {
    if (each.width === 8) return;
    const random = seeded(each);
    const [, highest] = valueRange(each.width);
    const listCount = Math.min(random.pick([1, 2, 40, 300]), Number(highest) + 1);
    const codes = Array.from({ length: each.length }, () => BigInt(random.below(listCount)));
    const values = arena.clear().values(each.width, codes);
    const longest = random.pick([0, 1, 3, 9]);
    const starts = [0];
    for (let list = 0; list < listCount; list++) {
      starts.push(starts[list]! + random.below(longest + 1));
    }
    const items = Array.from({ length: starts[listCount]! }, () => random.u32());
    const rows = randomRowSet(arena, random, each);
    const startsAt = arena.u32s(starts);
    const itemsAt = arena.u32s(items);
    const capacity = random.pick([longest, 64, 5000]) + 9;
    const out = {
      rows: arena.region(capacity * 4),
      items: arena.region(capacity * 4),
      positions: arena.region(capacity * 4),
      produced: arena.region(8),
      capacity,
    };
    let from = 0;
    let calls = 0;
    while (from < rows.count && calls < 50) {
      const before = from;
      from = arena.run((kernel) =>
        kernel.explodeRows(out, rows, values, startsAt, itemsAt, before),
      );
      expect(from).toBeGreaterThan(before);
      calls++;
    }
  }, 60);
});
