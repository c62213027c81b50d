import { expect, test } from "vitest";
import { hashBytes, mixElement } from "../../base/elements.js";
import { mix } from "../../reference/aggregate/distinct.js";
import { checkCases } from "../../testing/columns.js";
import { groupCount, layColumn } from "../../testing/layColumn.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();
test("values become bits of their group's bitmap as the twin says", () => {
  checkCases((each) => {
    const { random, present, rows, groups } = layColumn(arena, each);
    const span = random.pick([1, 63, 64, 200]);
    const base = each.width === 0 ? 0n : BigInt(random.below(3));
    const stored = Array.from({ length: each.length }, () => base + BigInt(random.below(span)));
    const values = arena.values(each.width, stored);
    const groupBits = Math.ceil(span / 64) * 64;
    const bitmaps = arena.region((groupCount * groupBits) / 8);
    arena.run((kernel) =>
      kernel.addToBitmaps(bitmaps, groups, rows, values, -base, present, groupBits),
    );
  });
});

test("integers are their own elements", () => {
  checkCases((each) => {
    const { random, values, rows } = layColumn(arena, each);
    const elements = arena.region(rows.count * 8);
    const base = random.pick([0n, -5n, 2n ** 62n]);
    arena.run((kernel) => kernel.intElements(elements, rows, values, base));
  });
});

test("codes have the elements of a table", () => {
  checkCases((each) => {
    const { random, rows } = layColumn(arena, each);
    const codeCount = 1 + random.below(200);
    const table = arena.i64s(Array.from({ length: codeCount }, () => random.u64() >> 1n));
    const width = each.width === 8 ? 4 : each.width;
    const stored = Array.from({ length: each.length }, () => BigInt(random.below(codeCount)));
    const codes = arena.values(width, stored);
    const elements = arena.region(rows.count * 8);
    arena.run((kernel) => kernel.codeElements(elements, rows, codes, table));
  });
});

test("short strings hash apart", () => {
  const seen = new Set<string>();
  const lows = new Set<number>();
  for (let i = 0; i < 300_000; i++) {
    const bytes = new TextEncoder().encode(`/api/v1/item-${i}`);
    const [low, high] = hashBytes(bytes, bytes.length);
    seen.add(`${low}-${high}`);
    lows.add(low);
  }
  expect(seen.size).toBe(300_000);
  // 32 bits alone collide about ten times: far more would be a poor hash.
  expect(lows.size).toBeGreaterThan(300_000 - 40);
});

test("JavaScript mixes elements as the kernel does", () => {
  const random = new Random(3);
  for (let i = 0; i < 2_000; i++) {
    const element = random.pick([random.u64(), 0n, 2n ** 64n - 1n, 1n << BigInt(random.below(64))]);
    const [low, high] = mixElement(Number(element & 0xffff_ffffn), Number(element >> 32n));
    expect((BigInt(high) << 32n) | BigInt(low)).toBe(mix(element));
  }
});

test("elements form sets per group, up to the limit", () => {
  checkCases((each) => {
    const { random, present, rows, groups } = layColumn(arena, each);
    const kinds = random.pick([2, 50, 5000]);
    const elements = arena.i64s(
      Array.from({ length: rows.count }, () => BigInt(random.below(kinds)) << 40n),
    );
    const entriesMax = random.pick([1, 30, 4096]);
    const slotCount = 2 ** Math.ceil(Math.log2(entriesMax * 2 + 1));
    const set = {
      slots: arena.u32s(new Array<number>(slotCount).fill(0)),
      slotCount,
      groups: arena.region(entriesMax * 4),
      elements: arena.region(entriesMax * 8),
      entriesMax,
    };
    arena.run((kernel) => kernel.addElements(set, 0, groups, elements, rows, present));
  });
});

test("registers keep the longest runs as the twin says", () => {
  checkCases((each) => {
    const { random, present, rows, groups } = layColumn(arena, {
      ...each,
      length: Math.min(each.length, 5_000),
    });
    const elements = arena.i64s(Array.from({ length: rows.count }, () => random.u64() >> 1n));
    const bits = random.pick([4, 6, 11, 14]);
    const registers = arena.region(groupCount << bits);
    arena.run((kernel) => kernel.addToRegisters(registers, bits, groups, elements, rows, present));
  });
});
