import type { Cell } from "../../function/term/cell.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { DeriveTask } from "../task/deriveTask.js";
import type { CellReaders, DerivedSource } from "./derivedColumn.js";

/**
 * A derived column whose code is bound when its values are first read. Values of a product rarely
 * are, because the kernel sums it without them.
 */
export class LateSource implements DerivedSource {
  #made: DerivedSource | null = null;

  readonly #make: () => DerivedSource;

  constructor(make: () => DerivedSource) {
    this.#make = make;
  }

  get width(): DerivedSource["width"] {
    return this.#source().width;
  }

  get base(): bigint {
    return this.#source().base;
  }

  get present(): number {
    return this.#source().present;
  }

  get overflown(): number {
    return this.#source().overflown;
  }

  taskIn(view: SegmentView): DeriveTask {
    return this.#source().taskIn(view);
  }

  cell(rowIndex: number, readers: CellReaders): Cell {
    return this.#source().cell(rowIndex, readers);
  }

  #source(): DerivedSource {
    this.#made ??= this.#make();
    return this.#made;
  }
}
