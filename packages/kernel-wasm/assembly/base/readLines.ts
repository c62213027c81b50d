// Memory that is about to be read here and there is fetched several times as fast one line after the other: the processor sees
// what comes next.

/** A line of a cache has 64 bytes. */
export const LINE_SHIFT: usize = 6;
export const LINE: usize = 1 << LINE_SHIFT;

/** Has the line of this address in the cache. A load may trap, so that no compiler leaves it out, whatever becomes of its value. */
@inline
export function readLine(at: usize): void {
  load<u64>(at);
}

/** Has every line from `from` on in the cache. */
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
