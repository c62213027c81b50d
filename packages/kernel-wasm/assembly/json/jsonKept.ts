// Texts that their entries in a table of texts do not hold whole, one behind the other: what they were read from is
// overwritten before the table is given up.

/** Where the next one goes; until it does, whoever needs room may write there. Every thread has its own instance of this. */
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
