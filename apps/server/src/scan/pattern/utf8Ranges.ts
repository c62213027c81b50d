/** What each byte of a sequence may be, first and last included. */
export type ByteRanges = readonly (readonly [first: number, last: number])[];

/** The last code points of one, two, three and four bytes. */
const lastOfLength = [0x7f, 0x7ff, 0xffff, 0x10ffff] as const;
const surrogates = [0xd800, 0xdfff] as const;

/**
 * A range of code points as the sequences of bytes that UTF-8 has for them; surrogates have none.
 */
export function utf8Sequences(first: number, last: number): readonly ByteRanges[] {
  const [low, high] = surrogates;
  if (first < low && last >= low) {
    return [...utf8Sequences(first, low - 1), ...utf8Sequences(low, last)];
  }
  if (first >= low && first <= high) return last > high ? utf8Sequences(high + 1, last) : [];
  const lengthIndex = lastOfLength.findIndex((end) => first <= end);
  const end = lastOfLength[lengthIndex]!;
  if (last > end) return [...utf8Sequences(first, end), ...utf8Sequences(end + 1, last)];
  return sequencesOf(first, last, lengthIndex + 1);
}

/**
 * Splits a range of code points of equal length in bytes, until each part is a sequence of byte
 * ranges.
 */
function sequencesOf(first: number, last: number, length: number): readonly ByteRanges[] {
  for (let i = 1; i < length; i++) {
    const rest = 2 ** (6 * i) - 1;
    if ((first & ~rest) === (last & ~rest)) continue;
    if ((first & rest) !== 0) {
      const middle = first | rest;
      return [...sequencesOf(first, middle, length), ...sequencesOf(middle + 1, last, length)];
    }
    if ((last & rest) !== rest) {
      const middle = last & ~rest;
      return [...sequencesOf(first, middle - 1, length), ...sequencesOf(middle, last, length)];
    }
  }
  const [from, to] = [encode(first, length), encode(last, length)];
  return [from.map((byte, i) => [byte, to[i]!] as const)];
}

function encode(code: number, length: number): number[] {
  if (length === 1) return [code];
  const bytes: number[] = [];
  let rest = code;
  for (let i = 1; i < length; i++) {
    bytes.unshift(0x80 | (rest & 0x3f));
    rest >>>= 6;
  }
  // 110…, 1110…, 11110…
  return [((0xf00 >> length) & 0xff) | rest, ...bytes];
}
