import type { CodeBitsOperations } from "../../operations/seal/codeBits.js";
import type { MemoryView } from "../memoryView.js";

const blockRows = 128;

export function referenceCodeBits(view: MemoryView): CodeBitsOperations {
  /** Where bit `bit` of a row's code is: its byte, and which of the byte's bits. */
  const placeOf = (row: number, bits: number, bit: number): [at: number, shift: number] => {
    const within = row % blockRows;
    const place = (within >> 4) * bits + bit;
    const block = Math.floor(row / blockRows) * bits * 16;
    return [block + (place >> 3) * 16 + (within & 15), place & 7];
  };
  return {
    packCodes: (out, codes, rowCount, bits) => {
      const packed = new Uint8Array(Math.ceil(rowCount / blockRows) * bits * 16);
      for (let row = 0; row < rowCount; row++) {
        for (let bit = 0; bit < bits; bit++) {
          const [at, shift] = placeOf(row, bits, bit);
          packed[at]! |= ((view.u32(codes + row * 4) >> bit) & 1) << shift;
        }
      }
      for (const [i, byte] of packed.entries()) view.setByte(out + i, byte);
    },
    unpackCodes: (out, packed, rowCount, bits) => {
      const rows = Math.ceil(rowCount / blockRows) * blockRows;
      for (let row = 0; row < rows; row++) {
        let code = 0;
        for (let bit = 0; bit < bits; bit++) {
          const [at, shift] = placeOf(row, bits, bit);
          code |= ((view.byte(packed + at) >> shift) & 1) << bit;
        }
        view.setByte(out + row, code);
      }
    },
    spreadCodes: (out, present, codes, rowCount) => {
      let used = 0;
      for (let row = 0; row < rowCount; row++) {
        const has = view.bit(present, row);
        view.setValue(out, row, has ? view.value({ ...out, address: codes }, used) : 0n);
        if (has) used++;
      }
    },
  };
}
