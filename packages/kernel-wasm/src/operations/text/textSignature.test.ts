import { describe, expect, test } from "vitest";
import { Random } from "../../testing/random.js";
import { onePage, placePages } from "../../testing/textPages.js";
import { TwinArena } from "../../testing/twinArena.js";

const arena = new TwinArena();
const encoder = new TextEncoder();

/** Pages (as booleans) that may hold the needle, by kernel and twin. */
function selectPages(
  texts: readonly Uint8Array[],
  needle: Uint8Array,
  rowsPerPage: number,
  rowsLog2: number,
): boolean[] {
  const layout = { ...onePage, rowsPerPage, leadBytes: 5, width: 2 as const };
  const pages = placePages(arena.clear(), texts, layout);
  const { pageCount } = pages;
  const address = arena.region(Math.ceil(pageCount / 8) << rowsLog2);
  arena.run((kernel) => kernel.signPages({ address, rowsLog2 }, pages, texts.length));
  const found = { address: arena.bytes(needle), bytes: needle.length, fold: false };
  const out = arena.region(Math.ceil(pageCount / 64) * 8);
  arena.run((kernel) => kernel.selectPages(out, { address, rowsLog2 }, pageCount, found));
  const bits = arena.read(out, Math.ceil(pageCount / 8));
  return Array.from(
    { length: pageCount },
    (_, page) => ((bits[page >> 3]! >> (page & 7)) & 1) === 1,
  );
}

describe("signPages and selectPages", () => {
  test("a page with the needle is never excluded, in any case; most others are", () => {
    const random = new Random(3);
    let ruledOut = 0;
    let without = 0;
    for (let round = 0; round < 60; round++) {
      const needleBytes = 1 + random.below(40);
      const needle = Uint8Array.from({ length: needleBytes }, () => 32 + random.below(200));
      const rows = Array.from({ length: 1 + random.below(150) }, () => {
        const text = Uint8Array.from({ length: random.below(60) }, () => 32 + random.below(200));
        if (random.below(6) !== 0 || text.length < needle.length) return text;
        const at = random.below(text.length - needle.length + 1);
        const isCapital = random.below(2) === 0;
        for (const [i, byte] of needle.entries()) {
          const isSmall = byte >= 97 && byte <= 122;
          text[at + i] = isSmall && isCapital ? byte - 32 : byte;
        }
        return text;
      });
      const small = (bytes: Uint8Array) =>
        Buffer.from(bytes.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte)));
      const rowsPerPage = 1 + random.below(9);
      const selected = selectPages(rows, needle, rowsPerPage, 8 + random.below(8));
      for (const [page, isSelected] of selected.entries()) {
        const texts = rows.slice(page * rowsPerPage, (page + 1) * rowsPerPage);
        const holds = texts.some((text) => small(text).includes(small(needle)));
        if (holds) expect(isSelected).toBe(true);
        else if (needle.length > 8) {
          without++;
          if (!isSelected) ruledOut++;
        }
      }
    }
    expect(ruledOut / without).toBeGreaterThan(0.9);
  });

  test("needles below four bytes rule out nothing", () => {
    const rows = Array.from({ length: 10 }, () => encoder.encode("abcdef"));
    expect(selectPages(rows, encoder.encode("xyz"), 1, 12)).toEqual(rows.map(() => true));
    expect(selectPages(rows, encoder.encode("wxyz"), 1, 12)).toEqual(rows.map(() => false));
    expect(selectPages(rows, encoder.encode("ABCDEF"), 1, 12)).toEqual(rows.map(() => true));
  });
});

describe("packTexts", () => {
  test.each([2, 4] as const)("packs texts in the order asked, offsets of %d bytes", (width) => {
    const random = new Random(9);
    for (let round = 0; round < 30; round++) {
      const texts = Array.from({ length: random.below(80) }, () =>
        Uint8Array.from({ length: random.below(50) * random.below(3) }, () => random.below(256)),
      );
      const offsets = [11];
      for (const text of texts) offsets.push(offsets[offsets.length - 1]! + text.length);
      const packed = Buffer.concat([new Uint8Array(11), ...texts]);
      const rows = texts.map((_, row) => row).filter(() => random.below(4) !== 0);
      const order = rows.sort(() => random.below(3) - 1);
      const bytes = arena.clear().bytes(packed);
      const offsetsAt = arena.u32s(offsets);
      const orderAt = arena.u32s(order);
      const outBytes = order.reduce((sum, row) => sum + texts[row]!.length, 0);
      const out = arena.region(outBytes);
      const outOffsets = arena.region((order.length + 1) * width);
      arena.run((kernel) =>
        kernel.packTexts(out, outOffsets, width, bytes, offsetsAt, orderAt, order.length),
      );
      const expected = Buffer.concat(order.map((row) => texts[row]!));
      expect(Buffer.from(arena.read(out, outBytes)).equals(expected)).toBe(true);
    }
  });
});
