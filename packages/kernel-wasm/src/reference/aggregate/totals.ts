import type { RowSet, Values } from "../../base/addresses.js";
import type {
  LowSumTable,
  TallyTable,
  TotalOperations,
  TotalTable,
} from "../../operations/aggregate/totals.js";
import type { MemoryView } from "../memoryView.js";

export function referenceTotals(view: MemoryView): TotalOperations {
  const addTotals = (
    { counts, sums }: TotalTable,
    groupOf: (row: number, k: number) => number,
    rows: RowSet,
    values: Values,
    base: bigint,
  ): void => {
    for (let k = 0; k < rows.count; k++) {
      const row = view.rowOf(rows, k);
      const group = groupOf(row, k);
      if (counts !== 0) view.setU32(counts + group * 4, view.u32(counts + group * 4) + 1);
      if (sums === 0) continue;
      const value = view.value(values, row) + base;
      view.setI64(sums + group * 8, view.i64(sums + group * 8) + value);
    }
  };
  const tally = ({ tallies, counts }: TallyTable, group: number): void => {
    const grown = view.byte(tallies + group) + 1;
    view.setByte(tallies + group, grown % 256);
    if (grown === 256) view.setU32(counts + group * 4, view.u32(counts + group * 4) + 256);
  };
  const addLow = ({ lows, sums }: LowSumTable, group: number, by: bigint): void => {
    const sum = BigInt(view.u32(lows + group * 4)) + by;
    view.setU32(lows + group * 4, Number(sum & 0xffff_ffffn));
    if (sum >= 2n ** 32n) view.setI64(sums + group * 8, view.i64(sums + group * 8) + 2n ** 32n);
  };
  return {
    countOfRun: (selection, from, to) => {
      let count = 0;
      for (let row = from; row < to; row++) if (view.bit(selection, row)) count++;
      return count;
    },
    findRuns: (out, values, base, rows, edges, edgeCount) => {
      let runs = 0;
      let last = -1;
      for (let k = 0; k < rows.count; k++) {
        const value = view.value(values, view.rowOf(rows, k)) + base;
        let interval = 0;
        while (interval + 2 < edgeCount && view.i64(edges + (interval + 1) * 8) <= value)
          interval++;
        if (interval === last) continue;
        last = interval;
        view.setU32(out + runs * 8, k);
        view.setU32(out + runs * 8 + 4, interval);
        runs++;
      }
      return runs;
    },
    addCodeTotals: (table, codes, firstCode, rows, values, base) =>
      addTotals(table, (row) => Number(view.value(codes, row)) - firstCode, rows, values, base),
    addGroupTotals: (table, groups, rows, values, base) =>
      addTotals(table, (_, k) => view.u32(groups + k * 4), rows, values, base),
    tallyCodes: (table, codes, firstCode, rows) => {
      for (let k = 0; k < rows.count; k++) {
        tally(table, Number(view.value(codes, view.rowOf(rows, k))) - firstCode);
      }
    },
    tallyGroups: (table, groups, count) => {
      for (let k = 0; k < count; k++) tally(table, view.u32(groups + k * 4));
    },
    flushTallies: ({ tallies, counts }, groupCount) => {
      for (let group = 0; group < groupCount; group++) {
        const count = view.u32(counts + group * 4) + view.byte(tallies + group);
        view.setU32(counts + group * 4, count);
        view.setByte(tallies + group, 0);
      }
    },
    addCodeLowSums: (table, codes, firstCode, rows, values, base) => {
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        const group = Number(view.value(codes, row)) - firstCode;
        addLow(table, group, view.value(values, row) + BigInt(base));
      }
    },
    addGroupLowSums: (table, groups, rows, values, base) => {
      for (let k = 0; k < rows.count; k++) {
        const value = view.value(values, view.rowOf(rows, k));
        addLow(table, view.u32(groups + k * 4), value + BigInt(base));
      }
    },
    flushLowSums: ({ lows, sums }, groupCount) => {
      for (let group = 0; group < groupCount; group++) {
        const low = BigInt(view.u32(lows + group * 4));
        view.setI64(sums + group * 8, view.i64(sums + group * 8) + low);
        view.setU32(lows + group * 4, 0);
      }
    },
  };
}
