import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/**
 * How a field is read. 64-bit integers become bigints, `hex` and `base64` are bytes as the JSON form
 * of OTLP writes them. A `later` message stays bytes, so that a long list is decoded one by one.
 */
type FieldType =
  | ("string" | "bool" | "double" | "int32" | "sint32" | "fixed32" | "int64" | "fixed64")
  | ("sfixed64" | "hex" | "base64" | "later")
  | MessageShape;

interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly isRepeated?: boolean;
}

/** The fields of a message by their numbers; others are skipped. */
export interface MessageShape {
  /** A function, as values contain values. */
  readonly fields: () => ReadonlyMap<number, Field>;
}

export type Message = Record<string, unknown>;

/** Deeper nesting than any real value has; a bound on the stack. */
const depthMax = 200;

/** The message as its JSON form has it; fields that are absent are left out. Throws where the bytes break. */
export function decodeMessage(shape: MessageShape, bytes: Uint8Array): Message {
  return readMessage(new BinaryReader(bytes), bytes.length, shape, depthMax);
}

function readMessage(
  reader: BinaryReader,
  end: number,
  shape: MessageShape,
  depth: number,
): Message {
  if (depth === 0) throw new Error(`nested deeper than ${depthMax} messages`);
  if (end > reader.len) throw new Error("a message is longer than what contains it");
  const fields = shape.fields();
  const message: Message = Object.create(null);
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const field = fields.get(number);
    if (field === undefined) reader.skip(wireType, number);
    else if (field.isRepeated !== true) {
      message[field.name] = readChecked(reader, field.type, wireType, depth);
    } else {
      const list = (message[field.name] ?? []) as unknown[];
      message[field.name] = list;
      if (!isPacked(field.type, wireType)) {
        list.push(readChecked(reader, field.type, wireType, depth));
        continue;
      }
      const packedEnd = reader.uint32() + reader.pos;
      if (packedEnd > end) throw new Error("a list is longer than its message");
      while (reader.pos < packedEnd) list.push(readValue(reader, field.type, depth));
    }
  }
  if (reader.pos !== end) throw new Error("a field is longer than its message");
  return message;
}

function readChecked(
  reader: BinaryReader,
  type: FieldType,
  wireType: WireType,
  depth: number,
): unknown {
  const wanted = wireTypeOf(type);
  if (wireType !== wanted) throw new Error(`a field has the wire type ${wireType}, not ${wanted}`);
  return readValue(reader, type, depth);
}

function readValue(reader: BinaryReader, type: FieldType, depth: number): unknown {
  switch (type) {
    case "string":
      return reader.string();
    case "bool":
      return reader.bool();
    case "double":
      return reader.double();
    case "int32":
      return reader.int32();
    case "sint32":
      return reader.sint32();
    case "fixed32":
      return reader.fixed32();
    case "int64":
      return BigInt(reader.int64());
    case "fixed64":
      return BigInt(reader.fixed64());
    case "sfixed64":
      return BigInt(reader.sfixed64());
    case "hex":
      return textOf(reader.bytes(), "hex");
    case "base64":
      return textOf(reader.bytes(), "base64");
    case "later":
      return reader.bytes();
    default: {
      const end = reader.uint32() + reader.pos;
      return readMessage(reader, end, type, depth - 1);
    }
  }
}

function textOf({ buffer, byteOffset, length }: Uint8Array, form: "hex" | "base64"): string {
  return Buffer.from(buffer, byteOffset, length).toString(form);
}

function isPacked(type: FieldType, wireType: WireType): boolean {
  return wireType === WireType.LengthDelimited && wireTypeOf(type) !== WireType.LengthDelimited;
}

function wireTypeOf(type: FieldType): WireType {
  switch (type) {
    case "bool":
    case "int32":
    case "sint32":
    case "int64":
      return WireType.Varint;
    case "double":
    case "fixed64":
    case "sfixed64":
      return WireType.Bit64;
    case "fixed32":
      return WireType.Bit32;
    default:
      return WireType.LengthDelimited;
  }
}
