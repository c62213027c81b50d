// Memory that will be read at random is loaded several times as fast in order first: the processor
// prefetches lines.

/** A line of a cache has 64 bytes. */
export const LINE_SHIFT: usize = 6;
export const LINE: usize = 1 << LINE_SHIFT;

/**
 * Loads the cache line of this address. A load may trap, so no compiler removes it although its
 * value is unused.
 */
@inline
export function readLine(at: usize): void {
  load<u64>(at);
}

/** Loads every cache line from `from` on. */
@inline
export function readLines(from: usize, bytes: usize): void {
  const whole = from + (bytes & ~(4 * LINE - 1));
  let at = from;
  for (; at < whole; at += 4 * LINE) {
    load<u64>(at);
    load<u64>(at, LINE);
    load<u64>(at, 2 * LINE);
    load<u64>(at, 3 * LINE);
  }
  for (; at < from + bytes; at += LINE) load<u64>(at);
}
