import { createKernel, createSharedMemory, loadKernelModule } from "@hadal/kernel-wasm";
import { beforeAll, describe, expect, it } from "vitest";
import type { EncodedInts } from "./encodedInts.js";
import type { OrderedInts } from "./intEncoding.js";
import { decodedWidth } from "./intEncoding.js";
import {
  decodeInts,
  encodedBytes,
  encodeInts,
  movedEncoded,
  partsOfEncoded,
  readEncodedInt,
} from "./intEncodings.js";

const memory = createSharedMemory(64 * 2 ** 20);
let kernel: ReturnType<typeof createKernel>;
let next = 0;

beforeAll(async () => {
  kernel = createKernel(memory, await loadKernelModule());
});

function take(bytes: number): number {
  const address = next;
  next = Math.ceil((next + bytes + 16) / 64) * 64;
  return address;
}

/** These values in memory, from an address that the kernel does not use. */
function orderedInts(values: readonly bigint[]): OrderedInts {
  next = 32 * 2 ** 20;
  const [span = 0n] = values.toSorted((a, b) => (a < b ? 1 : -1));
  const width = decodedWidth(span);
  const address = take(Math.ceil(values.length / 128) * 128 * width);
  const view = new DataView(memory.buffer);
  values.forEach((value, i) => {
    if (width === 8) view.setBigInt64(address + i * 8, value, true);
    else view.setUint32(address + i * 4, Number(value), true);
  });
  const place = { values: { address, width }, rowCount: values.length, span };
  return { memory, kernel, ...place, allocate: take, takeScratch: take };
}

function encode(kind: EncodedInts["kind"], values: readonly bigint[]): EncodedInts | null {
  const ints = orderedInts(values);
  return encodeInts(
    { kinds: [kind], plainBytes: values.length * 8 },
    ints,
    () => ints,
    values.length,
  );
}

function decodedValues(encoded: EncodedInts, rowCount: number, width: 1 | 4 | 8): bigint[] {
  const out = { address: take(Math.ceil(rowCount / 128) * 128 * width), width };
  decodeInts(kernel, out, encoded, rowCount);
  const view = new DataView(memory.buffer);
  return Array.from({ length: rowCount }, (_, i) => {
    const at = out.address + i * width;
    if (width === 8) return view.getBigInt64(at, true);
    return BigInt(width === 1 ? view.getUint8(at) : view.getUint32(at, true));
  });
}

const rowCount = 1_000;
const rows = (value: (i: number) => number | bigint): bigint[] =>
  Array.from({ length: rowCount }, (_, i) => BigInt(value(i)));

const cases: readonly [
  kind: EncodedInts["kind"],
  what: string,
  values: bigint[],
  width: 1 | 4 | 8,
][] = [
  ["packed", "small steps", rows((i) => i * 7 + (i % 3)), 4],
  ["packed", "steps beyond 32 bits of values", rows((i) => 2n ** 40n + BigInt(i * 5)), 8],
  ["dictionary", "few values far apart", rows((i) => ((i * 7) % 5) * 1_000_003), 4],
  ["dictionary", "few values of 64 bits", rows((i) => BigInt(i % 4) * 2n ** 41n), 8],
  ["bits", "codes of six bits", rows((i) => (i * 31) % 64), 1],
  ["bits", "codes of five bits", rows((i) => (i * 31) % 32), 1],
  ["sparse", "codes that few rows have", rows((i) => (i % 9 === 0 ? 1 + (i % 200) : 0)), 1],
  ["bits", "codes of one bit", rows((i) => (i % 3 === 0 ? 1 : 0)), 1],
];

describe("an encoding of integers", () => {
  it.each(cases)("%s keeps %s, decoded at once or row by row", (kind, _, values, width) => {
    const encoded = encode(kind, values);
    if (encoded === null) return expect.fail("it was not encoded");
    expect(encoded.kind).toBe(kind);
    expect(decodedValues(encoded, rowCount, width)).toEqual(values);
    const view = new DataView(memory.buffer);
    values.forEach((value, i) => {
      expect(readEncodedInt(view, encoded, i, rowCount)).toBe(value);
    });
  });

  it.each(cases)("%s of %s is the same when its parts lie elsewhere", (kind, _, values) => {
    const encoded = encode(kind, values);
    if (encoded === null) return expect.fail("it was not encoded");
    const parts = partsOfEncoded(encoded, rowCount);
    expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(encodedBytes(encoded, rowCount));
    const bytes = new Uint8Array(memory.buffer);
    const addresses = parts.map((part) => {
      const address = take(part.bytes);
      bytes.copyWithin(address, part.address, part.address + part.bytes);
      bytes.fill(0xff, part.address, part.address + part.bytes);
      return address;
    });
    const moved = movedEncoded(encoded, addresses);
    const view = new DataView(memory.buffer);
    for (const i of [0, 1, 127, 128, rowCount - 1]) {
      expect(readEncodedInt(view, moved, i, rowCount)).toBe(values[i]);
    }
  });

  it("takes the cheapest of those it may", () => {
    const kinds = ["packed", "dictionary", "bits"] as const;
    const chosen = (values: bigint[]) => {
      const ints = orderedInts(values);
      return encodeInts({ kinds, plainBytes: rowCount * 4 }, ints, () => ints, rowCount)?.kind;
    };
    expect(chosen(rows((i) => (i * 31) % 2))).toBe("bits");
    expect(chosen(rows((i) => i))).toBe("packed");
    expect(chosen(rows((i) => ((i * 7_919) % 11) * 100_003))).toBe("dictionary");
  });

  it("is none where plain values are as good", () => {
    const random = rows((i) => Math.imul(i + 1, 0x9e37_79b1) >>> 0);
    const ints = orderedInts(random);
    const kinds = ["packed", "dictionary", "bits"] as const;
    expect(encodeInts({ kinds, plainBytes: rowCount * 4 }, ints, () => ints, rowCount)).toBeNull();
  });
});
