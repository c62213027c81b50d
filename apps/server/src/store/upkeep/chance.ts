/** From 0 to below 1, evenly: the finalizer of MurmurHash3 over the numbers. */
export function chance(...numbers: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const number of numbers) hash = mixed(hash ^ (number >>> 0));
  return (hash >>> 0) / 2 ** 32;
}

/** The same of a text, for each salt another one; in 53 bits, as one of a million has to be exact. */
export function chanceOfText(salt: string, text: string): number {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15;
  for (const part of [salt, text]) {
    for (let i = 0; i < part.length; i++) {
      const unit = part.charCodeAt(i);
      high = Math.imul(high ^ unit, 0x85ebca6b);
      low = Math.imul(low ^ unit, 0xc2b2ae35);
      high ^= high >>> 15;
      low ^= low >>> 13;
    }
    high = mixed(high ^ part.length);
    low = mixed(low ^ (part.length + 1));
  }
  return ((mixed(high) >>> 0) * 2 ** 21 + (mixed(low) >>> 11)) / 2 ** 53;
}

function mixed(given: number): number {
  let hash = Math.imul(given, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
