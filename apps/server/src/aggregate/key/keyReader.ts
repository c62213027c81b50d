import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { KeyColumn } from "../partial/partialResult.js";
import { textOfGroup } from "../partial/stringKeys.js";

export type KeptValue = string | number | bigint | null;

/** Keys as they are kept: decimals without their point, times in milliseconds. */
export function keyReader(key: KeyColumn, resolved: ResolvedQuery): (group: number) => KeptValue {
  switch (key.kind) {
    case "bucket": {
      const buckets = resolved.sides[0]?.buckets ?? null;
      const edges = buckets === null ? [] : edgesOfBuckets(buckets);
      return (group) => edges[key.indexes[group]!]!;
    }
    case "int":
      return (group) => (key.present[group] === 0 ? null : key.values[group]!);
    case "string":
      return (group) => textOfGroup(key, group);
  }
}
