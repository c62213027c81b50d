import { rowTable } from "../../kit/picture/rowTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";
import { columnsOfRows } from "./columnsOfRows.js";

export const drawRows: DrawView = ({ input, options, theme }) => {
  const { result, timeZone, message = null } = input;
  const { shown } = columnsOfRows(result, { timeZone, message, columns: options.columns });
  return { table: rowTable({ result, timeZone, theme, shown }) };
};
