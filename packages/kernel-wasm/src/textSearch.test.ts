import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "./testing/random.js";
import { TwinArena } from "./testing/twinArena.js";

const arena = new TwinArena();
const encoder = new TextEncoder();

/** Rows (as booleans) that contain the needle, by kernel and twin. */
function search(texts: readonly Uint8Array[], needle: Uint8Array, leadBytes = 0): boolean[] {
  const offsets = [leadBytes];
  for (const text of texts) offsets.push(offsets[offsets.length - 1]! + text.length);
  const packed = new Uint8Array(offsets[offsets.length - 1]!).fill(needle[0]!, 0, leadBytes);
  for (const [i, text] of texts.entries()) packed.set(text, offsets[i]!);
  // First of all regions: the texts end where the memory ends (but for alignment).
  const bytes = arena.clear().region(Math.ceil(packed.length / 8) * 8);
  const padded = new Uint8Array(Math.ceil(packed.length / 8) * 8);
  padded.set(packed, padded.length - packed.length);
  const shift = padded.length - packed.length;
  arena.write(bytes, padded);
  const offsetsAt = arena.u32s(offsets);
  const needleAt = arena.bytes(needle);
  const out = arena.region(Math.ceil(texts.length / 64) * 8);
  arena.run((kernel) =>
    kernel.selectContains(out, bytes + shift, offsetsAt, texts.length, needleAt, needle.length),
  );
  const bits = arena.read(out, Math.ceil(texts.length / 64) * 8);
  return texts.map((_, row) => ((bits[row >> 3]! >> (row & 7)) & 1) === 1);
}

const texts = (...all: string[]): Uint8Array[] => all.map((text) => encoder.encode(text));

describe("selectContains", () => {
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
    expect(search(texts(...all), encoder.encode(needle), 3)).toEqual(expected);
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
    const letters = fc.constantFrom(0x61, 0x62, 0xc3, 0xa4);
    const text = fc.uint8Array({ maxLength: 90, min: 0, max: 3 });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 120 }),
        fc.array(letters, { minLength: 1, maxLength: 64 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        (all, drawn, shortBytes, isShort) => {
          const alphabet = [0x61, 0x62, 0xc3, 0xa4];
          const needle = Uint8Array.from(isShort ? drawn.slice(0, shortBytes) : drawn);
          const rows = all.map((each) => each.map((letter) => alphabet[letter]!));
          search(rows, needle);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("equals the twin on pages long enough to be sampled, needles of 1 to 64 bytes", () => {
    const random = new Random(11);
    for (let round = 0; round < 40; round++) {
      const needle = Uint8Array.from({ length: 1 + random.below(64) }, () => 32 + random.below(90));
      const hitOf = random.pick([1, 3, 100, 100_000]);
      const rows = Array.from({ length: 200 + random.below(800) }, () => {
        const text = Uint8Array.from({ length: random.below(120) }, () => 32 + random.below(90));
        if (random.below(hitOf) !== 0 || text.length < needle.length) return text;
        text.set(needle, random.below(text.length - needle.length + 1));
        return text;
      });
      const found = search(rows, needle).filter((isHit) => isHit).length;
      if (hitOf === 1 && needle.length < 20) expect(found).toBeGreaterThan(rows.length / 2);
    }
  });
});
