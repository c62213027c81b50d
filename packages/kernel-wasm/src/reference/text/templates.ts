import {
  foundTemplateBytes,
  type PackedTexts,
  type RawTexts,
  type TemplateOperations,
  type TemplateSearch,
} from "../../operations/text/templates.js";
import type { MemoryView } from "../memoryView.js";

const hole = 0xff;
const headBytes = 8;
const entryBytes = 8;
const escapeCode = 255;

const padded = (bytes: number): number => Math.ceil(bytes / 16) * 16;

export function referenceTemplates(view: MemoryView): TemplateOperations {
  return {
    findTemplates: (ids, search, foundCount, texts, rows) =>
      findTemplates(view, ids, search, foundCount, texts, rows),
    writeTemplates: (out, search, order, count) => writeTemplates(view, out, search, order, count),
    packTemplates: (out, codes, ids, templates, texts, rows) => {
      let at = out;
      for (let row = 0; row < rows; row++) {
        const id = view.u16(ids + row * 2);
        view.setByte(codes + row, Math.min(id, escapeCode));
        if (id >= escapeCode) {
          view.setU16(at, id);
          at += 2;
        }
        const { text, packedBytes } = templateOf(view, templates, id);
        const bytes = textAt(view, texts, row);
        const packed = new Uint8Array(packedBytes);
        for (const [i, digit] of digitPlaces(text)) {
          packed[digit >> 1]! |=
            Number.parseInt(String.fromCharCode(bytes[i]!), 16) << ((digit & 1) * 4);
        }
        for (const byte of packed) view.setByte(at++, byte);
      }
      return at - out;
    },
    fillTemplates: (out, outBytes, outOffsets, templates, page, rows) => {
      const filled = fillTemplates(view, templates, page, rows, outBytes);
      if (filled === null) return -1;
      view.setU16(outOffsets, 0);
      let used = 0;
      for (const [row, text] of filled.entries()) {
        for (const byte of text) view.setByte(out + used++, byte);
        view.setU16(outOffsets + row * 2 + 2, used);
      }
      return used;
    },
  };
}

/** The texts of a page made from templates; null when it is damaged. */
export function fillTemplates(
  view: MemoryView,
  templates: number,
  { codes, address, bytes }: PackedTexts,
  rows: number,
  textBytesMax: number,
): Uint8Array[] | null {
  const count = view.u32(templates);
  const texts: Uint8Array[] = [];
  let textBytes = 0;
  let at = address;
  for (let row = 0; row < rows; row++) {
    let id = view.byte(codes + row);
    if (id === escapeCode) {
      id = view.u16(at);
      at += 2;
    }
    if (id >= count) return null;
    const { text, packedBytes } = templateOf(view, templates, id);
    textBytes += text.length;
    if (at + packedBytes > address + bytes || textBytes > textBytesMax) return null;
    for (const [i, digit] of digitPlaces(text)) {
      const number = (view.byte(at + (digit >> 1)) >> ((digit & 1) * 4)) & 15;
      text[i] = number.toString(16).charCodeAt(0);
    }
    texts.push(text);
    at += packedBytes;
  }
  return texts;
}

function findTemplates(
  view: MemoryView,
  ids: number,
  { found, foundMax, texts, textsBytes }: TemplateSearch,
  foundCount: number,
  page: RawTexts,
  rows: number,
): number {
  const known = new Map<string, number>();
  let count = foundCount;
  let used = texts;
  for (let id = 0; id < foundCount; id++) {
    const { address, length } = foundAt(view, found, id);
    known.set(Buffer.from(bytesAt(view, address, length)).toString("latin1"), id);
    used = address + 3 * padded(length);
  }
  for (let row = 0; row < rows; row++) {
    const text = textAt(view, page, row);
    const { length } = text;
    const room = padded(length);
    if (used + 3 * room + 16 > texts + textsBytes || text.includes(hole)) return -1;
    const template = withHoles(text);
    for (let i = 0; i < room; i++) view.setByte(used + i, template[i] ?? 0);
    const key = Buffer.from(template).toString("latin1");
    let id = known.get(key);
    if (id === undefined) {
      if (count === foundMax) return -1;
      id = count++;
      known.set(key, id);
      const entry = found + id * foundTemplateBytes;
      view.setU32(entry, used);
      view.setU32(entry + 4, length);
      view.setU32(entry + 8, 0);
      for (let i = 0; i < room; i++) {
        view.setByte(used + room + i, text[i] ?? 0);
        view.setByte(used + 2 * room + i, 0);
      }
      used += 3 * room;
    }
    const entry = found + id * foundTemplateBytes;
    view.setU32(entry + 8, view.u32(entry + 8) + 1);
    const first = view.u32(entry) + room;
    for (const [i, byte] of text.entries()) {
      const at = first + room + i;
      view.setByte(at, view.byte(at) | (byte ^ view.byte(first + i)));
    }
    view.setU16(ids + row * 2, id);
  }
  return count;
}

/** A text with 0xff where digits are. */
function withHoles(text: Uint8Array): Uint8Array {
  const latin1 = Buffer.from(text).toString("latin1");
  const holes = latin1.replace(/[0-9A-Za-z]+/g, (run) => {
    const isHex = run.length >= 6 && /^[0-9a-f]+$/.test(run) && /[0-9]/.test(run);
    return isHex ? "\xff".repeat(run.length) : run.replace(/[0-9]/g, "\xff");
  });
  return Buffer.from(holes, "latin1");
}

function writeTemplates(
  view: MemoryView,
  out: number,
  { found }: TemplateSearch,
  order: number,
  count: number,
): number {
  view.setU32(out, count);
  view.setU32(out + 4, 0);
  let used = padded(headBytes + count * entryBytes);
  for (let rank = 0; rank < count; rank++) {
    const { address, length } = foundAt(view, found, view.u32(order + rank * 4));
    const room = padded(length);
    const template = bytesAt(view, address, room).map((byte, i) => {
      const isSame = view.byte(address + 2 * room + i) === 0;
      return byte === hole && isSame ? view.byte(address + room + i) : byte;
    });
    for (const [i, byte] of template.entries()) view.setByte(out + used + i, byte);
    const digits = digitPlaces(template);
    const entry = out + headBytes + rank * entryBytes;
    view.setU32(entry, used);
    view.setU16(entry + 4, length);
    view.setU16(entry + 6, digits.length === 0 ? 0 : (digits.at(-1)![1] >> 1) + 1);
    used += room;
  }
  return used;
}

/** Where in the template holes are, and which four bits of a row are for each. */
function digitPlaces(template: Uint8Array): (readonly [at: number, digit: number])[] {
  const places: (readonly [number, number])[] = [];
  let digit = 0;
  for (const [i, byte] of template.entries()) {
    const full = i % 16 === 0 && i + 16 <= template.length;
    if (full && template.subarray(i, i + 16).every((one) => one === hole)) digit += digit & 1;
    if (byte === hole) places.push([i, digit++]);
  }
  return places;
}

function templateOf(
  view: MemoryView,
  templates: number,
  id: number,
): { text: Uint8Array; packedBytes: number } {
  const entry = templates + headBytes + id * entryBytes;
  const text = bytesAt(view, templates + view.u32(entry), view.u16(entry + 4));
  return { text, packedBytes: view.u16(entry + 6) };
}

function foundAt(view: MemoryView, found: number, id: number): { address: number; length: number } {
  const entry = found + id * foundTemplateBytes;
  return { address: view.u32(entry), length: view.u32(entry + 4) };
}

function textAt(view: MemoryView, { address, offsets, offsetsWidth }: RawTexts, row: number) {
  const offset = (i: number): number =>
    offsetsWidth === 2 ? view.u16(offsets + i * 2) : view.u32(offsets + i * 4);
  return bytesAt(view, address + offset(row), offset(row + 1) - offset(row));
}

function bytesAt(view: MemoryView, address: number, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, i) => view.byte(address + i));
}
