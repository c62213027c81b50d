import { timeColumn } from "@hadal/sdk";
import { assert } from "../base/assert.js";
import { ListDictionary } from "../column/listDictionary.js";
import type { Cell } from "../function/cell.js";
import type { BoundColumn } from "../plan/resolvedQuery.js";
import type { SegmentView } from "../store/segmentView.js";
import { type DerivedCells, derivedCells } from "./derivedCells.js";
import type { CellReaders, DerivedSource } from "./derivedColumn.js";
import type { DerivedContext } from "./derivedContext.js";
import type { EvaluatedDerive, EvaluatedSource, RowExpression, RowInput } from "./deriveTask.js";
import { inputColumn } from "./inputColumn.js";
import { printedSource, stringSourceOf } from "./stringSource.js";

/** A derived column of a segment that has to be evaluated row by row, on the scan thread. */
export class EvaluatedColumnSource implements DerivedSource {
  readonly width: 0 | 8;
  readonly base = 0n;
  readonly present: number;
  readonly overflown: number;
  readonly #cells: DerivedCells;

  constructor(
    private readonly context: DerivedContext,
    private readonly segment: SegmentView,
  ) {
    this.width = context.derived.type === "int" ? 8 : 0;
    this.present = context.memory.bitmap(segment.rowCount);
    this.overflown = context.memory.bitmap(segment.rowCount);
    this.#cells = derivedCells(context, segment);
  }

  taskIn(view: SegmentView): EvaluatedDerive {
    const { present, overflown, context } = this;
    return { kind: "evaluated", column: context.name, row: this.#row(view), present, overflown };
  }

  sourceIn(view: SegmentView): EvaluatedSource {
    return { kind: "evaluated", column: this.context.name, row: this.#row(view), present: 0 };
  }

  cell(rowIndex: number, readers: CellReaders): Cell {
    return this.#cells(rowIndex, readers);
  }

  #row(view: SegmentView): RowExpression {
    const { derived, shared } = this.context;
    return { shared, inputs: derived.inputs.map((bound) => this.#input(bound, view)) };
  }

  #input(bound: BoundColumn, view: SegmentView): RowInput {
    const { name, type, decimals } = bound;
    const asList = type === "set" || type === "vector";
    const input = inputColumn(bound, this.segment);
    if (input.kind === "absent") return input;
    if (input.kind === "int" && name === timeColumn) {
      const { times, timeBase } = view;
      return { kind: "int", values: times, base: timeBase, present: 0, overflown: 0, shift: 0 };
    }
    const seen = view.columns.get(name);
    if (input.kind === "int") {
      assert(seen?.kind === "int", "a view changes no column's kind");
      const { values, base, present } = seen;
      const shift = decimals - input.column.decimals;
      return { kind: "int", values, base, present, overflown: input.overflown, shift };
    }
    if (input.kind === "printed") {
      assert(seen?.kind === "int", "a view changes no column's kind");
      return { kind: "string", source: printedSource(seen), asList };
    }
    if (input.kind === "text") {
      assert(seen?.kind === "text", "a view changes no column's kind");
      return { kind: "string", source: stringSourceOf(seen), asList };
    }
    assert(seen?.kind === "coded", "a view changes no column's kind");
    const { values } = seen;
    const { strings } = this.context;
    if (input.dictionary instanceof ListDictionary) {
      return { kind: "lists", values, lengths: strings.lengthsOf(input.dictionary) };
    }
    return { kind: "codes", values, texts: strings.stringsOf(input.dictionary), asList };
  }
}
