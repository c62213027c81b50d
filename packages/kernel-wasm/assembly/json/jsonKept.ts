// Texts that are too long for their entries in a table of texts, one after the other: their source
// is overwritten while the table is still in use.

/**
 * Where the next text goes; until then the room after it is scratch. Each thread's instance has its
 * own.
 */
export let keptEnd: usize = 0;

export function keepFrom(at: usize): void {
  keptEnd = at;
}

/** Returns where the text is kept, and maybe 15 bytes more. It may be there already. */
export function keepText(start: usize, end: usize): usize {
  const at = keptEnd;
  const length = end - start;
  if (start != at) for (let i: usize = 0; i < length; i += 16) v128.store(at + i, v128.load(start + i));
  keptEnd = at + length;
  return at;
}
