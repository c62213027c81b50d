export { adviceOnFunction, sqlFunctions } from "./lang/functions.js";
export { printName, sqlKeywords } from "./lang/names.js";
export { printSql } from "./lang/printSql.js";
export { parseSql, readSql, type SqlQuery } from "./lang/readSql.js";
export {
  sqlDepthMax,
  sqlNumberUnitsMax,
  sqlUnitsMax,
  sqlValuesMax,
  sqlWordsMax,
} from "./lang/scanText.js";
