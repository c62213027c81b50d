import type { Having } from "@hadal/sdk";
import { decimalOf } from "../naive/naiveHaving.js";
import type { AnswerColumn } from "../query/answer.js";
import { sqlString } from "./duckdbTable.js";

/** Conditions on the columns o0 … oN, whose exact numbers have no point. */
export function havingSql(having: readonly Having[], columns: readonly AnswerColumn[]): string {
  const terms = having.map(({ column, op, value }) => {
    const index = columns.findIndex(({ name }) => name === column);
    if (op === "is missing") return `o${index} IS NULL`;
    if (op === "is present") return `o${index} IS NOT NULL`;
    if (typeof value === "string" && !/^-?\d+(\.\d+)?$/.test(value)) {
      return `o${index} ${op} ${sqlString(value)}`;
    }
    const { digits, scale } = decimalOf(value ?? 0);
    const unit = 10n ** BigInt(columns[index]?.decimals ?? 0);
    // Floats are kept with their point already.
    const exact = `o${index}::HUGEINT * ${10n ** BigInt(scale)} ${op} (${digits * unit})::HUGEINT`;
    const float = `o${index}::DOUBLE ${op} (${value})::DOUBLE`;
    return `CASE WHEN typeof(o${index}) = 'DOUBLE' THEN ${float} ELSE ${exact} END`;
  });
  return terms.length === 0 ? "TRUE" : terms.join(" AND ");
}
