import { HadalError } from "@hadal/sdk";
import { columnOfPlace } from "../../column/columnPlace.js";
import { printDecimal } from "../../column/decimal.js";
import { type ColumnReader, createColumnReader } from "../../column/readColumn.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import { createTextReader, pageScratchBytes, type TextReader } from "../../column/textReader.js";
import type { StoredSegment } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";

/** The value of one column in a row, the same text however it is stored; null: it is missing. */
export type KeyText = (row: number) => string | null;

export interface KeyTexts {
  readonly of: (column: string) => KeyText;
  /** Gives the memory back that reading took. */
  close(): void;
}

/** Reads single values of a segment as texts. Throws `storage-full` without memory to read in. */
export function openKeyTexts(segment: StoredSegment, context: TableContext): KeyTexts {
  const { memory, kernel } = context;
  const values = createColumnReader(memory.memory);
  let scratch: number | null = null;
  let texts: TextReader | null = null;
  const openTexts = (): TextReader => {
    if (texts !== null) return texts;
    scratch = memory.store.allocate(pageScratchBytes);
    if (scratch === null) {
      const detail = "rows are thinned later: there is no room to read them";
      throw new HadalError("storage-full", { leaf: "", detail });
    }
    texts = createTextReader(memory.memory, kernel, [{ address: scratch, holder: null }]);
    return texts;
  };
  return {
    of: (column) => {
      const forms = [...segment.columns]
        .filter(([place]) => columnOfPlace(place) === column)
        .map(([, form]) =>
          form.kind === "text"
            ? textOf(form, openTexts(), values)
            : cellText(form, segment.rowCount, values),
        );
      const [only] = forms;
      if (forms.length === 1 && only !== undefined) return only;
      return (row) => firstText(forms, row);
    },
    close: () => {
      if (scratch !== null) memory.store.release(scratch);
    },
  };
}

/** A row has a value in one of the forms of a column. */
function firstText(forms: readonly KeyText[], row: number): string | null {
  for (const form of forms) {
    const text = form(row);
    if (text !== null) return text;
  }
  return null;
}

type TextForm = Extract<SegmentColumn, { kind: "text" }>;

const textOf =
  (column: TextForm, texts: TextReader, values: ColumnReader): KeyText =>
  (row) =>
    values.isPresent(column.present, row) ? texts.text(column, row) : null;

function cellText(
  column: Exclude<SegmentColumn, TextForm>,
  rowCount: number,
  values: ColumnReader,
): KeyText {
  if (column.kind === "int") {
    return (row) =>
      values.isPresent(column.present, row)
        ? printDecimal(values.storedInt(column, row, rowCount), column.decimals)
        : null;
  }
  // A few values mostly repeat.
  const known = new Map<number, string>();
  return (row) => {
    const code = values.storedCode(column, row, rowCount);
    if (code === 0) return null;
    const text = known.get(code) ?? column.dictionary.valueOf(code);
    known.set(code, text);
    return text;
  };
}
