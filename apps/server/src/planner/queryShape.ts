import type { PlanShape } from "@hadal/sdk";

/** What makes queries cost alike: their kind, and beneath it which columns they read and what they compute. */
export interface QueryShape {
  readonly kind: PlanShape | "rows";
  readonly key: string;
}
