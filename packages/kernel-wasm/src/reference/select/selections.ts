import type { SelectionOperations } from "../../operations/select/selections.js";
import type { MemoryView } from "../memoryView.js";

export function referenceSelections(view: MemoryView): SelectionOperations {
  return {
    selectRows: (out, rowCount, from, to) =>
      view.writeBits(out, rowCount, (row) => row >= from && row < to),
    selectRange: (out, values, rowCount, low, high) =>
      view.writeBits(out, rowCount, (row) => {
        const value = view.value(values, row);
        return low <= value && value <= high;
      }),
    selectCodes: (out, values, rowCount, codes, codeCount) =>
      view.writeBits(out, rowCount, (row) => {
        const code = Number(view.value(values, row));
        return code < codeCount && view.bit(codes, code);
      }),
    andInto: (into, other, rowCount) =>
      view.writeBits(into, rowCount, (row) => view.bit(into, row) && view.bit(other, row)),
    orInto: (into, other, rowCount) =>
      view.writeBits(into, rowCount, (row) => view.bit(into, row) || view.bit(other, row)),
    andNotInto: (into, other, rowCount) =>
      view.writeBits(into, rowCount, (row) => view.bit(into, row) && !view.bit(other, row)),
    countSelected: (selection, rowCount) => {
      let count = 0;
      for (let row = 0; row < rowCount; row++) if (view.bit(selection, row)) count++;
      return count;
    },
    rowsOfSelection: (selection, rowCount, out) => {
      let count = 0;
      for (let row = 0; row < rowCount; row++) {
        if (view.bit(selection, row)) view.setU32(out + count++ * 4, row);
      }
      return count;
    },
    lowerBound: (values, rowCount, bound) => {
      for (let row = 0; row < rowCount; row++) if (view.value(values, row) >= bound) return row;
      return rowCount;
    },
  };
}
