import { HadalError } from "@hadal/sdk";

export interface ExceededQuota {
  /** The name of the setting. */
  readonly limitName: string;
  /** What the limit allows, without a full stop at the end. */
  readonly detail: string;
  /** When a request may succeed again. */
  readonly retryAfterMs: number;
}

/** The problem `quota-exceeded`; its members are the limit's name and the wait. */
export function quotaExceeded({ limitName, detail, retryAfterMs }: ExceededQuota): HadalError {
  return new HadalError("quota-exceeded", { detail, limitName }, [], { limitName, retryAfterMs });
}
