// Decimal digits, eight at once in a word (D. Lemire, Quickly parsing eight digits, 2018).

const ZEROS: u64 = 0x3030303030303030;
/** 10^0 to 10^8. */
const POWERS: usize = memory.data<u64>([
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
]);

@inline
export function isDigit(byte: u8): bool {
  return <u8>(byte - 0x30) <= 9;
}

/** How many digits there are from here on, at most 16; `bytes` are the first eight. */
@inline
export function countSixteen(first: usize, bytes: u64): u32 {
  const digits = countDigits(bytes);
  return digits == 8 ? 8 + countDigits(load<u64>(first, 8)) : digits;
}

/** The number in the next `digits` digits, at least one and at most 16. */
@inline
export function valueOfSixteen(first: usize, bytes: u64, digits: u32): u64 {
  if (digits <= 8) return valueOfDigits(bytes, digits);
  return valueOfDigits(bytes, 8) * powerOfTen(digits - 8) + valueOfDigits(load<u64>(first, 8), digits - 8);
}

/** How many of these eight bytes are digits before the first that is none. */
@inline
function countDigits(bytes: u64): u32 {
  const digits = bytes ^ ZEROS;
  // A byte above 9 carries into its high bit, or has it already; what the carry reaches lies behind
  // it.
  const others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
  return <u32>ctz(others) >> 3;
}

/** The number that the first `count` of these eight bytes are, at least one. */
@inline
function valueOfDigits(bytes: u64, count: u32): u64 {
  // To the far end, with zeros before them.
  const digits = (bytes ^ ZEROS) << (64 - (count << 3));
  const pairs = digits * 10 + (digits >> 8);
  const high = (pairs & 0x000000ff000000ff) * 0x000f424000000064;
  const low = ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001;
  return (high + low) >> 32;
}

/** 10^exponent, at most 10^8. */
@inline
function powerOfTen(exponent: u32): u64 {
  return load<u64>(POWERS + (<usize>exponent << 3));
}
