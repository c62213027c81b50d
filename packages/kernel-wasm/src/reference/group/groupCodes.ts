import type { RowSet, Values } from "../../base/addresses.js";
import type { GroupCodeOperations } from "../../operations/group/groupCodes.js";
import type { MemoryView } from "../memoryView.js";

export function referenceGroupCodes(view: MemoryView): GroupCodeOperations {
  const bucket = (
    out: number,
    values: Values,
    present: number,
    rows: RowSet,
    bucketOf: (value: bigint) => number,
  ): void => {
    for (let k = 0; k < rows.count; k++) {
      const row = view.rowOf(rows, k);
      const isPresent = view.isPresent(present, row);
      view.setU32(out + row * 4, isPresent ? 1 + bucketOf(view.value(values, row)) : 0);
    }
  };
  return {
    bucketByEdges(out, values, base, factor, present, rows, edges, edgeCount) {
      const ascending = Array.from({ length: edgeCount }, (_, i) => view.i64(edges + i * 8));
      bucket(out, values, present, rows, (value) =>
        ascending.findLastIndex((edge) => edge <= (value + base) * factor),
      );
    },
    bucketBySteps(out, values, base, factor, present, rows, origin, firstCode, step) {
      bucket(out, values, present, rows, (value) => {
        const distance = (value + base) * factor - origin;
        return distance < 0n ? 0 : firstCode - 1 + Number(distance / step);
      });
    },
    explodeRows(out, rows, codes, starts, items, from) {
      let used = 0;
      let k = from;
      for (; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        const list = Number(view.value(codes, row));
        const [first, end] = [view.u32(starts + list * 4), view.u32(starts + list * 4 + 4)];
        if (used + end - first > out.capacity) break;
        for (let i = first; i < end; i++) {
          view.setU32(out.rows + used * 4, row);
          view.setU32(out.items + used * 4, view.u32(items + i * 4));
          view.setU32(out.positions + used * 4, k);
          used += 1;
        }
      }
      view.setU32(out.produced, used);
      return k;
    },
  };
}
