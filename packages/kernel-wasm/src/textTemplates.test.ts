import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foundTemplateBytes, type RawTexts, type TemplateSearch } from "./operations/templates.js";
import { decompressSlackBytes, expandedOffsetsAt, pageEntryBytes } from "./operations/text.js";
import { Random } from "./testing/random.js";
import { TwinArena } from "./testing/twinArena.js";

const arena = new TwinArena();
const encoder = new TextEncoder();
const slotCount = 2048;
const foundMax = 1024;
const textsBytes = 1 << 20;

interface Search extends TemplateSearch {
  readonly slotRegion: readonly [number, number];
}

function createSearch(room: Partial<TemplateSearch> = {}): Search {
  const slots = arena.region(slotCount * 4);
  arena.write(slots, new Uint8Array(slotCount * 4));
  const found = arena.region((room.foundMax ?? foundMax) * foundTemplateBytes);
  const texts = arena.region(room.textsBytes ?? textsBytes);
  const sizes = { slotCount, foundMax, textsBytes, ...room };
  return { slots, found, texts, ...sizes, slotRegion: [slots, slotCount * 4] };
}

function place(texts: readonly Uint8Array[], offsetsWidth: 2 | 4): RawTexts {
  const bytes = Buffer.concat(texts);
  const address = arena.region(bytes.length, 16);
  arena.write(address, bytes);
  const offsets = [0n];
  for (const text of texts) offsets.push(offsets.at(-1)! + BigInt(text.length));
  return { address, offsets: arena.values(offsetsWidth, offsets).address, offsetsWidth };
}

interface Packed {
  readonly templates: number;
  readonly tableBytes: number;
  readonly templateCount: number;
  readonly pages: readonly {
    readonly codes: number;
    readonly address: number;
    readonly bytes: number;
    readonly textBytes: number;
    readonly rows: number;
  }[];
}

/** Packs pages of texts; the templates stand in the table in the reverse order of arrival. */
function pack(pages: readonly (readonly Uint8Array[])[], offsetsWidth: 2 | 4): Packed {
  const search = createSearch();
  const raw = pages.map((texts) => place(texts, offsetsWidth));
  let count = 0;
  const ids = pages.map((texts, page) => {
    const at = arena.region(texts.length * 2);
    count = arena.run(
      (kernel) => kernel.findTemplates(at, search, count, raw[page]!, texts.length),
      [search.slotRegion],
    );
    expect(count).toBeGreaterThanOrEqual(0);
    return at;
  });
  const order = arena.u32s(Array.from({ length: count }, (_, i) => count - 1 - i));
  const templates = arena.region(textsBytes);
  const tableBytes = arena.run((kernel) => kernel.writeTemplates(templates, search, order, count));
  const packed = pages.map((texts, page) => {
    const found = new Uint16Array(arena.read(ids[page]!, texts.length * 2).buffer);
    const inTable = Uint16Array.from(found, (id) => count - 1 - id);
    const ranks = arena.bytes(new Uint8Array(inTable.buffer));
    const codes = arena.region(texts.length);
    const textBytes = texts.reduce((sum, text) => sum + text.length, 0);
    const room = textBytes + texts.length * 2 + 16;
    const address = arena.region(room);
    const before = arena.read(address, room);
    const bytes = arena.run(
      (kernel) => kernel.packTemplates(address, codes, ranks, templates, raw[page]!, texts.length),
      [[address, room]],
    );
    // The twin's bytes were taken over: what the kernel wrote is told by what is read back, and by what it left alone.
    expect(arena.read(address + bytes + 16, room - bytes - 16)).toEqual(before.slice(bytes + 16));
    return { codes, address, bytes, textBytes, rows: texts.length };
  });
  return { templates, tableBytes, templateCount: count, pages: packed };
}

/** What kernel and twin make of a page; null when they call it damaged. */
function fill({ templates }: Packed, page: Packed["pages"][number], textBytes = page.textBytes) {
  const out = arena.region(textBytes + decompressSlackBytes);
  const offsets = arena.region((page.rows + 1) * 2);
  const scratch = [
    [out, textBytes + decompressSlackBytes],
    [offsets, (page.rows + 1) * 2],
  ] as const;
  const found = arena.run(
    (kernel) => kernel.fillTemplates(out, textBytes, offsets, templates, page, page.rows),
    scratch,
  );
  if (found < 0) return null;
  const at = new Uint16Array(arena.read(offsets, (page.rows + 1) * 2).buffer);
  return Array.from({ length: page.rows }, (_, row) =>
    arena.read(out + at[row]!, at[row + 1]! - at[row]!),
  );
}

const encoded = (pages: readonly (readonly string[])[]) =>
  pages.map((texts) => texts.map((text) => encoder.encode(text)));

function expectRoundTrip(pages: readonly (readonly string[])[], offsetsWidth: 2 | 4 = 2): Packed {
  const wanted = encoded(pages);
  arena.clear();
  const packed = pack(wanted, offsetsWidth);
  for (const [i, page] of packed.pages.entries()) {
    expect(fill(packed, page)?.map((text) => Buffer.from(text).toString())).toEqual(pages[i]);
  }
  return packed;
}

describe("texts as templates (C12)", () => {
  test("lines of one statement share a template, and what never changes stays in it", () => {
    const lines = ["12 of v3, id 0aff90", "93 of v3, id bcdef1", "55 of v3, id 123456"];
    const packed = expectRoundTrip([lines]);
    expect(packed.templateCount).toBe(1);
    // Two digits and six, in four bytes a row: 3 is in the template.
    expect(packed.pages[0]!.bytes).toBe(3 * 4);
  });

  test("words of hexadecimal letters, short runs and runs beside letters are no numbers", () => {
    const packed = expectRoundTrip([["facade beef12 x1234567a", "facade beef34 x9234567a"]]);
    expect(packed.templateCount).toBe(1);
    // beef12 is one of six, x… is none; its one digit that changes and six of the run.
    expect(packed.pages[0]!.bytes).toBe(2 * 2);
  });

  test.each([0, 1, 15, 16, 17, 31, 32, 33, 48, 200])(
    "runs of %i digits, at odd places too",
    (n) => {
      const random = new Random(n + 1);
      const digits = () => Array.from({ length: n }, () => random.below(10)).join("");
      const lines = Array.from({ length: 40 }, (_, i) => [
        `${"x".repeat(i % 17)}${random.below(10)}-${digits()}`,
        `${digits()}`,
        `${digits()}ü${digits()}`,
      ]);
      expectRoundTrip([lines.flat()], 4);
    },
  );

  test("more templates than a byte tells apart, over pages", () => {
    const random = new Random(9);
    const word = (i: number) => String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26));
    const pages = Array.from({ length: 3 }, () =>
      Array.from({ length: 500 }, () => `${word(random.below(600))} ${random.below(1e6)} done`),
    );
    const packed = expectRoundTrip(pages);
    expect(packed.templateCount).toBeGreaterThan(600);
  });

  test("any texts", () => {
    const part = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.nat().map(String),
      fc.bigInt({ min: 0n, max: 2n ** 70n }).map((n) => n.toString(16)),
      fc.constantFrom("", " ", "a", "f", "0", "deadbeef", "\u{1F41F}", "GET /x/"),
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
    const page = fc.array(text, { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(page, { maxLength: 3 }), fc.constantFrom(2, 4), (pages, width) => {
        expectRoundTrip(pages, width as 2 | 4);
      }),
      { numRuns: 80 },
    );
  });

  test.each([
    ["too many templates", ["a", "b", "c"], { foundMax: 2 }],
    ["too long templates", ["a".repeat(300)], { textsBytes: 512 }],
    ["the byte of a hole", ["a", "\xff"], {}],
  ])("%s are refused", (_, texts, room) => {
    arena.clear();
    const search = createSearch(room);
    const raw = place(
      texts.map((text) => Buffer.from(text, "latin1")),
      2,
    );
    const ids = arena.region(16);
    const scratch = [search.slotRegion, [ids, 16], [search.texts, search.textsBytes]] as const;
    const count = arena.run(
      (kernel) => kernel.findTemplates(ids, search, 0, raw, texts.length),
      scratch,
    );
    expect(count).toBe(-1);
  });

  test("a damaged page is told, or gives other texts, but nothing beyond the slack is written", () => {
    const random = new Random(3);
    const lines = Array.from({ length: 300 }, (_, i) => `${"w".repeat(i % 299)} ${i * 77} end`);
    arena.clear();
    const packed = pack(encoded([lines]), 2);
    const page = packed.pages[0]!;
    expect(fill(packed, page, page.textBytes - 1)).toBeNull();
    expect(fill(packed, { ...page, bytes: page.bytes - 1 })).toBeNull();
    for (let round = 0; round < 60; round++) {
      const codes = arena.read(page.codes, page.rows);
      codes[random.below(codes.length)] = random.pick([255, 254, random.below(256)]);
      fill(packed, { ...page, codes: arena.bytes(codes) });
    }
  });
});

describe("searchPages in pages made from templates (C6, C12)", () => {
  const random = new Random(5);
  const lines = Array.from({ length: 900 }, () =>
    random.below(9) === 0 ? "" : `GET /item/${random.below(1e5)} ${random.below(1e3)} ms`,
  );
  test.each(["item/1", "7 m", "ms", "GET /item/12", "zz", "9"])("finds %s", (needle) => {
    arena.clear();
    const pages = [lines.slice(0, 400), lines.slice(400)];
    const packed = pack(encoded(pages), 2);
    const words = packed.pages.flatMap(({ address, bytes, textBytes, codes }, page) => [
      ...[address, bytes, textBytes, page * 400, codes, 0, packed.templates],
    ]);
    const directory = arena.u32s(words);
    const pageCount = (words.length * 4) / pageEntryBytes;
    const needleAt = arena.region(needle.length, 16);
    arena.write(needleAt, encoder.encode(needle));
    const outBytes = Math.ceil(lines.length / 64) * 8;
    const out = arena.region(outBytes);
    const scratchBytes = expandedOffsetsAt(0, 70_000) + lines.length * 2 + 16;
    const scratch = arena.region(scratchBytes);
    const wanted = { address: needleAt, bytes: needle.length, fold: false };
    const search = (selected: number, outIsOpen: readonly (readonly [number, number])[] = []) =>
      arena.run(
        (kernel) =>
          kernel.searchPages(
            ...([out, { directory, pageCount }, lines.length, selected] as const),
            ...([wanted, scratch] as const),
          ),
        [[scratch, scratchBytes], ...outIsOpen],
      );
    search(0);
    const bits = arena.read(out, outBytes);
    for (const [row, line] of lines.entries()) {
      expect((bits[row >> 3]! >> (row & 7)) & 1).toBe(line.includes(needle) ? 1 : 0);
    }
    // A page that is damaged stops the search.
    arena.write(packed.pages[1]!.codes, Uint8Array.of(200));
    expect(search(0, [[out, outBytes]])).toBe(-1);
    search(arena.bitmap(2, (page) => page === 0));
  });
});
