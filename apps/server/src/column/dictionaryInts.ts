import type { DictionaryInts } from "./encodedInts.js";
import { decodedWidth, type IntEncoding, type OrderedInts } from "./intEncoding.js";

/** More would not fit the processor's first cache when they are looked up. */
const distinctMax = 4_096;
/** At most half full. */
const slotCount = distinctMax * 2;

export const dictionaryInts: IntEncoding<DictionaryInts> = {
  estimateBytes: ({ memory, address, rowCount: sampled, span }, rowCount) => {
    const { size } = new Set(new BigInt64Array(memory.buffer, address, sampled));
    // Where most of a few rows bring a new value, there are more to come than pay.
    if (size > sampled * 0.7) return Number.POSITIVE_INFINITY;
    return size * decodedWidth(span) + rowCount * (size > 200 ? 2 : 1);
  },
  encode: (ints, bytesMax) => {
    const { memory, rowCount, span, allocate } = ints;
    const numbered = numberValues(ints);
    if (numbered === null) return null;
    const { values, ids } = numbered;
    const width = decodedWidth(span);
    const codeWidth = values.length <= 256 ? 1 : 2;
    if (values.length * width + rowCount * codeWidth > bytesMax) return null;
    const sorted = values.slice().sort();
    const codeOf = new Map(Array.from(sorted, (value, code) => [value, code]));
    const codeOfId = Uint16Array.from(values, (value) => codeOf.get(value)!);
    const table = allocate(sorted.length * width);
    if (width === 8) new BigInt64Array(memory.buffer, table, sorted.length).set(sorted);
    else new Uint32Array(memory.buffer, table, sorted.length).set(Uint32Array.from(sorted, Number));
    const codes = { address: allocate(rowCount * codeWidth), width: codeWidth } as const;
    const out =
      codeWidth === 1
        ? new Uint8Array(memory.buffer, codes.address, rowCount)
        : new Uint16Array(memory.buffer, codes.address, rowCount);
    for (let i = 0; i < rowCount; i++) out[i] = codeOfId[ids[i]!]!;
    return {
      kind: "dictionary",
      table: { address: table, width },
      tableCount: sorted.length,
      codes,
    };
  },
  decode: (kernel, out, { table, codes }, rowCount) =>
    kernel.lookUpCodes(out, codes, table.address, rowCount),
  read: (view, { table, codes }, rowIndex) => {
    const code =
      codes.width === 1
        ? view.getUint8(codes.address + rowIndex)
        : view.getUint16(codes.address + rowIndex * 2, true);
    return tableValue(view, table, code);
  },
  partsOf: ({ table, tableCount, codes }, rowCount) => [
    { address: table.address, bytes: tableCount * table.width },
    { address: codes.address, bytes: rowCount * codes.width },
  ],
  moved: (encoded, [table, codes]) => ({
    ...encoded,
    table: { ...encoded.table, address: table! },
    codes: { ...encoded.codes, address: codes! },
  }),
};

function tableValue(view: DataView, table: DictionaryInts["table"], code: number): bigint {
  return table.width === 8
    ? view.getBigInt64(table.address + code * 8, true)
    : BigInt(view.getUint32(table.address + code * 4, true));
}

/** The distinct values in order of arrival, and each row's number among them; null when there are too many. */
function numberValues({
  memory,
  kernel,
  address,
  rowCount,
  takeScratch,
}: OrderedInts): { values: BigInt64Array; ids: Uint32Array } | null {
  const groups = takeScratch(rowCount * 4);
  const table = {
    slots: takeScratch(slotCount * 4),
    slotCount,
    keys: takeScratch(distinctMax * 8),
    groupsMax: distinctMax,
  };
  kernel.clearHashTable(table);
  const count = kernel.hashKeys(groups, address, rowCount, table, 0);
  if (count < 0) return null;
  return {
    values: new BigInt64Array(memory.buffer, table.keys, count),
    ids: new Uint32Array(memory.buffer, groups, rowCount),
  };
}
