import type { GroupValue } from "./windowAnswer.js";

/** What is said of one group in one window. */
export type Verdict = GroupValue & {
  /** What it was compared with; absent: nothing. */
  readonly compared?: number | null;
} & (
    | { readonly kind: "breach" }
    /** `held`: it would be a breach, but the difference lies within its error bars. */
    | { readonly kind: "fine"; readonly held?: true }
    | { readonly kind: "unknown"; readonly reason: string }
  );
