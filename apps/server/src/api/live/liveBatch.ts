import { StopController } from "../../base/schedule/stopController.js";
import type { BatchFrame, BatchTile } from "./clientFrame.js";
import type { OutgoingFrame } from "./frameOutlet.js";

/** The number of tiles that run at once. The others wait: those that come into view go first. */
const tilesAtOnce = 16;
/** The next tiles begin together when no more than this run: tiles that begin together share scans. */
const tilesLeft = tilesAtOnce / 2;

/** A query of a tile that can be read. */
export interface TileQuestion {
  readonly tile: string;
  readonly query: unknown;
  readonly controller: StopController;
  readonly onPartial: (frame: OutgoingFrame) => void;
}

export interface LiveBatchOptions {
  readonly frame: BatchFrame;
  /** Begins a round of answers. Returns what runs one tile's query to the last frame of its answer. */
  readonly beginRound: () => (question: TileQuestion) => Promise<OutgoingFrame>;
  readonly problemOf: (tile: string, error: unknown) => OutgoingFrame;
  /** `sent`: called when the frame is on its way. */
  readonly push: (frame: OutgoingFrame, sent?: () => void) => void;
  /** Every tile is answered, and the batch is not asked again. */
  readonly onEnd: () => void;
}

/** The tiles of a board: asked in the order of their priority, some at a time, and all again after `everyMs`. */
export class LiveBatch {
  readonly #options: LiveBatchOptions;
  readonly #running = new Map<string, StopController>();
  #ask: (question: TileQuestion) => Promise<OutgoingFrame>;
  #waiting: BatchTile[] = [];
  #order: readonly string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(options: LiveBatchOptions) {
    this.#options = options;
    this.#ask = options.beginRound();
    this.#begin();
  }

  /** These tiles go first from now on, in this order. */
  prioritize(tiles: readonly string[]): void {
    this.#order = tiles;
    this.#sort();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waiting = [];
    for (const controller of this.#running.values()) controller.abort();
  }

  #beginAgain(): void {
    this.#ask = this.#options.beginRound();
    this.#begin();
  }

  #begin(): void {
    this.#waiting = [...this.#options.frame.tiles];
    this.#sort();
    this.#fill();
  }

  #sort(): void {
    const place = new Map(this.#order.map((tile, i) => [tile, i]));
    const placeOf = ({ tile }: BatchTile): number => place.get(tile) ?? this.#order.length;
    this.#waiting.sort((a, b) => placeOf(a) - placeOf(b));
  }

  #fill(): void {
    if (this.#running.size > tilesLeft) return;
    while (this.#running.size < tilesAtOnce) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      void this.#run(next);
    }
  }

  async #run({ tile, asked }: BatchTile): Promise<void> {
    const { problemOf, push } = this.#options;
    const controller = new StopController();
    this.#running.set(tile, controller);
    const onPartial = (frame: OutgoingFrame): void => {
      if (!this.#isStopped) push(frame);
    };
    let last: OutgoingFrame;
    try {
      if ("error" in asked) throw asked.error;
      last = await this.#ask({ tile, query: asked.query, controller, onPartial }).catch((error) => {
        throw asked.explain(error);
      });
    } catch (error) {
      last = problemOf(tile, error);
    }
    if (this.#isStopped) return;
    // A tile's place is free when its answer is sent, so that a slow reader causes no more work.
    push(last, () => this.#finish(tile));
  }

  #finish(tile: string): void {
    if (this.#isStopped) return;
    this.#running.delete(tile);
    this.#fill();
    if (this.#running.size > 0) return;
    const { frame, onEnd } = this.#options;
    if (frame.everyMs === null) onEnd();
    else this.#timer = setTimeout(() => this.#beginAgain(), frame.everyMs);
  }
}
