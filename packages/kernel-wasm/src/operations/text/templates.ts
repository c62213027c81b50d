/**
 * Texts as a template and what varies in it. A template is a text with holes, 0xff each, where
 * digits were: every 0-9, and all of a run of 0-9 and a-f between other bytes than letters and
 * digits, when it has a digit and six bytes or more. A digit that is the same in all texts of a
 * template stays in it. The table of a column:
 *
 *   | count u32 | 0 u32 | per template: textAt u32 from the table on, length u16, packedBytes u16 | texts |
 *
 * texts padded with zeros to multiples of 16, the first one beginning at such a multiple. A row of
 * a page is the number of its template, a byte in `codes`, and packedBytes with four bits for each
 * of its holes, low half first; where 16 bytes of the template from a multiple of 16 on are all
 * holes, they begin with a byte. A number from 255 on is a code of 255, and stands as u16 before
 * the row's bytes.
 */
export interface TemplateOperations {
  /**
   * Finds the templates of a page's texts (u16 each, ids[0, rows)), adding to the `foundCount` that
   * the search has; returns how many it has then, or -1 when they do not fit or a text holds the
   * byte 0xff. Texts as in TextPages; 16 readable bytes follow them.
   */
  findTemplates(
    ids: number,
    search: TemplateSearch,
    foundCount: number,
    texts: RawTexts,
    rows: number,
  ): number;
  /** Writes the table of the templates found, in the order (u32 each) given; returns its bytes. */
  writeTemplates(out: number, search: TemplateSearch, order: number, count: number): number;
  /**
   * Packs a page whose texts have these templates (u16 each, numbers in the table); returns the
   * bytes written at `out`, beside the codes. 16 bytes behind those may be written.
   */
  packTemplates(
    out: number,
    codes: number,
    ids: number,
    templates: number,
    texts: RawTexts,
    rows: number,
  ): number;
  /**
   * The texts of a page again, and their offsets (u16, rows + 1). Returns their bytes, or -1 when
   * the page is damaged or holds more than outBytes. 16 bytes behind `out` may be written, and
   * behind `packed` be read.
   */
  fillTemplates(
    out: number,
    outBytes: number,
    outOffsets: number,
    templates: number,
    page: PackedTexts,
    rows: number,
  ): number;
}

/** Texts of a page that is stored as it is. */
export interface RawTexts {
  readonly address: number;
  readonly offsets: number;
  readonly offsetsWidth: 2 | 4;
}

export interface PackedTexts {
  readonly codes: number;
  readonly address: number;
  readonly bytes: number;
}

/**
 * Memory of a search. `slots`: u32 × slotCount, a power of two above foundMax, all 0 at first. `found`: 12 bytes for each
 * template: | address u32 | length u32 | rows u32 |. At the address, padded to a multiple of 16 each: the
 * template with all its holes, the first text that has it, and which of its bytes differ in others.
 */
export interface TemplateSearch {
  readonly slots: number;
  readonly slotCount: number;
  readonly found: number;
  readonly foundMax: number;
  readonly texts: number;
  readonly textsBytes: number;
}

/** Of an entry of {@link TemplateSearch.found}. */
export const foundTemplateBytes = 12;

/** The operations of assembly/text/textTemplates.ts. */
export function templateOperations(exports: WebAssembly.Exports): TemplateOperations {
  const wasm = exports as unknown as TemplateExports;
  return {
    findTemplates: (ids, search, foundCount, texts, rows) =>
      wasm.findTemplates(
        ...([ids, search.slots, search.slotCount, search.found, search.foundMax] as const),
        ...([search.texts, search.textsBytes, foundCount, ...textsOf(texts), rows] as const),
      ),
    writeTemplates: (out, { found }, order, count) => wasm.writeTemplates(out, found, order, count),
    packTemplates: (out, codes, ids, templates, texts, rows) =>
      wasm.packTemplates(out, codes, ids, templates, ...textsOf(texts), rows),
    fillTemplates: (out, outBytes, outOffsets, templates, { codes, address, bytes }, rows) =>
      wasm.fillTemplates(out, outBytes, outOffsets, templates, codes, address, bytes, rows),
  };
}

type Texts = readonly [bytes: number, offsets: number, width: number];

const textsOf = ({ address, offsets, offsetsWidth }: RawTexts): Texts => [
  address,
  offsets,
  offsetsWidth,
];

interface TemplateExports {
  findTemplates(
    ...a: [
      ...[ids: number, slots: number, slotCount: number, found: number, foundMax: number],
      ...[texts: number, textsBytes: number, foundCount: number, ...Texts, rows: number],
    ]
  ): number;
  writeTemplates(out: number, found: number, order: number, count: number): number;
  packTemplates(
    ...a: [out: number, codes: number, ids: number, templates: number, ...Texts, rows: number]
  ): number;
  fillTemplates(
    ...a: [
      ...[out: number, outBytes: number, outOffsets: number, templates: number],
      ...[codes: number, packed: number, packedBytes: number, rows: number],
    ]
  ): number;
}
