import { useMemo } from "react";
import { type GroupTotal, totalsOfResult } from "../answer/totals.js";
import { useHeldOrder } from "./useHeldOrder.js";
import type { ViewProps } from "./viewProps.js";

/** The groups of an answer that is not split by time, in an order that holds while parts arrive. */
export function useGroups({ input, questionKey }: ViewProps): readonly GroupTotal[] {
  const totals = useMemo(() => totalsOfResult(input.result, input), [input]);
  return useHeldOrder(totals, questionKey, input.result.final);
}
