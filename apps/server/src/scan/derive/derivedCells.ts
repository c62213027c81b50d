import { fitsInt64, printDecimal, rescale } from "../../column/decimal.js";
import { createEvaluator } from "../../function/evaluate/evaluate.js";
import { type Cell, overflow } from "../../function/term/cell.js";
import type { BoundColumn } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { type CellReaders, DerivedCodes, DerivedInts, DerivedTexts } from "./derivedColumn.js";
import type { DerivedContext } from "./derivedContext.js";
import { cellOfCode, type InputColumn, inputColumn } from "./inputColumn.js";

/**
 * The value of a derived column in one row of a segment, as the main thread reads it: it has all
 * dictionaries.
 */
export type DerivedCells = (rowIndex: number, readers: CellReaders) => Cell;

export function derivedCells(
  { derived, expression }: DerivedContext,
  segment: SegmentView,
): DerivedCells {
  let read: DerivedCells | null = null;
  const prepare = (): DerivedCells => {
    const inputs = derived.inputs.map((bound) => createInput(bound, segment));
    const evaluate = createEvaluator(expression);
    return (rowIndex, readers) => evaluate(inputs.map((input) => input(rowIndex, readers)));
  };
  return (rowIndex, readers) => {
    read ??= prepare();
    return read(rowIndex, readers);
  };
}

function createInput(bound: BoundColumn, segment: SegmentView): DerivedCells {
  const column = segment.columns.get(bound.name);
  if (
    column instanceof DerivedInts ||
    column instanceof DerivedCodes ||
    column instanceof DerivedTexts
  ) {
    return (rowIndex, readers) => column.derived.cell(rowIndex, readers);
  }
  return createStored(bound, inputColumn(bound, segment), segment.rowCount);
}

function createStored(
  { type, decimals }: BoundColumn,
  input: InputColumn,
  rowCount: number,
): DerivedCells {
  const wanted = type === "set" || type === "vector" ? "list" : "string";
  const wrapped = (text: string): Cell => (wanted === "list" ? [text] : text);
  switch (input.kind) {
    case "absent":
      return () => null;
    case "int":
    case "printed": {
      const { column } = input;
      return (rowIndex, { columns }) => {
        if (!columns.isPresent(column.present, rowIndex)) return null;
        const stored = columns.storedInt(column, rowIndex, rowCount);
        if (input.kind === "printed") return wrapped(printDecimal(stored, column.decimals));
        const value = rescale(stored, column.decimals, decimals);
        return fitsInt64(value) ? value : overflow;
      };
    }
    case "coded": {
      const { column, dictionary } = input;
      return (rowIndex, { columns }) => {
        const code = columns.storedCode(column, rowIndex, rowCount);
        return code === 0 ? null : cellOfCode(dictionary, code, wanted);
      };
    }
    case "text": {
      const { column } = input;
      return (rowIndex, { columns, texts }) =>
        columns.isPresent(column.present, rowIndex) ? wrapped(texts.text(column, rowIndex)) : null;
    }
  }
}
