import { allOf, anyOf } from "./emittedFlags.js";
import type { EmittedTerm } from "./emittedTerm.js";
import type { PlainOp, WasmFunction } from "./wasmBytes.js";

/** Kleene: one false decides an "and" and one true an "or", whatever the others are. */
export function emitLogic(
  fn: WasmFunction,
  which: "and" | "or",
  args: readonly EmittedTerm[],
): EmittedTerm {
  const isAnd = which === "and";
  const decided = fn.local("i32");
  fn.i32(0);
  for (const { value, present, overflown } of args) {
    fn.get(value);
    if (isAnd) fn.op("i32.eqz");
    if (present !== null) fn.get(present).op("i32.and");
    if (overflown !== null) fn.get(overflown).op("i32.eqz", "i32.and");
    fn.op("i32.or");
  }
  fn.set(decided);
  const value = fn.local("i32");
  fn.get(decided);
  if (isAnd) fn.op("i32.eqz");
  fn.set(value);
  const withDecided = (flag: number | null, ...ops: readonly PlainOp[]): number | null => {
    if (flag === null) return null;
    const local = fn.local("i32");
    fn.get(flag, decided)
      .op(...ops)
      .set(local);
    return local;
  };
  const present = allOf(
    fn,
    args.map((arg) => arg.present),
  );
  const isThere = withDecided(present, "i32.or");
  const overflown = anyOf(
    fn,
    args.map((arg) => arg.overflown),
  );
  return { value, present: isThere, overflown: withDecided(overflown, "i32.eqz", "i32.and") };
}

/** Whether the argument is there; always true or false, unless the way to it has overflown. */
export function emitPresence(
  fn: WasmFunction,
  which: "is missing" | "is present",
  arg: EmittedTerm,
): EmittedTerm {
  const value = fn.local("i32");
  if (arg.present === null) fn.i32(1);
  else fn.get(arg.present);
  if (which === "is missing") fn.op("i32.eqz");
  fn.set(value);
  return { value, present: null, overflown: arg.overflown };
}
