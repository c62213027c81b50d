import { everyMsMin, type HadalClient, HadalError, type Result } from "@hadal/sdk";
import type { QueryInput } from "./queryInput.js";

/** Repeats the query until the signal ends it; prints final answers only, in order. */
export async function watchQuery(
  client: HadalClient,
  { query, explain }: QueryInput,
  { everyMs, signal }: { readonly everyMs: number; readonly signal: AbortSignal },
  print: (result: Result) => Promise<void>,
): Promise<void> {
  if (everyMs < everyMsMin) {
    const detail = `--watch asks at most every ${everyMsMin} ms.`;
    throw new HadalError("bad-request", { detail });
  }
  try {
    for await (const result of client.live(query, { everyMs, signal })) {
      if (result.final) await print(result);
    }
  } catch (error) {
    throw explain(error);
  }
}
