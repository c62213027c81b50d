import type { ValueTableOperations } from "../operations/valueTable.js";
import type { MemoryView } from "./memoryView.js";

export function referenceValueTable(view: MemoryView): ValueTableOperations {
  return {
    markValues: (marks, values, rowCount) => {
      for (let row = 0; row < rowCount; row++) {
        const mark = { address: marks, width: 1 } as const;
        view.setValue(mark, view.u32(values + row * 4), 1n);
      }
    },
    listMarked: (table, codes, marks, count) => {
      let listed = 0;
      for (let value = 0; value < count; value++) {
        if (view.byte(marks + value) === 0) continue;
        view.setU32(table + listed * 4, value);
        view.setU32(codes + value * 4, listed);
        listed++;
      }
      return listed;
    },
    lookUpCodes: (out, codes, table, _, rowCount) => {
      for (let i = 0; i < rowCount; i++) {
        const code = Number(view.value(codes, i));
        view.setValue(out, i, view.value({ address: table, width: out.width }, code));
      }
    },
  };
}
