import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Values } from "../../base/addresses.js";
import {
  checkCases,
  i64Max,
  i64Min,
  randomValues,
  seeded,
  valueRange,
} from "../../testing/columns.js";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = TwinArena.readingAhead();
const wordsBytes = (rowCount: number): number => Math.ceil(rowCount / 64) * 8;

describe("selectRows", () => {
  test("equals the twin for every pair of edges around words", () => {
    const edges = [0, 1, 5, 63, 64, 65, 127, 128, 130, 191, 192, 193, 1000];
    for (const rowCount of [0, 1, 63, 64, 65, 128, 190, 200]) {
      for (const from of edges) {
        for (const to of edges) {
          const out = arena.clear().region(wordsBytes(rowCount));
          arena.run((kernel) => kernel.selectRows(out, rowCount, from, to));
        }
      }
    }
  });
});

describe("selectRange", () => {
  test("equals the twin for any bounds", () => {
    checkCases((each) => {
      const random = seeded(each);
      const stored = randomValues(random, each.length, each.width, each.spread);
      const values = arena.clear().values(each.width, stored);
      const out = arena.region(wordsBytes(each.length));
      const [lowest, highest] = valueRange(each.width);
      const bound = (): bigint =>
        random.pick([
          ...[i64Min, i64Max, lowest, highest, 0n, -1n, highest < i64Max ? highest + 1n : highest],
          ...(stored.length > 0 ? [random.pick(stored), random.pick(stored)] : []),
        ]);
      for (let i = 0; i < (each.length > 6000 ? 2 : 6); i++) {
        const [low, high] = [bound(), bound()];
        arena.run((kernel) => kernel.selectRange(out, values, each.length, low, high));
      }
    });
  });
});

describe("selectCodes", () => {
  function selectCodes(values: Values, length: number, codes: number, codeCount: number): void {
    const out = arena.region(wordsBytes(length));
    const scratchBytes = 65_536;
    const scratch = arena.region(scratchBytes);
    arena.run(
      (kernel) => kernel.selectCodes(out, values, length, codes, codeCount, scratch),
      [[scratch, scratchBytes]],
    );
  }

  test("equals the twin for few codes, of which some are beyond what the values' width holds", () => {
    checkCases((each) => {
      if (each.width === 8) return;
      const random = seeded(each);
      const codeCount = random.pick([5, 200, 256, 257, 700, 701]);
      // All of them beyond, too.
      const least = codeCount > 300 ? random.pick([0, 256]) : 0;
      const code = () => least + random.below(codeCount - least);
      const few = Array.from({ length: 1 + random.below(7) }, code);
      // Beside values of all kinds those that the last bits of a code are, and 0.
      const near = [0, ...few].map((code) => BigInt(code & (each.width < 2 ? 255 : 1023)));
      const stored = randomValues(random, each.length, each.width, "any").map((value) =>
        random.below(3) === 0 ? value : random.pick(near),
      );
      const values = arena
        .clear()
        .values(each.width, each.width === 0 ? stored.map(() => 0n) : stored);
      const codes = arena.bitmap(codeCount, (code) => few.includes(code));
      selectCodes(values, each.length, codes, codeCount);
    });
  });

  test("equals the twin for any set and any number of codes", () => {
    checkCases((each) => {
      if (each.width === 8) return;
      const random = seeded(each);
      const codeCount = random.pick([0, 1, 2, 10, 63, 64, 65, 128, 129, 200, 255, 256, 5000]);
      // Some values are no codes: they select nothing, whatever lies behind the bitmap.
      const codeRange = random.pick([codeCount, codeCount + 3, 70_000]) || 1;
      const stored = randomValues(random, each.length, each.width, "any").map((value) =>
        random.below(50) === 0 ? value : value % BigInt(codeRange),
      );
      const values = arena.clear().values(each.width, stored);
      const pattern = random.below(5);
      const codes = arena.bitmap(codeCount, (code) => {
        if (pattern === 0) return code === codeCount >> 1;
        if (pattern === 1) return code >= codeCount >> 2 && code < codeCount >> 1;
        if (pattern === 2) return code !== codeCount >> 1;
        return random.below(pattern) === 0;
      });
      selectCodes(values, each.length, codes, codeCount);
    });
  });
});

describe("bitmaps", () => {
  const bitmaps = fc.record({
    seed: fc.integer(),
    rowCount: fc.oneof(fc.nat(700), fc.constantFrom(64, 128, 70_000)),
    share: fc.constantFrom(1, 2, 3, 64),
  });

  test("and, or, and-not equal the twin", () => {
    fc.assert(
      fc.property(bitmaps, ({ seed, rowCount, share }) => {
        const random = new Random(seed);
        const into = arena.clear().bitmap(rowCount, () => random.below(2) === 0);
        const other = arena.bitmap(rowCount, () => random.below(share) === 0);
        arena.run((kernel) => kernel.orInto(into, other, rowCount));
        arena.run((kernel) => kernel.andNotInto(other, into, rowCount));
        const third = arena.bitmap(rowCount, () => random.below(share) === 0);
        arena.run((kernel) => kernel.andInto(into, third, rowCount));
        arena.run((kernel) => kernel.andNotInto(into, third, rowCount));
      }),
      { numRuns: 60 },
    );
  });

  test("counting and listing equal the twin, bits past the rows left out", () => {
    fc.assert(
      fc.property(bitmaps, fc.nat(63), ({ seed, rowCount, share }, dropped) => {
        const random = new Random(seed);
        const selection = arena.clear().bitmap(rowCount, () => random.below(share) === 0);
        const counted = Math.max(0, rowCount - dropped);
        const out = arena.region((rowCount + 16) * 4);
        const count = arena.run((kernel) => kernel.countSelected(selection, counted));
        const slackAt = out + count * 4;
        const listed = arena.run(
          (kernel) => kernel.rowsOfSelection(selection, counted, out),
          [[slackAt, 16 * 4]],
        );
        expect(listed).toBe(count);
      }),
      { numRuns: 100 },
    );
  });
});

describe("lowerBound", () => {
  test("equals the twin for bounds in, between and outside the values", () => {
    checkCases((each) => {
      const random = seeded(each);
      const stored = randomValues(random, each.length, each.width, each.spread);
      stored.sort((a, b) => (a === b ? 0 : a < b ? -1 : 1));
      const values = arena.clear().values(each.width, stored);
      const bounds = [i64Min, i64Max, 0n, -1n, 256n, 65_536n, 1n << 32n, ...stored.slice(0, 3)];
      for (const bound of [random.pick(bounds), random.pick(bounds), ...stored.slice(-1)]) {
        arena.run((kernel) => kernel.lowerBound(values, each.length, bound));
      }
    }, 100);
  });
});
