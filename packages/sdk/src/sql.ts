export { adviceOnFunction, sqlFunctions } from "./lang/base/functions.js";
export { printName, sqlKeywords } from "./lang/base/names.js";
export {
  sqlDepthMax,
  sqlNumberUnitsMax,
  sqlUnitsMax,
  sqlValuesMax,
  sqlWordsMax,
} from "./lang/parse/scanText.js";
export { printSql } from "./lang/printSql.js";
export { parseSql, readSql, type SqlQuery } from "./lang/readSql.js";
