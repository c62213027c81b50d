import {
  type CsvColumn,
  type CsvColumnType,
  type CsvParameters,
  csvDecimals,
  type PreviewColumn,
  parseCsvTypes,
  printCsvTypes,
  type RowsPreview,
} from "@hadal/sdk";
import { formatExact } from "../../../format/number.js";
import { formatIso } from "../../../format/time.js";
import { Select } from "../../../ui/button/Select.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";

export interface PreviewTableProps {
  readonly preview: RowsPreview;
  readonly timeColumn: string;
  readonly csv: CsvParameters;
  readonly onCsv: (csv: CsvParameters) => void;
}

const rowsShown = 10;
/** Beside the numbers of digits that were found or chosen. */
const decimalsOffered = [2, 6];

/** The first rows as they will be stored. The types of CSV can be chosen. */
export function PreviewTable({ preview, timeColumn, csv, onCsv }: PreviewTableProps) {
  const found = new Map(preview.csv?.columns.map((column) => [column.name, column]));
  const choose = (name: string, type: CsvColumnType): void => {
    const types = new Map(csv.types === undefined ? [] : parseCsvTypes(csv.types));
    onCsv({ ...csv, types: printCsvTypes(types.set(name, type)) });
  };
  const columns = preview.columns.map((column, i): DataColumn<ShownRow> => {
    const { name, type } = column;
    const csvColumn = i === 0 ? undefined : found.get(name);
    return {
      key: `${i} ${name}`,
      head: (
        <span className={styles.previewHead}>
          {i === 0 ? timeColumn : name}
          {csvColumn === undefined ? (
            <i data-time={type === "time"}>{storedText(column)}</i>
          ) : (
            <TypeSelect
              column={csvColumn}
              stored={column}
              onChange={(next) => choose(name, next)}
            />
          )}
        </span>
      ),
      ...(type === "int" ? { align: "right" as const } : {}),
      cell: ({ cells }) => {
        const cell = cells[i];
        const text = i === 0 ? formatIso(Number(cell)) : textOf(cell);
        return (
          <span className={styles.previewCell} title={text}>
            {text}
          </span>
        );
      },
    };
  });
  return (
    <>
      <DataTable
        label="First rows"
        testId="import-preview"
        columns={columns}
        rows={preview.rows.slice(0, rowsShown).map((cells, i) => ({ cells, key: String(i) }))}
        rowKey={({ key }) => key}
        empty="No row of them can be stored."
      />
      <Findings preview={preview} />
    </>
  );
}

interface ShownRow {
  readonly key: string;
  readonly cells: RowsPreview["rows"][number];
}

interface TypeSelectProps {
  readonly column: CsvColumn;
  readonly stored: PreviewColumn;
  readonly onChange: (type: CsvColumnType) => void;
}

function TypeSelect({ column: { name, type }, stored, onChange }: TypeSelectProps) {
  const chosen = type === null ? null : csvDecimals(type);
  const decimals = new Set([...decimalsOffered, ...(chosen === null ? [] : [chosen])]);
  const options: readonly { readonly value: CsvColumnType; readonly label: string }[] = [
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
  return (
    <Select
      label={`Type of ${name}`}
      testId={`type-of-${name}`}
      value={type ?? ""}
      options={type === null ? [{ value: "", label: "as it comes" }, ...options] : options}
      onChange={(value) => {
        const option = options.find((other) => other.value === value);
        if (option !== undefined) onChange(option.value);
      }}
    />
  );
}

/** What a person may have expected otherwise. */
function Findings({ preview: { csv } }: { readonly preview: RowsPreview }) {
  const reasons = (csv?.columns ?? []).flatMap(({ name, reason }) =>
    reason === undefined ? [] : [{ name, text: `stays text. ${reason}` }],
  );
  const missing = (csv?.missing ?? []).map(({ column, text, count }) => ({
    name: column,
    text: `“${text}” is missing (${formatExact(count)} ${count === 1 ? "row" : "rows"}).`,
  }));
  const all = [...reasons, ...missing];
  if (all.length === 0) return null;
  return (
    <ul className={styles.findings} data-testid="import-findings">
      {all.map(({ name, text }) => (
        <li key={`${name} ${text}`}>
          <b>{name}</b> {text}
        </li>
      ))}
    </ul>
  );
}

function storedText({ type, decimals }: PreviewColumn): string {
  if (type === "string") return "text";
  if (type === "int") return decimals === 0 ? "integer" : `decimal, ${decimals} digits`;
  return type;
}

function textOf(cell: RowsPreview["rows"][number][number] | undefined): string {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
