import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PlainDecoder, PlainEncoder, type PlainMessage, SharedObject } from "./plainCodec.js";

/** As it arrives on another thread. */
const travel = (message: PlainMessage): PlainMessage => structuredClone(message);

function channel(): (value: unknown) => unknown {
  const encoder = new PlainEncoder();
  const decoder = new PlainDecoder();
  return (value) => decoder.decode(travel(encoder.encode(value)));
}

const leaves = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.constantFrom(null, undefined, true, false, -(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n, -0),
  fc.string(),
  fc.uint8Array(),
);

const plain = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaves,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom("a", "b", "kind", "__proto__", "0", "toString"), tie("value"), {
      noNullPrototype: true,
    }),
  ),
})).value;

test("what arrives is what structured clone would bring, message after message", () => {
  const send = channel();
  fc.assert(
    fc.property(plain, (value) => {
      expect(send(value)).toStrictEqual(structuredClone(value));
    }),
    { numRuns: 2_000 },
  );
});

describe("objects", () => {
  test("that are shared stay one, as arrays do, and what is two stays two", () => {
    class Place extends SharedObject {
      constructor(public address: number) {
        super();
      }
    }
    const values = new Place(1);
    const filters = [values, new Place(1)];
    const unit = { values, filters, again: filters, empty: [[], []] };
    const { values: first, filters: found, again, empty } = channel()(unit) as typeof unit;
    expect(first).toEqual({ address: 1 });
    expect(found[0]).toBe(first);
    expect(found[1]).not.toBe(first);
    expect(found[1]).toEqual(first);
    expect(again).toBe(found);
    expect(empty[0]).not.toBe(empty[1]);
    first.address = 7;
    expect(again[0]?.address).toBe(7);
  });

  test("of one shape tell it once, also in later messages", () => {
    const encoder = new PlainEncoder();
    const decoder = new PlainDecoder();
    const first = encoder.encode([
      { a: 1, b: null },
      { a: 2, b: null },
      { a: null, b: 1 },
    ]);
    expect(first.shapes).toEqual([
      { keys: ["a", "b"], isNumber: [true, false] },
      { keys: ["a", "b"], isNumber: [false, true] },
    ]);
    const second = encoder.encode({ a: 3, b: { c: 4 } });
    expect(second.shapes).toEqual([{ keys: ["c"], isNumber: [true] }]);
    decoder.decode(first);
    expect(decoder.decode(second)).toEqual({ a: 3, b: { c: 4 } });
  });

  test("of a shape that was never sent are no objects", () => {
    const encoder = new PlainEncoder();
    encoder.encode({ a: 1 });
    expect(() => new PlainDecoder().decode(encoder.encode({ a: 2 }))).toThrow("never sent");
  });

  test("that are not plain travel as structured clone takes them", () => {
    const value = { map: new Map([["a", 1]]), bytes: Uint8Array.of(1, 2), name: "x" };
    expect(channel()(value)).toStrictEqual(value);
  });
});

test("thousands of objects fit", () => {
  const many = Array.from({ length: 5_000 }, (_, i) => ({ i, big: BigInt(i), next: { i: -i } }));
  expect(channel()(many)).toEqual(many);
});

describe("strings", () => {
  test("that are short are sent once, until there are too many: then all are sent again", () => {
    const encoder = new PlainEncoder();
    const decoder = new PlainDecoder();
    const send = (value: unknown) => {
      const message = encoder.encode(value);
      expect(decoder.decode(travel(message))).toEqual(value);
      return message;
    };
    expect(send(["a", "b", "a"]).strings).toEqual(["a", "b"]);
    expect(send(["b", "c"]).strings).toEqual(["c"]);
    const long = "x".repeat(33);
    expect(send([long, long]).others).toEqual([long, long]);
    const many = Array.from({ length: 1_100 }, (_, i) => `${i}`);
    const first = send([...many, "a"]);
    expect([first.forgets, first.strings.length]).toEqual([false, 1_021]);
    const next = send(["a", "1099", "0"]);
    expect([next.forgets, next.strings]).toEqual([true, ["a", "1099", "0"]]);
    expect([send(["0"]).forgets, send(["0"]).strings]).toEqual([false, []]);
  });

  test("that were never sent are no strings", () => {
    const encoder = new PlainEncoder();
    encoder.encode("a");
    expect(() => new PlainDecoder().decode(encoder.encode("a"))).toThrow("never sent");
  });
});
