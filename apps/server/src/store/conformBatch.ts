import type { BatchColumn, CodedBatchColumn, IntBatchColumn, RowBatch } from "../base/rowBatch.js";
import { printDecimal, rescale } from "../column/decimal.js";
import type { ColumnLayout } from "./openSegment.js";

/** The batch with every column in the type that its table stores, values unchanged in meaning. */
export function conformBatch(
  batch: RowBatch,
  layoutOf: (column: string) => ColumnLayout,
): RowBatch {
  const columns = batch.columns.map((column) => conformColumn(column, layoutOf(column.name)));
  return { ...batch, columns };
}

function conformColumn(column: BatchColumn, layout: ColumnLayout): BatchColumn {
  if (layout.kind === "int") {
    if (column.type !== "int") throw new Error(`column ${column.name} was to be widened`);
    return column.decimals === layout.decimals ? column : rescaleColumn(column, layout.decimals);
  }
  const coded = column.type === "int" ? printColumn(column) : column;
  const type = layout.kind === "text" ? "string" : layout.type;
  if (coded.type === type) return coded;
  const listed = coded.dictionary.map((value) =>
    toList(coded.type === "string" ? [value] : (JSON.parse(value) as string[]), type),
  );
  return { ...coded, type, dictionary: listed };
}

function rescaleColumn(column: IntBatchColumn, decimals: number): IntBatchColumn {
  const values = column.values.map((value) => rescale(value, column.decimals, decimals));
  return { ...column, values, decimals };
}

/** Integers as text; each distinct one once. */
function printColumn(column: IntBatchColumn): CodedBatchColumn {
  const codeOf = new Map<bigint, number>();
  const dictionary: string[] = [];
  const codes = new Uint32Array(column.values.length);
  for (let i = 0; i < codes.length; i++) {
    if (column.present !== null && column.present[i] === 0) continue;
    const value = column.values[i]!;
    let code = codeOf.get(value);
    if (code === undefined) {
      code = dictionary.push(printDecimal(value, column.decimals));
      codeOf.set(value, code);
    }
    codes[i] = code;
  }
  return { name: column.name, type: "string", dictionary, codes };
}

function toList(values: readonly string[], type: "string" | "set" | "vector"): string {
  if (type === "string") throw new Error("a list does not narrow to a string");
  return JSON.stringify(type === "set" ? [...new Set(values)].sort(byCodePoint) : values);
}

/** UTF-8 bytes sort as code points do; UTF-16 units do not. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
