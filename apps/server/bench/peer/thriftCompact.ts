/** Writes the few shapes of Thrift's compact protocol that Parquet's page headers and footer are made of. */
export type ThriftField =
  | { readonly i32: number }
  | { readonly i64: number }
  | { readonly text: string }
  | { readonly struct: ThriftStruct }
  | { readonly list: readonly ThriftField[] };

/** By field id, ascending. */
export type ThriftStruct = Readonly<Record<number, ThriftField>>;

export function encodeThrift(struct: ThriftStruct): Uint8Array {
  const out: number[] = [];
  writeStruct(struct, out);
  return Uint8Array.from(out);
}

function writeStruct(struct: ThriftStruct, out: number[]): void {
  let last = 0;
  for (const [key, field] of Object.entries(struct)) {
    const id = Number(key);
    // All ids of Parquet's structs that are written here are less than 16 apart.
    out.push(((id - last) << 4) | typeOf(field));
    writeValue(field, out);
    last = id;
  }
  out.push(0);
}

function typeOf(field: ThriftField): number {
  if ("i32" in field) return 5;
  if ("i64" in field) return 6;
  if ("text" in field) return 8;
  return "list" in field ? 9 : 12;
}

function writeValue(field: ThriftField, out: number[]): void {
  if ("i32" in field) writeVarint(field.i32 * 2, out);
  else if ("i64" in field) writeVarint(field.i64 * 2, out);
  else if ("struct" in field) writeStruct(field.struct, out);
  else if ("text" in field) {
    const bytes = new TextEncoder().encode(field.text);
    writeVarint(bytes.length, out);
    for (const byte of bytes) out.push(byte);
  } else writeList(field.list, out);
}

function writeList(list: readonly ThriftField[], out: number[]): void {
  const [first] = list;
  const type = first === undefined ? 12 : typeOf(first);
  if (list.length < 15) out.push((list.length << 4) | type);
  else {
    out.push(0xf0 | type);
    writeVarint(list.length, out);
  }
  for (const field of list) writeValue(field, out);
}

/** Non-negative numbers only, already in zigzag form where that applies; they may pass 32 bits. */
export function writeVarint(value: number, out: number[]): void {
  let left = value;
  while (left >= 0x80) {
    out.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  out.push(left);
}
