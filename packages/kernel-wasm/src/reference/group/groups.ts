import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";
import type { GroupOperations } from "../../operations/group/groups.js";
import type { MemoryView } from "../memoryView.js";

type ComponentOf = (row: number) => bigint;

export function referenceGroups(view: MemoryView): GroupOperations {
  const addGroups = (out: number, rows: RowSet, stride: number, componentOf: ComponentOf) => {
    for (let k = 0; k < rows.count; k++) {
      const group = BigInt(view.u32(out + k * 4));
      const next = group + componentOf(view.rowOf(rows, k)) * BigInt(stride);
      view.setU32(out + k * 4, Number(BigInt.asUintN(32, next)));
    }
  };
  const addKeys = (keys: number, rows: RowSet, multiplier: bigint, componentOf: ComponentOf) => {
    for (let k = 0; k < rows.count; k++) {
      const key = view.u64(keys + k * 8);
      view.setU64(keys + k * 8, key * multiplier + componentOf(view.rowOf(rows, k)));
    }
  };
  const code =
    (values: Values): ComponentOf =>
    (row) =>
      view.value(values, row);
  const int =
    (values: Values, present: BitmapAddress, base: bigint): ComponentOf =>
    (row) =>
      view.isPresent(present, row) ? view.value(values, row) - base + 1n : 0n;
  const edge = (values: Values, base: bigint, edges: number, edgeCount: number): ComponentOf => {
    const ascending = Array.from({ length: edgeCount }, (_, i) => view.i64(edges + i * 8));
    return (row) => intervalOf(ascending, view.value(values, row) + base);
  };
  return {
    clearGroups: (out, count) => view.clear(out, count * 4),
    addCodeGroups: (out, values, rows, stride) => addGroups(out, rows, stride, code(values)),
    addIntGroups: (out, values, present, rows, base, stride) =>
      addGroups(out, rows, stride, int(values, present, base)),
    addEdgeGroups: (out, values, base, rows, edges, edgeCount, stride) =>
      addGroups(out, rows, stride, edge(values, base, edges, edgeCount)),
    clearKeys: (keys, count) => view.clear(keys, count * 8),
    addCodeKeys: (keys, values, rows, multiplier) => addKeys(keys, rows, multiplier, code(values)),
    addIntKeys: (keys, values, present, rows, base, multiplier) =>
      addKeys(keys, rows, multiplier, int(values, present, base)),
    addEdgeKeys: (keys, values, base, rows, edges, edgeCount, multiplier) =>
      addKeys(keys, rows, multiplier, edge(values, base, edges, edgeCount)),
  };
}

function intervalOf(edges: readonly bigint[], value: bigint): bigint {
  const above = edges.findIndex((edge) => edge > value);
  return BigInt(above === -1 ? edges.length - 1 : above - 1);
}
