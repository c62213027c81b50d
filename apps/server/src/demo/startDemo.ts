import type { HadalClient } from "@hadal/sdk";
import type { DemoClock } from "./demoClock.js";
import { type DemoSize, demoSize, historyRowsDefault } from "./demoSize.js";
import { RequestWriter, rowsPerSecond, unthinned } from "./requests/requestWriter.js";
import { SliceSender } from "./sliceSender.js";
import { emptyHours, floorTo, type Slice, sliceTime } from "./slices.js";

export interface DemoProgress {
  readonly table: string;
  /** Rows sent by this run so far. */
  readonly rows: number;
  /** Share of the missing history that is loaded, 0 to 1. */
  readonly fraction: number;
}

export interface DemoOptions {
  readonly client: HadalClient;
  readonly clock: DemoClock;
  readonly seed?: number;
  /** About how many rows the history has. */
  readonly historyRows?: number;
  readonly onProgress?: (progress: DemoProgress) => void;
}

export interface Demo {
  /** Resolves when the history is loaded; rejects when it cannot be. */
  readonly ready: Promise<void>;
  /** Resolves after `stop`; rejects when the server refuses rows for good. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

export const demoTable = "requests";

const seedDefault = 7_400;
const secondMs = 1_000;
const hourMs = 3_600_000;
/** Enough that generating, parsing and storing overlap; each holds a slice in memory. */
const slicesInFlight = 3;

/** Brings the table up to now, from what the server already has, then adds rows every second until stopped, while older history is written. */
export function startDemo(options: DemoOptions): Demo {
  const stopping = new AbortController();
  const feed = new DemoFeed(options, stopping.signal);
  const recent = feed.fillRecent();
  const ready = recent.then(() => feed.fillHours());
  const live = recent.then(() => feed.live());
  const done = Promise.all([ready, live]).then(() => undefined);
  // A caller that waits for `ready` alone gets the failure there.
  done.catch(() => {});
  return {
    ready,
    done,
    stop: async () => {
      stopping.abort();
      await done.catch(() => {});
    },
  };
}

class DemoFeed {
  readonly #options: DemoOptions;
  readonly #signal: AbortSignal;
  readonly #size: DemoSize;
  readonly #sender: SliceSender;
  readonly #dense: RequestWriter;
  readonly #thin: RequestWriter;
  #rowsFilled = 0;
  #rowsExpected = 0;
  #expectedDone = 0;
  /** Of history that is still to be written. */
  #hours: readonly Slice[] = [];
  /** Everything before this is stored. */
  #filledToMs = 0;

  constructor(options: DemoOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const seed = options.seed ?? seedDefault;
    this.#size = demoSize(options.historyRows ?? historyRowsDefault);
    this.#dense = new RequestWriter(seed, unthinned);
    this.#thin = new RequestWriter(seed, this.#size.thinning);
    this.#sender = new SliceSender({
      client: options.client,
      clock: options.clock,
      table: demoTable,
      seed,
      signal,
    });
  }

  /**
   * The newest stretch first, in order, so that its newest row says how far an interrupted fill came; parts of hours
   * before it, since hours that are empty are all that is found later. Resolves when live rows may follow.
   */
  async fillRecent(): Promise<void> {
    const toMs = floorTo(this.#options.clock.now(), secondMs);
    const slices = await this.#missingSlices(toMs);
    this.#rowsExpected = slices.reduce((sum, slice) => sum + this.#expectedRows(slice), 0);
    const isHour = ({ fromMs, toMs: endMs, isDense }: Slice): boolean =>
      !isDense && endMs - fromMs === hourMs;
    await sendAll(
      slices.filter((slice) => !isHour(slice)),
      1,
      (slice) => this.#fillSlice(slice),
    );
    this.#hours = slices.filter(isHour).reverse();
    this.#filledToMs = toMs;
  }

  /** Whole hours before it, the newest first, several at a time. */
  async fillHours(): Promise<void> {
    await sendAll(this.#hours, slicesInFlight, (slice) => this.#fillSlice(slice));
  }

  async #fillSlice(slice: Slice): Promise<void> {
    this.#rowsFilled += await this.#send(slice);
    this.#expectedDone += this.#expectedRows(slice);
    this.#options.onProgress?.({
      table: demoTable,
      rows: this.#rowsFilled,
      fraction: this.#expectedDone / this.#rowsExpected,
    });
  }

  /** Once a second the seconds that have passed; after a sleep of the machine, all that were missed. */
  async live(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#signal.aborted) {
      const toMs = floorTo(clock.now(), secondMs);
      if (toMs > this.#filledToMs) {
        for (const slice of sliceTime(this.#filledToMs, toMs, this.#size)) {
          if (this.#signal.aborted) return;
          await this.#send(slice);
        }
        this.#filledToMs = toMs;
      }
      await clock.sleep(secondMs - (clock.now() % secondMs), this.#signal);
    }
  }

  /** How many rows it had. */
  async #send(slice: Slice): Promise<number> {
    const writer = slice.isDense ? this.#dense : this.#thin;
    const { ndjson, rows } = writer.write(slice.fromMs, slice.toMs);
    if (rows > 0) await this.#sender.send(slice, ndjson, rows);
    return rows;
  }

  #expectedRows({ fromMs, toMs, isDense }: Slice): number {
    return (rowsPerSecond(isDense ? unthinned : this.#size.thinning) * (toMs - fromMs)) / secondMs;
  }

  /** From the newest stored row on; and hours before it that are empty because a fill was interrupted. */
  async #missingSlices(toMs: number): Promise<Slice[]> {
    const historyFromMs = floorTo(toMs - this.#size.historyMs, hourMs);
    const tables = await this.#options.client.tables();
    const newestMs = tables.find(({ name }) => name === demoTable)?.toMs ?? null;
    if (newestMs === null) return sliceTime(historyFromMs, toMs, this.#size);
    // Rows of one second travel together: the newest second is whole.
    const storedToMs = floorTo(newestMs, secondMs) + secondMs;
    const fromMs = Math.max(storedToMs, historyFromMs);
    const holes = await this.#holes(historyFromMs, Math.min(fromMs, toMs));
    return [...holes, ...sliceTime(fromMs, Math.max(fromMs, toMs), this.#size)];
  }

  async #holes(fromMs: number, toMs: number): Promise<Slice[]> {
    if (fromMs >= toMs) return [];
    const result = await this.#options.client.query({
      table: demoTable,
      from: fromMs,
      to: toMs,
      groupBy: [{ time: "1h" }],
      aggregates: [{ fn: "count.raw", as: "rows" }],
      exact: true,
      timeoutMs: 60_000,
    });
    const rowsAt = result.columns.findIndex(({ name }) => name === "rows");
    const filled = result.rows.filter((row) => Number(row[rowsAt]) > 0);
    return emptyHours(fromMs, toMs, new Set(filled.map((row) => Number(row[0]))));
  }
}

/** Sends slices in order, at most `inFlight` at a time; the first failure ends it. */
async function sendAll(
  slices: readonly Slice[],
  inFlight: number,
  send: (slice: Slice) => Promise<void>,
): Promise<void> {
  const left = slices.values();
  const sendNext = async (): Promise<void> => {
    for (const slice of left) await send(slice);
  };
  await Promise.all(Array.from({ length: inFlight }, sendNext));
}
