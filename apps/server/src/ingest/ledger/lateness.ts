import { type MinuteRows, minuteMs } from "./minuteCounts.js";

const windowMs = 60_000;
/** Rows that are later are of another time: a backfill says nothing of those that come as they happen. */
const backfillMs = 3_600_000;

interface LateWindow {
  readonly startMs: number;
  readonly mostMs: number;
  /** In the window before. */
  readonly beforeMs: number;
}

/** How late the rows of tables come, in the last minute or two. */
export class Lateness {
  readonly #tables = new Map<string, LateWindow>();

  /** A batch is stored that came at `atMs`. */
  note(table: string, atMs: number, { minutes }: MinuteRows): void {
    const [first] = minutes;
    const lateMs = first === undefined ? 0 : atMs - first * minuteMs;
    if (lateMs <= 0 || lateMs > backfillMs) return;
    const window = this.#at(table, atMs);
    this.#tables.set(table, { ...window, mostMs: Math.max(window.mostMs, lateMs) });
  }

  /** The most by which a row was late, rounded up by a minute at most; 0: none came. */
  of(table: string, nowMs: number): number {
    const { mostMs, beforeMs } = this.#at(table, nowMs);
    return Math.max(mostMs, beforeMs);
  }

  #at(table: string, nowMs: number): LateWindow {
    const startMs = Math.floor(nowMs / windowMs) * windowMs;
    const known = this.#tables.get(table);
    if (known?.startMs === startMs) return known;
    const isNext = known?.startMs === startMs - windowMs;
    return { startMs, mostMs: 0, beforeMs: isNext ? known.mostMs : 0 };
  }
}
