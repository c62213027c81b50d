import type { DealtRows } from "../task/scanTask.js";

/** Rows dealt out between two looks at which parts are full: a near cache holds where they go to. */
export const dealtStepRows = 4_096;

/** Makes all parts empty. */
export function clearDealt(memory: WebAssembly.Memory, dealt: DealtRows): void {
  const ends = endsOf(memory, dealt);
  for (let part = 0; part < ends.length; part++) ends[part] = part * dealt.partPlaces;
}

/** u32 per part: the place after its last row. */
export function endsOf(
  { buffer }: WebAssembly.Memory,
  { table, partCount }: DealtRows,
): Uint32Array {
  return new Uint32Array(buffer, table.ends, partCount);
}

export function rowsIn(ends: Uint32Array, { partPlaces }: DealtRows, part: number): number {
  return ends[part]! - part * partPlaces;
}
