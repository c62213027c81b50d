import { expect, test } from "vitest";
import { otlpSignalOfBytes } from "./otlpFile.js";

type Field = readonly [number: number, value: "fixed64" | "varint" | readonly number[]];

const message = (...fields: readonly Field[]): readonly number[] =>
  fields.flatMap(([number, value]) => {
    if (value === "fixed64") return [(number << 3) | 1, 1, 2, 3, 4, 5, 6, 7, 8];
    if (value === "varint") return [number << 3, 0x89, 0x01];
    return [(number << 3) | 2, value.length, ...value];
  });

const text = (length: number): readonly number[] => new Array<number>(length).fill(0x61);

/** Resource and scope before their parts, or behind them as the Collector writes them. */
function request(record: readonly number[], isReversed: boolean): readonly number[] {
  const order = (fields: readonly Field[]) => (isReversed ? fields.toReversed() : fields);
  const scope = message(
    ...order([
      [1, message([1, text(4)])],
      [2, record],
    ]),
  );
  return message([
    1,
    message(
      ...order([
        [1, message([1, text(6)])],
        [2, scope],
      ]),
    ),
  ]);
}

const logTimed = message([1, "fixed64"], [5, text(3)]);
const logSeen = message([9, text(16)], [11, "fixed64"]);
const logSevere = message([2, "varint"]);
const span = message([1, text(16)], [2, text(8)], [5, text(3)], [7, "fixed64"]);
const metric = message([1, text(16)], [2, text(8)], [7, message([1, text(4)])]);

test.each([
  ["logs", logTimed],
  ["logs", logSeen],
  ["logs", logSevere],
  ["traces", span],
  ["metrics", metric],
  ["metrics", message([5, message([1, text(4)])], [1, text(3)])],
  [null, message([1, text(3)])],
  [null, []],
] as const)("a request in protobuf of %s", (signal, record) => {
  for (const isReversed of [false, true]) {
    const bytes = request(record, isReversed);
    expect(otlpSignalOfBytes(Uint8Array.from(bytes))).toBe(signal);
    const framed = [0, 0, 0, bytes.length, ...bytes];
    expect(otlpSignalOfBytes(Uint8Array.from([...framed, ...framed]))).toBe(signal);
  }
});

test("the start of a long request is enough, and no text is one", () => {
  const bytes = Uint8Array.from(request(span, false));
  expect(otlpSignalOfBytes(bytes.subarray(0, bytes.length - 1))).toBe("traces");
  for (const content of [
    "",
    "\n",
    "\n\n\n\n{}",
    "time,n\n1,2\n",
    "\u0000\u0000",
    "\n\u0004\u0012\u0002",
  ])
    expect(otlpSignalOfBytes(new TextEncoder().encode(content))).toBe(null);
});
