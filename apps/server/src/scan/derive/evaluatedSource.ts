import type { Cell } from "../../function/term/cell.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { EvaluatedDerive, EvaluatedSource, RowExpression } from "../task/deriveTask.js";
import { type DerivedCells, derivedCells } from "./derivedCells.js";
import type { CellReaders, DerivedSource } from "./derivedColumn.js";
import type { DerivedContext } from "./derivedContext.js";
import { rowInputOf } from "./rowInput.js";

/** A derived column of a segment that has to be evaluated row by row, on the scan thread. */
export class EvaluatedColumnSource implements DerivedSource {
  readonly width: 0 | 8;
  readonly base = 0n;
  readonly present: number;
  readonly overflown: number;
  readonly #cells: DerivedCells;

  readonly #context: DerivedContext;
  readonly #segment: SegmentView;

  constructor(context: DerivedContext, segment: SegmentView) {
    this.#context = context;
    this.#segment = segment;
    this.width = context.derived.type === "int" ? 8 : 0;
    this.present = context.memory.bitmap(segment.rowCount);
    this.overflown = context.memory.bitmap(segment.rowCount);
    this.#cells = derivedCells(context, segment);
  }

  taskIn(view: SegmentView): EvaluatedDerive {
    const { present, overflown } = this;
    const row = this.#row(view);
    return { kind: "evaluated", column: this.#context.name, row, present, overflown };
  }

  sourceIn(view: SegmentView): EvaluatedSource {
    return { kind: "evaluated", column: this.#context.name, row: this.#row(view), present: 0 };
  }

  cell(rowIndex: number, readers: CellReaders): Cell {
    return this.#cells(rowIndex, readers);
  }

  #row(view: SegmentView): RowExpression {
    const { derived, shared, strings } = this.#context;
    const inputs = derived.inputs.map((bound) => rowInputOf(bound, this.#segment, view, strings));
    return { shared, inputs };
  }
}
