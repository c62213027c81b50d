import {
  type CsvColumn,
  type CsvColumnType,
  type CsvParameters,
  type PreviewColumn,
  parseCsvTypes,
  printCsvTypes,
  type RowsPreview,
} from "@hadal/sdk";
import { formatIso } from "../../../format/time.js";
import { Select } from "../../../ui/button/Select.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import { findingsOf, storedText, typeOptions } from "./csvTypeText.js";

export interface PreviewTableProps {
  readonly preview: RowsPreview;
  readonly timeColumn: string;
  readonly csv: CsvParameters;
  readonly onCsv: (csv: CsvParameters) => void;
}

const rowsShown = 10;

/** The first rows as they will be stored; the types of CSV columns can be chosen. */
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
        empty="None of these rows can be stored."
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
  const options = typeOptions(type, stored);
  return (
    <Select
      label={`Type of ${name}`}
      testId={`type-of-${name}`}
      value={type ?? ""}
      options={type === null ? [{ value: "", label: "automatic" }, ...options] : options}
      onChange={(value) => {
        const option = options.find((other) => other.value === value);
        if (option !== undefined) onChange(option.value);
      }}
    />
  );
}

/** Notes on columns that may be read differently than expected. */
function Findings({ preview: { csv } }: { readonly preview: RowsPreview }) {
  const findings = findingsOf(csv);
  if (findings.length === 0) return null;
  return (
    <ul className={styles.findings} data-testid="import-findings">
      {findings.map(({ column, text }) => (
        <li key={`${column} ${text}`}>
          <b>{column}</b> {text}
        </li>
      ))}
    </ul>
  );
}

function textOf(cell: RowsPreview["rows"][number][number] | undefined): string {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
