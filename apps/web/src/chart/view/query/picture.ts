import { rowTable } from "../../kit/picture/rowTable.js";
import type { DrawView } from "../../kit/picture/viewPicture.js";

export const drawAnswer: DrawView = ({ input, theme }) => ({
  table: rowTable({ ...input, theme }),
});
