/**
 * Entry `@hadal/sdk/builder`: writes queries step by step. Apart from the client, which takes the
 * plain object.
 */
export type { NumberCell } from "./model/builder/aggregateBuilder.js";
export {
  avg,
  count,
  distinct,
  histogram,
  max,
  min,
  NamedAggregate,
  percentile,
  stddev,
  sum,
} from "./model/builder/aggregateBuilder.js";
export { allOf, anyOf, col, FilterColumn, not } from "./model/builder/filterBuilder.js";
export type { RowObject } from "./model/builder/queryBuilder.js";
export {
  bucket,
  element,
  every,
  from,
  QueryBuilder,
  rowObjects,
} from "./model/builder/queryBuilder.js";
