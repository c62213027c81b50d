import { type CsvParameters, HadalError, parseCsvTypes, printCsvTypes } from "@hadal/sdk";
import type { Preview } from "./readPreview.js";
import type { RowFile } from "./rowFile.js";

/** Comments of a table of ten thousand columns. */
const tailBytes = 1024 * 1024;

/** How a file that Hadal exported says, behind its rows, that it is read; of another file nothing. */
export async function readExportedCsv(
  file: RowFile,
  { format, columns, timeColumn }: Preview,
): Promise<CsvParameters> {
  if (format !== "csv") return {};
  const types = exportedTypes(new TextDecoder().decode(await file.end(tailBytes)));
  // The header may have been edited since.
  const known = new Set(columns.map(({ name }) => name));
  const kept = [...types].filter(([name]) => known.has(name) && name !== timeColumn);
  return kept.length === 0 ? {} : { types: printCsvTypes(kept) };
}

function exportedTypes(tail: string): ReturnType<typeof parseCsvTypes> {
  const lines = tail.trimEnd().split(/\r?\n/);
  const first = lines.findLastIndex((line) => !line.startsWith("# ")) + 1;
  const comments = lines.slice(first);
  // Without its completeness it is no answer of Hadal, and its comments are not ours to read.
  const isOurs = comments.some((line) => line.startsWith("# completeness: "));
  const types = comments.findLast((line) => line.startsWith("# types: "));
  if (!isOurs || types === undefined) return new Map();
  try {
    return parseCsvTypes(types.slice("# types: ".length));
  } catch (error) {
    // Broken by hand: the types are found by the rows, as without them.
    if (error instanceof HadalError) return new Map();
    throw error;
  }
}
