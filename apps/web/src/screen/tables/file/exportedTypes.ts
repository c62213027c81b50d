import { type CsvParameters, HadalError, parseCsvTypes, printCsvTypes } from "@hadal/sdk";
import type { Preview } from "./readPreview.js";
import type { RowFile } from "./rowFile.js";

/** Enough for the comments of a table with ten thousand columns. */
const tailBytes = 1024 * 1024;

/** The column types in the comments after the rows of an export; empty for other files. */
export async function readExportedCsv(
  file: RowFile,
  { format, columns, timeColumn }: Preview,
): Promise<CsvParameters> {
  if (format !== "csv") return {};
  const types = exportedTypes(new TextDecoder().decode(await file.end(tailBytes)));
  // The header may have been edited after the export.
  const known = new Set(columns.map(({ name }) => name));
  const kept = [...types].filter(([name]) => known.has(name) && name !== timeColumn);
  return kept.length === 0 ? {} : { types: printCsvTypes(kept) };
}

function exportedTypes(tail: string): ReturnType<typeof parseCsvTypes> {
  const lines = tail.trimEnd().split(/\r?\n/);
  const first = lines.findLastIndex((line) => !line.startsWith("# ")) + 1;
  const comments = lines.slice(first);
  // Every export has a completeness comment: other files may have comments of another meaning.
  const isOurs = comments.some((line) => line.startsWith("# completeness: "));
  const types = comments.findLast((line) => line.startsWith("# types: "));
  if (!isOurs || types === undefined) return new Map();
  try {
    return parseCsvTypes(types.slice("# types: ".length));
  } catch (error) {
    // An edited comment is ignored: the types come from the rows.
    if (error instanceof HadalError) return new Map();
    throw error;
  }
}
