import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../testing/random.js";
import { TwinArena } from "../../testing/twinArena.js";
import { foundTemplateBytes, type RawTexts, type TemplateSearch } from "./templates.js";
import {
  decompressSlackBytes,
  expandedOffsetsAt,
  pageEntryBytes,
  templateMatchBytes,
} from "./text.js";

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
    readonly isDamaged?: boolean;
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
    // The twin's bytes were taken over: what the kernel wrote is checked by what is read back, and by
    // what it left alone.
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
  test("lines of one statement share a template with their constant text", () => {
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

  test("more templates than a byte can number, over pages", () => {
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
      { numRuns: 50 },
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

  test("a damaged page is reported, or gives other texts, but nothing beyond the slack is written", () => {
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
  /** Rows that hold the needle, by kernel and twin; null when they call a page damaged. */
  function search(
    packed: Packed,
    needle: string,
    { fold = false, page = -1 }: { fold?: boolean; page?: number } = {},
  ): boolean[] | null {
    let rows = 0;
    const words = packed.pages.flatMap(({ address, bytes, textBytes, codes, rows: own }) => {
      const firstRow = rows;
      rows += own;
      return [address, bytes, textBytes, firstRow, codes, 0, packed.templates];
    });
    const directory = arena.u32s(words);
    const pageCount = (words.length * 4) / pageEntryBytes;
    const wanted = encoder.encode(needle);
    const needleAt = arena.region(wanted.length, 16);
    arena.write(needleAt, wanted);
    const outBytes = Math.ceil(rows / 64) * 8;
    const out = arena.region(outBytes);
    const scratchBytes = templateMatchBytes + expandedOffsetsAt(0, 70_000) + rows * 2 + 16;
    const scratch = arena.region(scratchBytes);
    const selected = page < 0 ? 0 : arena.bitmap(pageCount, (i) => i === page);
    const found = arena.run(
      (kernel) =>
        kernel.searchPages(
          ...([out, { directory, pageCount }, rows, selected] as const),
          ...([{ address: needleAt, bytes: wanted.length, fold }, scratch] as const),
        ),
      [
        [scratch, scratchBytes],
        // What is written until a page shows to be damaged counts for nothing.
        ...(packed.pages.some(({ isDamaged }) => isDamaged) ? ([[out, outBytes]] as const) : []),
      ],
    );
    if (found < 0) return null;
    const bits = arena.read(out, outBytes);
    return Array.from({ length: rows }, (_, row) => ((bits[row >> 3]! >> (row & 7)) & 1) === 1);
  }

  const random = new Random(5);
  const lines = Array.from({ length: 900 }, () =>
    random.below(9) === 0 ? "" : `GET /item/${random.below(1e5)} ${random.below(1e3)} ms`,
  );
  test.each(["item/1", "7 m", "ms", "GET /item/12", "zz", "9"])("finds %s", (needle) => {
    arena.clear();
    const packed = pack(encoded([lines.slice(0, 400), lines.slice(400)]), 2);
    expect(search(packed, needle)).toEqual(lines.map((line) => line.includes(needle)));
    // A page that is damaged stops the search.
    const [first, second] = packed.pages as [Packed["pages"][0], Packed["pages"][0]];
    arena.write(second.codes, Uint8Array.of(200));
    const damaged = { ...packed, pages: [first, { ...second, isDamaged: true }] };
    expect(search(damaged, needle)).toBeNull();
    const inFirst = lines.map((line, row) => row < 400 && line.includes(needle));
    expect(search(damaged, needle, { page: 0 })).toEqual(inFirst);
  });

  test("a page that lacks bytes of its rows is damaged, though no text needs to be made", () => {
    arena.clear();
    const packed = pack(encoded([lines]), 2);
    const [page] = packed.pages as [Packed["pages"][0]];
    for (const change of [{ bytes: page.bytes - 1 }, { textBytes: page.textBytes + 1 }]) {
      const damaged = { ...packed, pages: [{ ...page, ...change, isDamaged: true }] };
      expect(search(damaged, "GET")).toBeNull();
    }
  });

  test("a needle that reaches into holes, or could, is found where it is", () => {
    // Few letters, so that needles of words, of numbers and of both are often there, often nearly.
    const word = fc.string({ unit: fc.constantFrom("a", "f", "g", "G", "é"), maxLength: 4 });
    const number = fc.oneof(
      fc.nat({ max: 99 }).map(String),
      fc.integer({ min: 2 ** 28, max: 2 ** 29 }).map((n) => n.toString(16)),
    );
    // Lines of few statements, so that they share templates: a number that never changes is no
    // hole.
    const statement = fc.tuple(word, fc.constantFrom("", " ", "-g "), word, word);
    const page = fc
      .tuple(
        fc.array(statement, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(), number, number), { minLength: 1, maxLength: 90 }),
      )
      .map(([statements, calls]) =>
        calls.map(([of, first, second]) => {
          const [a, b, c, d] = statements[of % statements.length]!;
          return [a, first, b, c, second, d].join(" ");
        }),
      );
    const pages = fc.array(page, { minLength: 1, maxLength: 3 });
    const needle = fc.record({ row: fc.nat(), from: fc.nat(), bytes: fc.nat({ max: 24 }) });
    fc.assert(
      fc.property(
        ...[pages, needle, fc.option(fc.tuple(word, number)), fc.boolean(), fc.nat({ max: 3 })],
        (texts, { row, from, bytes }, made, fold, page) => {
          const all = texts.flat();
          const chosen = all[row % all.length]!;
          const start = from % chosen.length;
          const cut = chosen.slice(start, start + 1 + bytes);
          const wanted = (made === null ? cut : made.join(" ")).trim() || "g";
          const small = wanted.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
          arena.clear();
          const packed = pack(encoded(texts), 2);
          const firstRow = texts.slice(0, page).reduce((sum, { length }) => sum + length, 0);
          const isRead = (at: number): boolean =>
            page >= texts.length || (at >= firstRow && at < firstRow + texts[page]!.length);
          const holds = (text: string): boolean =>
            fold ? text.replaceAll("G", "g").includes(small) : text.includes(wanted);
          expect(
            search(packed, fold ? small : wanted, { fold, page: page < texts.length ? page : -1 }),
          ).toEqual(all.map((text, at) => isRead(at) && holds(text)));
        },
      ),
      { numRuns: 150 },
    );
  });

  test("a needle that begins in a template and ends behind it is in no text", () => {
    // Sixteen bytes each, so that nothing is between them, whichever comes first.
    const full = ["q", "z"].flatMap((end) =>
      [12, 34].map((n) => `${end} ${n}${"0".repeat(10)} ${end}`),
    );
    const short = ["q 1 q", "q 2 q"];
    for (const [texts, needles] of [
      [full, ["qz", "zq"]],
      [short, ["q\0", "\0"]],
    ] as const) {
      arena.clear();
      const packed = pack(encoded([[...texts]]), 2);
      expect(packed.templateCount).toBe(texts.length / 2);
      for (const needle of needles) {
        expect(search(packed, needle)).toEqual(texts.map(() => false));
      }
    }
  });

  test("more templates than a byte can number, and than are searched for a page", () => {
    const word = (i: number) => String.fromCharCode(103 + (i % 20), 103 + Math.floor(i / 20));
    const texts = Array.from({ length: 4 }, (_, page) =>
      Array.from({ length: 211 }, (_, i) => `${word((page * 97 + i) % 390)} took ${i * 7} us`),
    );
    arena.clear();
    const packed = pack(encoded(texts), 4);
    expect(packed.templateCount).toBeGreaterThan(500);
    for (const needle of ["gg took", "zz took", "yx", "7 us", "took 7"]) {
      const all = texts.flat().map((text) => text.includes(needle));
      expect(search(packed, needle)).toEqual(all);
      const inLast = all.map((holds, row) => row >= 3 * 211 && holds);
      expect(search(packed, needle, { page: 3 })).toEqual(inLast);
    }
  });
});
