import type { BoundTerm } from "../../function/bind/boundTerm.js";
import { compileTerm } from "../../function/emit/compileTerm.js";
import type { Output } from "../../function/emit/emitModule.js";
import type { Cell } from "../../function/term/cell.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { type CompiledDerive, DeriveCode } from "../task/deriveTask.js";
import type { SlotBinding } from "./bindSlots.js";
import { type DerivedCells, derivedCells } from "./derivedCells.js";
import type { CellReaders, DerivedSource } from "./derivedColumn.js";
import type { DerivedContext } from "./derivedContext.js";

/** One object for each module, so that a query with hundreds of segments sends it once. */
const codes = new WeakMap<WebAssembly.Module, DeriveCode>();

/** A derived column of a segment by code that is emitted for it. */
export class CompiledSource implements DerivedSource {
  readonly output: Output;
  readonly base: bigint;
  readonly present: number;
  readonly overflown: number;
  readonly #cells: DerivedCells;

  readonly #context: DerivedContext;
  readonly #term: BoundTerm;
  readonly #slots: SlotBinding;

  constructor(context: DerivedContext, segment: SegmentView, term: BoundTerm, slots: SlotBinding) {
    this.#context = context;
    this.#term = term;
    this.#slots = slots;
    const hasOverflow = term.mayOverflow;
    const hasPresent = term.mayMiss || hasOverflow;
    const { type, min, max } = term;
    // Narrow where all values are close together: fewer bytes to write and read.
    const isNarrow = type === "int" && min <= max && max - min < 2n ** 32n;
    const width = type !== "int" || isNarrow ? 4 : 8;
    this.output = { width, hasPresent, hasOverflow };
    this.base = isNarrow ? min : 0n;
    // Code 0 means missing.
    const needsBitmap = hasPresent && term.type === "int";
    this.present = needsBitmap ? context.memory.bitmap(segment.rowCount) : 0;
    this.overflown = hasOverflow ? context.memory.bitmap(segment.rowCount) : 0;
    this.#cells = derivedCells(context, segment);
  }

  get width(): Output["width"] {
    return this.output.width;
  }

  taskIn(view: SegmentView): CompiledDerive {
    const { present, overflown } = this;
    const slots = this.#slots;
    const output = { ...this.output, hasPresent: present !== 0 };
    const module = compileTerm(this.#term, slots.slots, output);
    let code = codes.get(module);
    if (code === undefined) {
      code = new DeriveCode(module);
      codes.set(module, code);
    }
    const { base } = this;
    const filled = slots.fill(view);
    return {
      kind: "compiled",
      column: this.#context.name,
      code,
      base,
      slots: filled,
      present,
      overflown,
    };
  }

  cell(rowIndex: number, readers: CellReaders): Cell {
    return this.#cells(rowIndex, readers);
  }
}
