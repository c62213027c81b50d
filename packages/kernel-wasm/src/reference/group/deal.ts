import type { DealOperations, DealTable } from "../../operations/group/deal.js";
import type { MemoryView } from "../memoryView.js";

export function referenceDeal(view: MemoryView): DealOperations {
  const deal = (placeAt: number, { partShift, ends, groups }: DealTable, group: number): void => {
    const end = ends + Math.floor(group / 2 ** partShift) * 4;
    const place = view.u32(end);
    view.setU32(end, place + 1);
    view.setU32(placeAt, place);
    view.setU32(groups + place * 4, group);
  };
  return {
    dealCodes: (places, table, codes, firstCode, rows) => {
      for (let k = 0; k < rows.count; k++) {
        const code = Number(view.value(codes, view.rowOf(rows, k)));
        deal(places + k * 4, table, code - firstCode);
      }
    },
    dealGroups: (places, table, groups, count) => {
      for (let k = 0; k < count; k++) deal(places + k * 4, table, view.u32(groups + k * 4));
    },
    readEnds: () => {},
    dealValues: (places, dealt, values, base, rows) => {
      for (let k = 0; k < rows.count; k++) {
        const value = view.value(values, view.rowOf(rows, k)) + BigInt(base);
        const at = dealt + view.u32(places + k * 4) * 4;
        view.setU32(at, Number(BigInt.asUintN(32, value)));
      }
    },
  };
}
