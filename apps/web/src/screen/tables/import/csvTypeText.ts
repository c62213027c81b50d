import { type CsvColumnType, type CsvReading, csvDecimals, type PreviewColumn } from "@hadal/sdk";
import { formatExact } from "../../../format/number.js";

export interface TypeOption {
  readonly value: CsvColumnType;
  readonly label: string;
}

/** Offered in addition to the detected or chosen number of digits. */
const decimalsOffered = [2, 6];

/** The types to choose from for a CSV column; null: its type is detected. */
export function typeOptions(
  type: CsvColumnType | null,
  stored: Pick<PreviewColumn, "type" | "decimals">,
): readonly TypeOption[] {
  const chosen = type === null ? null : csvDecimals(type);
  const decimals = new Set([...decimalsOffered, ...(chosen === null ? [] : [chosen])]);
  return [
    { value: "string", label: "text" },
    { value: "number", label: type === "number" ? storedText(stored) : "number" },
    { value: "integer", label: "whole number" },
    ...[...decimals]
      .sort((a, b) => a - b)
      .map((digits) => ({
        value: `decimal(${digits})` as const,
        label: `decimal, ${digits} ${digits === 1 ? "digit" : "digits"}`,
      })),
    { value: "set", label: "set (JSON list)" },
    { value: "vector", label: "vector (JSON list)" },
  ];
}

/** The type that a column is stored as. */
export function storedText({ type, decimals }: Pick<PreviewColumn, "type" | "decimals">): string {
  if (type === "string") return "text";
  if (type === "int") return decimals === 0 ? "integer" : `decimal, ${decimals} digits`;
  return type;
}

interface Finding {
  readonly column: string;
  readonly text: string;
}

/** Why columns stay text, and which texts are missing values. */
export function findingsOf(
  csv: Pick<CsvReading, "columns" | "missing"> | undefined,
): readonly Finding[] {
  const reasons = (csv?.columns ?? []).flatMap(({ name, reason }) =>
    reason === undefined ? [] : [{ column: name, text: `stays text. ${reason}` }],
  );
  const missing = (csv?.missing ?? []).map(({ column, text, count }) => ({
    column,
    text: `“${text}” is missing (${formatExact(count)} ${count === 1 ? "row" : "rows"}).`,
  }));
  return [...reasons, ...missing];
}
