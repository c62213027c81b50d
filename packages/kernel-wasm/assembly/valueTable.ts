// Integers as codes of a table of their distinct values: which values occur, the table, and back.
import { U24, valueAt, Zero } from "./lanes";

export function markValues(marks: usize, values: usize, rowCount: u32): void {
  let i: u32 = 0;
  for (; i + 4 <= rowCount; i += 4) {
    const at = values + (i << 2);
    store<u8>(marks + load<u32>(at), 1);
    store<u8>(marks + load<u32>(at, 4), 1);
    store<u8>(marks + load<u32>(at, 8), 1);
    store<u8>(marks + load<u32>(at, 12), 1);
  }
  for (; i < rowCount; i++) store<u8>(marks + load<u32>(values + (i << 2)), 1);
}

export function listMarked(table: usize, codes: usize, marks: usize, count: u32): u32 {
  let listed: u32 = 0;
  for (let value: u32 = 0; value < count; ) {
    // Most of a wide range is not marked.
    if (value + 16 <= count && !v128.any_true(v128.load(marks + value))) {
      value += 16;
      continue;
    }
    const end = min(value + 16, count);
    for (; value < end; value++) {
      if (!load<u8>(marks + value)) continue;
      store<u32>(table + (listed << 2), value);
      store<u32>(codes + (value << 2), listed);
      listed++;
    }
  }
  return listed;
}

export function lookUpCodes(
  out: usize, width: u32, codes: usize, codeWidth: u32, table: usize, rowCount: u32,
): void {
  switch (width) {
    case 1: return lookUpTo<u8>(out, codes, codeWidth, table, rowCount);
    case 2: return lookUpTo<u16>(out, codes, codeWidth, table, rowCount);
    case 4: return lookUpTo<u32>(out, codes, codeWidth, table, rowCount);
    case 8: return lookUpTo<i64>(out, codes, codeWidth, table, rowCount);
    default: unreachable();
  }
}

@inline
function lookUpTo<T>(out: usize, codes: usize, codeWidth: u32, table: usize, rowCount: u32): void {
  switch (codeWidth) {
    case 0: return lookUp<T, Zero>(out, codes, table, rowCount);
    case 1: return lookUp<T, u8>(out, codes, table, rowCount);
    case 2: return lookUp<T, u16>(out, codes, table, rowCount);
    case 3: return lookUp<T, U24>(out, codes, table, rowCount);
    case 4: return lookUp<T, u32>(out, codes, table, rowCount);
    default: unreachable();
  }
}

function lookUp<T, C>(out: usize, codes: usize, table: usize, rowCount: u32): void {
  let i: u32 = 0;
  for (; i + 4 <= rowCount; i += 4) {
    lookUpOne<T, C>(out, codes, table, i);
    lookUpOne<T, C>(out, codes, table, i + 1);
    lookUpOne<T, C>(out, codes, table, i + 2);
    lookUpOne<T, C>(out, codes, table, i + 3);
  }
  for (; i < rowCount; i++) lookUpOne<T, C>(out, codes, table, i);
}

@inline
function lookUpOne<T, C>(out: usize, codes: usize, table: usize, i: u32): void {
  const code = <u32>valueAt<C>(codes, i);
  store<T>(out + i * sizeof<T>(), load<T>(table + code * sizeof<T>()));
}
