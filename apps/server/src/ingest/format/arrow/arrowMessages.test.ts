import { HadalError } from "@hadal/sdk";
import {
  Dictionary,
  Field,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  RecordBatchStreamWriter,
  Table,
  TimestampMillisecond,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { batchRows } from "../../../base/testing/batchRows.js";
import { collect } from "../../testing/collect.js";

const rowCount = 50;

function stream(columns: Readonly<Record<string, Vector>>): Uint8Array {
  return RecordBatchStreamWriter.writeAll(new Table(columns)).toUint8Array(true);
}

const time = (): Vector =>
  vectorFromArray(
    Array.from({ length: rowCount }, (_, i) => BigInt(i)),
    new Int64(),
  );

/** Keys 0, 1, 2 … of a dictionary that comes in as many messages as there are pieces. */
function keyed(pieces: readonly (readonly (string | null)[])[]): Vector {
  const [first, ...more] = pieces.map((values) => vectorFromArray([...values], new Utf8()));
  const dictionary = first!.concat(...more);
  const data = Int32Array.from({ length: rowCount }, (_, i) => i % dictionary.length);
  const type = new Dictionary(new Utf8(), new Int32());
  return new Vector([makeData({ type, length: rowCount, nullCount: 0, data, dictionary })]);
}

const read = (body: Uint8Array) =>
  collect(body, { contentType: "application/vnd.apache.arrow.stream" });

async function expectBroken(body: Uint8Array, why: string): Promise<void> {
  const refusal = await read(body).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HadalError);
  expect(refusal).toMatchObject({
    code: "body-undecodable",
    message: expect.stringContaining(why),
  });
}

interface MessagePlace {
  readonly start: number;
  readonly description: Uint8Array;
  readonly end: number;
}

/** Messages lie one after another, the last one's body before the mark of the end. */
function messagesOf(bytes: Uint8Array): readonly MessagePlace[] {
  const view = viewOf(bytes);
  const starts: number[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    if (view.getUint32(at, true) === 0xffffffff) starts.push(at);
  }
  return starts.slice(0, -1).map((start, i) => {
    const from = start + 8;
    const description = bytes.slice(from, from + view.getUint32(start + 4, true));
    return { start, description, end: starts[i + 1]! };
  });
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Where these 64-bit numbers stand one after another. */
function findLongs(bytes: Uint8Array, from: number, longs: readonly number[]): number {
  const view = viewOf(bytes);
  for (let at = from; at + 8 * longs.length <= bytes.length; at += 8) {
    if (longs.every((x, i) => view.getBigInt64(at + 8 * i, true) === BigInt(x))) return at;
  }
  throw new Error("not there");
}

/** The same description behind a new root, which has room for what the writer leaves out. */
function withRoot(
  description: Uint8Array,
  { bodyBytes = 0, metadataEntry = 0, metadataLength = 0, padding = 0, version = 4 },
): Uint8Array {
  const head = new Uint8Array(64);
  const view = viewOf(head);
  const [entries, table] = [8, 24];
  view.setUint32(0, table, true);
  // | bytes of this | of the table | version | kind | header | bytes of the body | metadata |
  const places = [14, 32, 4, 6, 8, 16, metadataEntry];
  for (const [i, place] of places.entries()) view.setInt16(entries + 2 * i, place, true);
  view.setInt32(table, table - entries, true);
  view.setInt16(table + 4, version, true);
  view.setUint8(table + 6, 1);
  const old = viewOf(description);
  const oldRoot = old.getUint32(0, true);
  const oldEntries = oldRoot - old.getInt32(oldRoot, true);
  const headerAt = oldRoot + old.getUint16(oldEntries + 4 + 2 * 2, true);
  const header = headerAt + old.getUint32(headerAt, true);
  view.setUint32(table + 8, head.length + header - (table + 8), true);
  view.setBigInt64(table + 16, BigInt(bodyBytes), true);
  view.setUint32(table + 24, 8, true);
  view.setUint32(table + 32, metadataLength, true);
  return joined(head, description, new Uint8Array(padding));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(parts);
  return new Uint8Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** The stream with another description of its schema. */
function withSchema(body: Uint8Array, description: Uint8Array): Uint8Array {
  const [schema] = messagesOf(body);
  const lead = new Uint32Array([0xffffffff, description.length]);
  return joined(new Uint8Array(lead.buffer), description, body.slice(schema!.end));
}

describe("dictionaries in pieces", () => {
  it("are read as one, with their missing values", async () => {
    const body = stream({ time: time(), k: keyed([["a", null], ["ü", "b", "a"], [], ["c"]]) });
    expect(messagesOf(body)).toHaveLength(6);
    const { batches } = await read(body);
    const expected = ["a", null, "ü", "b", "a", "c"];
    expect(batches.flatMap(batchRows).map(({ k }) => k ?? null)).toEqual(
      Array.from({ length: rowCount }, (_, i) => expected[i % expected.length]),
    );
  });

  it("are refused when they are too many pieces to be joined", async () => {
    const body = stream({ time: time(), k: keyed([["a"], ["b"]]) });
    const [schema, first, delta, rows] = messagesOf(body).map(({ start, end }) =>
      body.slice(start, end),
    );
    const many = (count: number) =>
      joined(schema!, first!, ...Array.from({ length: count }, () => delta!), rows!);
    expect((await read(many(300))).accepted).toBe(rowCount);
    await expectBroken(many(20_000), "too many pieces");
  });
});

describe("dictionaries of dictionaries", () => {
  /** Lists of keys of a dictionary, each given by a key. */
  function nested(): Uint8Array {
    const words = new Dictionary(new Utf8(), new Int32());
    const lists = new List(new Field("item", words));
    const values = Array.from({ length: 1_000 }, (_, i) => [`w${i % 3}`, "x"]);
    const encoded = vectorFromArray(values, lists);
    const dictionary = encoded.concat(encoded);
    const data = Int32Array.from({ length: rowCount }, (_, i) => i);
    const type = new Dictionary(lists, new Int32());
    const k = new Vector([makeData({ type, length: rowCount, nullCount: 0, data, dictionary })]);
    return stream({ time: time(), k });
  }

  it("are read; but not again and again, for all that was made before is kept", async () => {
    const body = nested();
    const { batches, accepted } = await read(body);
    expect(accepted).toBe(rowCount);
    expect(batchRows(batches[0]!)[4]).toEqual({ k: ["w1", "x"] });
    const parts = messagesOf(body).map(({ start, end }) => body.slice(start, end));
    const [rows, delta, ...before] = parts.toReversed();
    const many = (count: number) =>
      joined(...before.toReversed(), ...Array.from({ length: count }, () => delta!), rows!);
    expect((await read(many(30))).accepted).toBe(rowCount);
    await expectBroken(many(500), "too many pieces");
  });
});

describe("a description that claims more than there is is refused before anything is made of it", () => {
  const plain = () => stream({ time: time(), k: keyed([["a", "b", "c"]]) });
  const schemaOf = (body: Uint8Array) => messagesOf(body)[0]!.description;

  it("the same description behind another root is read", async () => {
    const body = plain();
    const { accepted } = await read(withSchema(body, withRoot(schemaOf(body), {})));
    expect(accepted).toBe(rowCount);
  });

  it("a schema with a body, in which the library would look for messages", async () => {
    const body = plain();
    const rest = body.length - messagesOf(body)[0]!.end;
    const hiding = withRoot(schemaOf(body), { bodyBytes: rest });
    await expectBroken(withSchema(body, hiding), "a schema with a body");
  });

  it("a version with other positions of buffers", async () => {
    const body = plain();
    const older = withRoot(schemaOf(body), { version: 2 });
    await expectBroken(withSchema(body, older), "before 1.0");
    const old = withRoot(schemaOf(body), { version: 3 });
    expect((await read(withSchema(body, old))).accepted).toBe(rowCount);
  });

  it("a second schema", async () => {
    const body = plain();
    await expectBroken(joined(body.slice(0, messagesOf(body)[0]!.end), body), "a second schema");
  });

  it("thousands of millions of entries beside a message", async () => {
    const body = plain();
    const metadataLength = 0x7fffffff;
    const claiming = withRoot(schemaOf(body), { metadataEntry: 24, metadataLength });
    await expectBroken(withSchema(body, claiming), "points behind its end");
  });

  it("a place before its table, which a careless reader takes for one behind it", async () => {
    const body = plain();
    const before = withRoot(schemaOf(body), { metadataEntry: -16, padding: 70_000 });
    await expectBroken(withSchema(body, before), "points behind its end");
  });

  it("a dictionary longer than its bytes", async () => {
    const body = plain();
    const { start } = messagesOf(body)[1]!;
    viewOf(body).setBigInt64(findLongs(body, start, [3, 0]), 33_000_000n, true);
    await expectBroken(body, "more values than its bytes hold");
  });

  it("more missing cells than its bytes could contain", async () => {
    const length = 80_000;
    const nothing = new Vector([makeData({ type: new Null(), length })]);
    const times = new Vector([
      makeData({ type: new Int64(), length, nullCount: 0, data: new BigInt64Array(length) }),
    ]);
    const wide = (count: number) =>
      stream({
        time: times,
        ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, nothing])),
      });
    expect((await read(wide(100))).accepted).toBe(length);
    await expectBroken(wide(400), "more cells than its bytes hold");
  });

  it("more buffers of a column of views than there are", async () => {
    const long = "longer than twelve bytes";
    const body = stream({
      time: time(),
      v: vectorFromArray([...Array(rowCount)].fill(long), new Utf8View()),
    });
    expect((await read(body)).accepted).toBe(rowCount);
    const { start } = messagesOf(body)[1]!;
    const view = viewOf(body);
    // The only vector of one 64-bit number.
    for (let at = start; at < body.length - 12; at += 4) {
      if (view.getUint32(at, true) !== 1 || view.getUint32(at + 4, true) !== 1) continue;
      if (view.getUint32(at + 8, true) === 0) view.setUint32(at + 4, 33_000_000, true);
    }
    await expectBroken(body, "more buffers than there are");
  });

  it.each([
    ["shorter", 1n],
    ["longer", 2_000_000_000n],
  ])("a column %s than its batch", async (_how, length) => {
    const body = plain();
    const { start } = messagesOf(body)[2]!;
    const nodes = findLongs(body, start, [rowCount, 0, rowCount, 0]);
    viewOf(body).setBigInt64(nodes + 16, length, true);
    await expectBroken(body, "a column shorter than its batch");
  });

  it("buffers that overlap", async () => {
    const body = plain();
    const { start, end, description } = messagesOf(body)[2]!;
    const view = viewOf(body);
    const bodyBytes = end - start - 8 - description.length;
    // | no bitmap | times | no bitmap | keys |
    const buffers = findLongs(body, start, [0, 0, 0, 8 * rowCount]);
    for (let i = 0; i < 4; i++) {
      view.setBigInt64(buffers + 16 * i, 0n, true);
      view.setBigInt64(buffers + 16 * i + 8, BigInt(bodyBytes), true);
    }
    await expectBroken(body, "buffers beyond their message");
  });

  it("one long time zone of many columns", async () => {
    const zones = ["Z".repeat(8_000), "A", "B", "C", "D"];
    const columns = zones.map((zone, i): [string, Vector] => [
      `t${i}`,
      vectorFromArray(new Array<number>(rowCount).fill(1), new TimestampMillisecond(zone)),
    ]);
    const body = stream({ time: time(), ...Object.fromEntries(columns) });
    expect((await read(body)).accepted).toBe(rowCount);
    const view = viewOf(body);
    const { start, end } = messagesOf(body)[0]!;
    const placeOf = (zone: string): number => Buffer.from(body).indexOf(`${zone}\0`) - 4;
    for (const zone of zones.slice(1)) {
      for (let at = start; at < end; at += 4) {
        if (at + view.getUint32(at, true) !== placeOf(zone)) continue;
        view.setInt32(at, placeOf(zones[0]!) - at, true);
      }
    }
    await expectBroken(body, "names that overlap");
  });
});
