import { open } from "node:fs/promises";
import {
  type Data,
  Dictionary,
  Int32,
  type Int64,
  makeData,
  makeVector,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { printLines, type SentColumn, type SentTable } from "./sentTable.js";

/** One request: rows [first, first + count), bytes [from, to) of the file of lines. */
export interface Cut {
  readonly first: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

export async function writeLines(path: string, table: SentTable): Promise<readonly Cut[]> {
  const file = await open(path, "w");
  const cuts: Cut[] = [];
  let from = 0;
  for (let first = 0; first < table.rowCount; first += table.bodyRows) {
    const count = Math.min(table.bodyRows, table.rowCount - first);
    const bytes = Buffer.from(printLines(table, first, count));
    await file.write(bytes);
    const to = from + bytes.length;
    cuts.push({ first, count, from, to });
    from = to;
  }
  await file.close();
  return cuts;
}

/** Strings as dictionaries, as collectors send them. */
export function printArrow(columns: readonly SentColumn[]): Uint8Array {
  const vectors = columns.map((column) => [column.name, vectorOf(column)] as const);
  return tableToIPC(new Table(Object.fromEntries(vectors)), "stream");
}

function vectorOf(column: SentColumn): Vector {
  if (column.type === "int") {
    if (column.name === "time")
      return makeVector(
        BigInt64Array.from({ length: column.values.length }, (_, i) => BigInt(column.values[i]!)),
      ) as Vector<Int64>;
    return makeVector(Int32Array.from(column.values)) as Vector<Int32>;
  }
  const codeOf = new Map<string, number>();
  const codes = Int32Array.from(column.values, (text) => {
    const code = codeOf.get(text) ?? codeOf.size;
    codeOf.set(text, code);
    return code;
  });
  const dictionary = vectorFromArray([...codeOf.keys()], new Utf8());
  const type = new Dictionary(dictionary.type, new Int32());
  const data: Data<Dictionary<Utf8, Int32>> = makeData({
    type,
    length: codes.length,
    data: codes,
    dictionary,
  });
  return makeVector(data);
}
