import { type DerivedColumn, type Expression, type Filter, HadalError } from "@hadal/sdk";
import { parseSql, printSql } from "@hadal/sdk/sql";

/** Loaded on demand: SQL is parsed only in its editor. */

export interface SqlCondition {
  readonly filter: Filter;
  /** Columns that the condition computes. */
  readonly derive: readonly DerivedColumn[];
}

const frame = { table: "t", from: 0, to: 1, sampleView: {} } as const;
const beforeCondition = "SELECT * FROM t WHERE time >= 0 AND time < 1 AND (";

/** `status >= 500 OR message CONTAINS 'x'`. Throws a HadalError whose lines are those of the text. */
export function parseCondition(text: string): SqlCondition {
  const { filter = [], derive = [] } = asWritten(() => parseSql(`${beforeCondition}\n${text}\n)`));
  const [only] = filter;
  return { filter: filter.length === 1 && only !== undefined ? only : { all: filter }, derive };
}

export function printCondition(filter: Filter, derive: readonly DerivedColumn[] = []): string {
  const text = printSql({ ...frame, filter: [filter], ...(derive.length > 0 && { derive }) });
  const marker = "\n  AND time < 1\n  AND ";
  const at = text.indexOf(marker);
  return at < 0 ? "TRUE" : text.slice(at + marker.length);
}

/** `latency_us / 1000`. Throws a HadalError whose lines are those of the text. */
export function parseExpression(text: string): Expression {
  const { derive = [] } = asWritten(() =>
    parseSql(`SELECT * FROM t DERIVE\n${text}\nAS x WHERE time >= 0 AND time < 1`),
  );
  const [column] = derive;
  if (derive.length === 1 && column !== undefined && "expression" in column) {
    return column.expression;
  }
  const detail = "This is no expression of columns.";
  throw new HadalError("invalid-sql", { line: 1, column: 1, detail });
}

export function printExpression(expression: Expression): string {
  const text = printSql({ ...frame, derive: [{ as: "x", expression }] });
  const [start, end] = [text.indexOf("DERIVE ") + "DERIVE ".length, text.lastIndexOf(" AS x\n")];
  return text.slice(start, end);
}

/** The frame's own line is not the reader's. */
function asWritten<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    const parts = error.errors.map((part) =>
      part.line === undefined ? part : { ...part, line: Math.max(1, part.line - 1) },
    );
    const moved = new HadalError(error.code, {}, parts);
    moved.message = parts[0]?.detail ?? error.message;
    throw moved;
  }
}
