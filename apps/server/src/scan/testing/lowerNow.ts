import { type LoweredQuery, lowerQuery } from "../lower/lowerQuery.js";

/** Lowers a query without a turn for anything else. */
export function lowerNow(...asked: Parameters<typeof lowerQuery>): LoweredQuery {
  const steps = lowerQuery(...asked);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
