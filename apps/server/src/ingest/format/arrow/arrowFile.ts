import { brokenArrow } from "./arrowProblems.js";
import { type FlatTable, tableAt } from "./flatTable.js";

const magic = Buffer.from("ARROW1");
/** The magic and what pads it. */
const headBytes = 8;
/** The length of the footer and the magic again. */
const tailBytes = 4 + magic.length;
const blockBytes = 24;

export interface ArrowFooter {
  readonly description: DataView;
  readonly schema: FlatTable;
  /** Positions of the messages in the file, in reading order. */
  readonly dictionaries: readonly bigint[];
  readonly batches: readonly bigint[];
}

export function isArrowFile(bytes: Uint8Array): boolean {
  return magic.equals(bytes.subarray(0, magic.length));
}

//  | "ARROW1" 0 0 | messages … | footer | footer bytes i32 | "ARROW1" |
/** The footer of an Arrow file. Throws RangeError where it points behind its end. */
export function arrowFooter(view: DataView): ArrowFooter {
  const { buffer, byteOffset, byteLength } = view;
  const tailAt = byteLength - tailBytes;
  const tail = new Uint8Array(buffer, byteOffset + Math.max(0, tailAt + 4));
  if (tailAt < headBytes || !magic.equals(tail)) throw brokenArrow("a file that is cut off");
  const footerBytes = view.getInt32(tailAt, true);
  if (footerBytes < 0 || footerBytes > tailAt - headBytes)
    throw brokenArrow("a file without a footer");
  const description = new DataView(buffer, byteOffset + tailAt - footerBytes, footerBytes);
  const footer = tableAt(description, 0);
  const schema = footer.table(1);
  if (schema === null) throw brokenArrow("a file without a schema");
  const offsets = (index: number): bigint[] => {
    const { start, length } = footer.vector(index, blockBytes) ?? { start: 0, length: 0 };
    return Array.from({ length }, (_, i) => description.getBigInt64(start + i * blockBytes, true));
  };
  return { description, schema, dictionaries: offsets(2), batches: offsets(3) };
}
