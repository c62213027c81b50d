import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lz4Block as compress } from "../../testing/lz4Block.js";
import { Random } from "../../testing/random.js";
import { onePage, type PageLayout, placePages } from "../../testing/textPages.js";
import { TwinArena } from "../../testing/twinArena.js";
import { decompressSlackBytes, expandedOffsetsAt, templateMatchBytes } from "./text.js";

const arena = new TwinArena();
const encoder = new TextEncoder();

/** Rows (as booleans) that contain the needle, by kernel and twin. */
function search(
  texts: readonly Uint8Array[],
  needle: Uint8Array,
  layout: Partial<PageLayout> = {},
  fold = false,
): boolean[] {
  const pages = placePages(arena.clear(), texts, { ...onePage, ...layout });
  // The needle's own slack is part of the contract, too.
  const needleAt = arena.region(needle.length + 16);
  arena.write(needleAt, needle);
  const out = arena.region(Math.ceil(texts.length / 64) * 8);
  const pageBytes = texts.reduce((sum, text) => sum + text.length, 64);
  const scratchBytes =
    templateMatchBytes +
    expandedOffsetsAt(0, pageBytes + decompressSlackBytes) +
    (texts.length + 1) * 2 +
    16;
  const scratch = layout.compress == null ? 0 : arena.region(scratchBytes);
  arena.run(
    (kernel) =>
      kernel.searchPages(
        out,
        pages,
        texts.length,
        0,
        { address: needleAt, bytes: needle.length, fold },
        scratch,
      ),
    [[scratch, scratch === 0 ? 0 : scratchBytes]],
  );
  const bits = arena.read(out, Math.ceil(texts.length / 64) * 8);
  return texts.map((_, row) => ((bits[row >> 3]! >> (row & 7)) & 1) === 1);
}

const texts = (...all: string[]): Uint8Array[] => all.map((text) => encoder.encode(text));

describe("searchPages (C6, C7)", () => {
  test.each([
    [["abc", "", "xabcx", "ab", "c"], "abc", [true, false, true, false, false]],
    [["needle", "xneedle", "needlex", "need", "le"], "needle", [true, true, true, false, false]],
    [["", "", ""], "a", [false, false, false]],
    [["aaaaa", "a", "", "aa"], "aa", [true, false, false, true]],
    [["größer", "grosser", "gr", "ößer"], "öß", [true, false, false, true]],
    [["漢字かな", "漢", "字"], "字", [true, false, true]],
    [["😀 ok", "ok"], "😀", [true, false]],
    [["short"], "longer than the text", [false]],
  ])("%j contains %j", (all, needle, expected) => {
    expect(search(texts(...all), encoder.encode(needle))).toEqual(expected);
    expect(search(texts(...all), encoder.encode(needle), { leadBytes: 3 })).toEqual(expected);
    for (const rowsPerPage of [1, 2]) {
      expect(search(texts(...all), encoder.encode(needle), { rowsPerPage, width: 2 })).toEqual(
        expected,
      );
    }
    for (const width of [1, 2, 4] as const) {
      const layout = { rowsPerPage: 2, compress, width };
      expect(search(texts(...all), encoder.encode(needle), layout)).toEqual(expected);
    }
  });

  test.each([
    [["abc", "ABC", "xAbCx", "ab", "@bc"], "abc", [true, true, true, false, false]],
    [["[{", "{[", "{{"], "{[", [false, true, false]],
    [["GRÖSSE", "größe", "grÖsse"], "grö", [false, true, false]],
    [["Status=5", "STATUS=5", "status 5"], "status=5", [true, true, false]],
    [["\u212a", "K", "k"], "k", [false, true, true]],
  ])("%j contains %j in any case of A–Z", (all, needle, expected) => {
    expect(search(texts(...all), encoder.encode(needle), {}, true)).toEqual(expected);
    expect(search(texts(...all), encoder.encode(needle), { compress }, true)).toEqual(expected);
  });

  test("no rows select nothing", () => {
    expect(search([], encoder.encode("x"))).toEqual([]);
  });

  test("a hit never spans two texts, at any place of a 64-byte step", () => {
    for (let lead = 0; lead < 140; lead++) {
      const rows = texts("-".repeat(lead), "xxnee", "dlexx", "needle", "-".repeat(200));
      expect(search(rows, encoder.encode("needle"))).toEqual([false, false, false, true, false]);
    }
  });

  test("equals the twin on few letters, where most places are candidates", () => {
    const letters = fc.constantFrom(0x61, 0x62, 0xc3);
    const text = fc.uint8Array({ maxLength: 90, min: 0, max: 3 });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 120 }),
        fc.array(letters, { minLength: 1, maxLength: 64 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        fc.boolean(),
        (all, drawn, shortBytes, isShort, fold) => {
          const alphabet = [0x61, 0x42, 0xc3, 0x62];
          const needle = Uint8Array.from(isShort ? drawn.slice(0, shortBytes) : drawn);
          const rows = all.map((each) => each.map((letter) => alphabet[letter]!));
          search(rows, needle, { rowsPerPage: 7 }, fold);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("equals the twin on pages long enough to be sampled, needles of 1 to 64 bytes", () => {
    const random = new Random(11);
    for (let round = 0; round < 40; round++) {
      const needle = Uint8Array.from({ length: 1 + random.below(64) }, () => 91 + random.below(30));
      const hitOf = random.pick([1, 3, 100, 100_000]);
      const rows = Array.from({ length: 200 + random.below(800) }, () => {
        const text = Uint8Array.from({ length: random.below(120) }, () => 32 + random.below(90));
        if (random.below(hitOf) !== 0 || text.length < needle.length) return text;
        text.set(needle, random.below(text.length - needle.length + 1));
        return text;
      });
      const layout = random.pick([
        {},
        { rowsPerPage: 50, width: 2 as const },
        { compress },
        {
          ...{ compress, rowsPerPage: 70, width: 1 as const },
        },
      ]);
      const found = search(rows, needle, layout, random.below(2) === 1).filter(
        (isHit) => isHit,
      ).length;
      if (hitOf === 1 && needle.length < 20) expect(found).toBeGreaterThan(rows.length / 2);
    }
  });

  test("finds texts of 1 MB, and a needle longer than a page", () => {
    const long = new Uint8Array(2 ** 20).fill(0x2e);
    long.set(encoder.encode("needle"), 900_000);
    const rows = [encoder.encode("x"), long, encoder.encode("needle")];
    expect(search(rows, encoder.encode("needle"))).toEqual([false, true, true]);
    expect(search(rows, long.subarray(100, 1_000_000))).toEqual([false, true, false]);
    expect(search(rows, new Uint8Array(70_000).fill(0x2e), {}, true)).toEqual([false, true, false]);
  });

  test("goes on behind a long text that was hit, and finds every row of a hundred empty or short ones", () => {
    const long = `needle${"-".repeat(700)}needle`;
    for (const width of [2, 4] as const) {
      const rows = texts("", long, "need", "le", ...Array(40).fill(""), "xneedle", long, "needle");
      const found = search(rows, encoder.encode("needle"), { width });
      expect(found.flatMap((isHit, row) => (isHit ? [row] : []))).toEqual([1, 44, 45, 46]);
    }
  });

  test("a byte of the needle that is rare, or is nowhere else, is looked for alone and finds the same", () => {
    const lines = Array.from({ length: 600 }, (_, i) =>
      i % 5 === 0 ? `${i} quiz zone` : i % 7 === 0 ? `${i} Qui` : `${i} no such line in here`,
    );
    for (const needle of ["quiz", "qui", "zone", "i", "lin", "\u00e9qui"]) {
      for (const fold of [false, true]) {
        const expected = lines.map((line) => (fold ? line.toLowerCase() : line).includes(needle));
        for (const layout of [
          {},
          { rowsPerPage: 100, width: 2 as const },
          { compress },
          { compress, width: 1 as const },
        ]) {
          expect(search(texts(...lines), encoder.encode(needle), layout, fold)).toEqual(expected);
        }
      }
    }
  });

  test("looks only at the selected pages, and says how much it read", () => {
    const rows = texts("needle", "x needle", "needle y", "needle z", "none");
    const pages = placePages(arena.clear(), rows, { ...onePage, rowsPerPage: 2, width: 2 });
    const needle = { address: arena.bytes(encoder.encode("needle")), bytes: 6, fold: false };
    const selected = arena.bitmap(3, (page) => page !== 0);
    const out = arena.region(8);
    const read = arena.run((kernel) => kernel.searchPages(out, pages, 5, selected, needle, 0));
    expect(arena.read(out, 1)[0]).toBe(0b01100);
    // The last page is shorter than the needle.
    expect(read).toBe(16);
  });
});
