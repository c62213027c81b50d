import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import type { ScanContext } from "../thread/scanContext.js";
import type { DecodeContext } from "../value/decodeColumns.js";
import { createStringReader, type StringReader } from "../value/stringReader.js";

/** Reads strings of segments on the leaf's main thread. */
export function stringReaderOn({ memory, kernel, scratch }: ScanContext): StringReader {
  const texts = createTextReader(memory.memory, kernel, scratch.pages);
  return createStringReader(createColumnReader(memory.memory), texts);
}

/** What decoding columns on the leaf's main thread needs. */
export function decodeContextOn(context: ScanContext): DecodeContext {
  const { memory, kernel, scratch } = context;
  return { memory: memory.memory, kernel, rows: stringReaderOn(context).rows, scratch };
}
