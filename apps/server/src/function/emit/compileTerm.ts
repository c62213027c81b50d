import type { BoundTerm, CallTerm, Slot } from "../bind/boundTerm.js";
import { comparesAtOneScale, mayBeMinusOne, mayBeZero } from "../bind/termConclusions.js";
import { emitModule, type Output } from "./emitModule.js";

/** Queries of a dashboard come again and again, and V8 has made their code fast by then. Each is some kilobytes. */
const modulesMax = 256;

const modules = new Map<string, WebAssembly.Module>();

/** The compiled module of a term; the same one for all segments that have it in the same shape. */
export function compileTerm(
  term: BoundTerm,
  slots: readonly Slot[],
  output: Output,
): WebAssembly.Module {
  const key = `${keyOf(term)} ${slots.map(slotKey).join()} ${outputKey(output)}`;
  let module = modules.get(key);
  // The latest used is the last.
  if (module !== undefined) modules.delete(key);
  module ??= new WebAssembly.Module(emitModule(term, slots, output));
  modules.set(key, module);
  const oldest = modules.keys().next();
  if (modules.size > modulesMax && !oldest.done) modules.delete(oldest.value);
  return module;
}

/** All that the emitted code depends on: of bounds only what was concluded from them. */
function keyOf(term: BoundTerm): string {
  const flags = `${term.mayMiss ? "m" : ""}${term.mayOverflow ? "o" : ""}.${term.decimals}`;
  switch (term.kind) {
    case "slot":
      return `$${term.slot}${term.type}${flags}`;
    case "constant":
      return `${term.value}${term.type}${flags}`;
    case "call": {
      const conclusions = `${term.checked ? "!" : ""}${concluded(term)}${flags}`;
      return `${term.fn}${conclusions}(${term.args.map(keyOf).join()})`;
    }
  }
}

/** What the code of a call concludes from its arguments' bounds. */
function concluded({ fn, args }: CallTerm): string {
  const [left, right] = args;
  if (left === undefined || right === undefined || left.type !== "int") return "";
  switch (fn) {
    case "/":
    case "%":
      return `${mayBeZero(right) ? "z" : ""}${mayBeMinusOne(right) ? "n" : ""}`;
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return comparesAtOneScale(left, right) ? "s" : "";
    default:
      return "";
  }
}

function slotKey(slot: Slot): string {
  return slot.kind === "ints"
    ? `i${slot.width}${slot.hasPresent ? "p" : ""}${slot.hasOverflow ? "o" : ""}`
    : `t${slot.width}${slot.entry}${slot.hasStates ? "s" : ""}`;
}

function outputKey({ width, hasPresent, hasOverflow }: Output): string {
  return `${width}${hasPresent ? "p" : ""}${hasOverflow ? "o" : ""}`;
}
