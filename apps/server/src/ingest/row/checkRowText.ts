import { columnsMax } from "../../base/row/rowBatch.js";
import { RowRejected } from "../value/rowRejected.js";

/** Shorter rows are always read fast. */
const shortUnits = 65_536;
/**
 * Values of one row, with the elements of its lists: reading more would delay all other requests.
 */
export const rowValuesMax = 100_000;

/**
 * Refuses a row of JSON with too many names or values to read them quickly, before any is read.
 */
export function checkRowText(text: string): void {
  if (text.length < shortUnits) return;
  let names = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) isText = !isText;
    else if (isText) {
      if (unit === 0x5c) at++;
    } else if (unit === 0x2c) values++;
    else if (unit === 0x3a) names++;
  }
  // As many as there are columns, and one for each object within the row.
  if (names > 2 * columnsMax)
    throw new RowRejected(
      "too-many-columns",
      `The row has ${names} names; at most ${columnsMax} columns (columnsMax).`,
    );
  if (values > rowValuesMax)
    throw new RowRejected(
      "row-too-long",
      `The row has ${values} values; at most ${rowValuesMax} (rowValuesMax).`,
    );
}
