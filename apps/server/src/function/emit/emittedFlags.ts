import type { PlainOp, WasmFunction } from "./wasmBytes.js";

/** 1 where all of these flags are; null: that is always so. */
export function allOf(fn: WasmFunction, flags: readonly (number | null)[]): number | null {
  return fold(fn, flags, "i32.and");
}

/** 1 where one of these flags is; null: that is never so. */
export function anyOf(fn: WasmFunction, flags: readonly (number | null)[]): number | null {
  return fold(fn, flags, "i32.or");
}

function fold(fn: WasmFunction, flags: readonly (number | null)[], op: PlainOp): number | null {
  const locals = flags.filter((flag) => flag !== null);
  const [first, ...rest] = locals;
  if (first === undefined) return null;
  if (rest.length === 0) return first;
  const local = fn.local("i32");
  fn.get(first);
  for (const one of rest) fn.get(one).op(op);
  fn.set(local);
  return local;
}
