/** Entry `@hadal/sdk/builder`: writes queries step by step. Apart from the client, which takes the plain object. */
export type { NumberCell } from "./model/aggregateBuilder.js";
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
} from "./model/aggregateBuilder.js";
export { allOf, anyOf, col, FilterColumn, not } from "./model/filterBuilder.js";
export type { RowObject } from "./model/queryBuilder.js";
export { bucket, element, every, from, QueryBuilder, rowObjects } from "./model/queryBuilder.js";
