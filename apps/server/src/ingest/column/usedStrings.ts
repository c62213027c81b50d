/** Renumbers codes in place, so that values of dropped rows do not travel. */
export function dropUnused(dictionary: readonly string[], codes: Uint32Array): string[] {
  const newCodes = new Uint32Array(dictionary.length + 1);
  const used: string[] = [];
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 0) continue;
    if (newCodes[code] === 0) newCodes[code] = used.push(dictionary[code - 1]!);
    codes[i] = newCodes[code]!;
  }
  return used;
}
