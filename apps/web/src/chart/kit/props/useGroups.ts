import { useMemo } from "react";
import { type GroupTotal, totalsOfResult } from "../answer/totals.js";
import { useHeldOrder } from "./useHeldOrder.js";
import type { ViewProps } from "./viewProps.js";

/**
 * The groups of a result without time buckets, in an order that does not change while parts arrive.
 */
export function useGroups({ input, questionKey }: ViewProps): readonly GroupTotal[] {
  const totals = useMemo(() => totalsOfResult(input.result, input), [input]);
  return useHeldOrder(totals, { key: questionKey, final: input.result.final });
}
