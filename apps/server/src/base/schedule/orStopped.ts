import { HadalError } from "@hadal/sdk";
import type { StopSignal } from "./stopController.js";

/** Waits for work that goes on without whoever stops waiting: rejects with `cancelled` then. */
export async function orStopped<Answer>(
  work: Promise<Answer>,
  signal: StopSignal,
): Promise<Answer> {
  if (signal.aborted) throw new HadalError("cancelled");
  let leave = (): void => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(new HadalError("cancelled"));
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
