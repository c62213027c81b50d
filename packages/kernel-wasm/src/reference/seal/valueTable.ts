import type { ValueTableOperations } from "../../operations/seal/valueTable.js";
import type { MemoryView } from "../memoryView.js";

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
    codeInts: (out, values, present, order, rowCount, base, codeOf, table) => {
      let known = 0;
      for (let i = 0; i < rowCount; i++) {
        const row = order === 0 ? i : view.u32(order + i * 4);
        const isPresent = view.isPresent(present, row);
        const offset = isPresent ? Number(view.value(values, row) - base) : 0;
        const mark = { address: codeOf, width: 1 } as const;
        if (view.byte(codeOf + offset) === 0) {
          if (known === 255) return -1;
          view.setU32(table + known * 4, offset);
          view.setValue(mark, offset, BigInt(++known));
        }
        view.setValue({ address: out, width: 1 }, i, view.value(mark, offset) - 1n);
      }
      return known;
    },
    weighCodes: (sums, codes, _, rowCount, weights) => {
      const found = new Array<bigint>(256).fill(0n);
      for (let i = 0; i < rowCount; i++) found[view.byte(codes + i)]! += view.weight(weights, i);
      for (const [code, sum] of found.entries()) {
        view.setU32(sums + code * 4, Number(BigInt.asUintN(32, sum)));
      }
    },
    lookUpCodes: (out, codes, table, _, rowCount) => {
      for (let i = 0; i < rowCount; i++) {
        const code = Number(view.value(codes, i));
        view.setValue(out, i, view.value({ address: table, width: out.width }, code));
      }
    },
  };
}
