import { type HadalClient, HadalError } from "@hadal/sdk";
import type { DemoClock } from "./demoClock.js";
import type { Slice } from "./slices.js";

export interface SliceSenderOptions {
  readonly client: HadalClient;
  readonly clock: DemoClock;
  readonly table: string;
  /** Part of every idempotency key: the same slice of the same seed is the same batch. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

const retryFirstMs = 250;
const retryLastMs = 5_000;

/** Sends one slice as one batch until the server has it on disk; gives up only on a refusal that a retry cannot mend. */
export class SliceSender {
  readonly #options: SliceSenderOptions;

  constructor(options: SliceSenderOptions) {
    this.#options = options;
  }

  async send(slice: Slice, ndjson: Uint8Array, rows: number): Promise<void> {
    const { client, clock, table, signal } = this.#options;
    for (let waitMs = retryFirstMs; ; waitMs = Math.min(waitMs * 2, retryLastMs)) {
      signal.throwIfAborted();
      try {
        const reply = await client.ingestBody(table, ndjson, {
          contentType: "application/x-ndjson",
          idempotencyKey: this.#keyOf(slice, rows),
          ack: "durable",
          signal,
        });
        if (reply.accepted !== rows) throw new Error(refusalText(rows, reply));
        return;
      } catch (error) {
        if (!(error instanceof HadalError) || !error.retry) throw error;
        await clock.sleep(waitMs, signal);
      }
    }
  }

  #keyOf({ fromMs, toMs }: Slice, rows: number): string {
    return `demo-${this.#options.table}-${this.#options.seed}-${fromMs}-${toMs}-${rows}`;
  }
}

function refusalText(
  rows: number,
  reply: { readonly accepted: number; readonly problems: readonly { readonly detail: string }[] },
): string {
  const first = reply.problems[0]?.detail ?? "no reason given";
  return `the server took ${reply.accepted} of ${rows} demo rows: ${first}`;
}
