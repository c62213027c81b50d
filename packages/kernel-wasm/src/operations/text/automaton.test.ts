import fc from "fast-check";
import { expect, test } from "vitest";
import { Random } from "../../testing/random.js";
import { placePages } from "../../testing/textPages.js";
import { TwinArena } from "../../testing/twinArena.js";
import { automatonLayout } from "./automaton.js";

const arena = new TwinArena();

interface Shape {
  readonly seed: number;
  readonly states: number;
  readonly classes: number;
  readonly unknownShare: number;
  readonly texts: readonly Uint8Array[];
  readonly width: 2 | 4;
  readonly firstRow: number;
  /** Whether two bytes alone lead away from rest. */
  readonly leaps: boolean;
}

/** The bytes of leaps; many are among the texts. */
const pairs = [
  [0x2f, 0x74],
  [0x2f, 0x2f],
] as const;

/** Any states that follow each other anyhow: the kernel does not ask what they mean. */
function placeAutomaton(shape: Shape): number {
  const { seed, unknownShare, leaps } = shape;
  const random = new Random(seed);
  const pair = leaps ? random.pick(pairs) : null;
  // Those of leaps have a class each, and states that they lead through.
  const [states, classes] =
    pair === null ? [shape.states, shape.classes] : [shape.states + 2, shape.classes + 2];
  const rowBytes = (classes + 1) * 4;
  const unknown = 2;
  const state = (): number => {
    const drawn = random.below(states);
    return (drawn < unknown ? drawn : drawn + 1) * rowBytes;
  };
  const words = Array.from({ length: (states + 1) * (classes + 1) }, (_, i) => {
    const from = Math.floor(i / (classes + 1));
    if (from <= unknown) return from * rowBytes;
    if (i % (classes + 1) === classes) return random.below(2) * rowBytes;
    return random.below(100) < unknownShare ? unknown * rowBytes : state();
  });
  const byteClasses = Uint8Array.from({ length: 256 }, () => random.below(shape.classes));
  const [resting, begun] = [(unknown + 1) * rowBytes, (unknown + 2) * rowBytes];
  let leapTo = 0;
  if (pair !== null) {
    const [first, second] = pair;
    byteClasses[first] = shape.classes;
    if (second !== first) byteClasses[second] = shape.classes + 1;
    leapTo = state();
    const rowOf = (lead: (byteClass: number) => number): number[] =>
      Array.from({ length: classes + 1 }, (_, each) => (each === classes ? 0 : lead(each)));
    const begins = byteClasses[first];
    const goesOn = byteClasses[second];
    words.splice(resting / 4, classes + 1, ...rowOf((each) => (each === begins ? begun : resting)));
    words.splice(
      ...([begun / 4, classes + 1] as const),
      ...rowOf((each) => (each === goesOn ? leapTo : each === begins ? begun : resting)),
    );
  }
  const rest = pair === null ? (random.below(3) === 0 ? 0 : state()) : resting;
  const stays = byteClasses.map((each) =>
    rest > rowBytes && words[rest / 4 + each] === rest ? 1 : 0,
  );
  const automaton = arena.region(automatonLayout.table + words.length * 4);
  arena.write(automaton + automatonLayout.classes, byteClasses);
  arena.write(automaton + automatonLayout.stays, stays);
  const first = pair === null || random.below(2) === 0 ? state() : resting;
  const leapBytes = pair === null ? 0 : pair[0] | (pair[1] << 8);
  const head = [first, rest, rowBytes, classes, 7, 7, leapBytes, leapTo];
  arena.write(automaton, new Uint8Array(Uint32Array.from(head).buffer));
  arena.write(automaton + automatonLayout.table, new Uint8Array(Uint32Array.from(words).buffer));
  return automaton;
}

/** Any bytes, or many of the pairs' and near each other. */
const text = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .array(fc.constantFrom(0x2f, 0x74, 0x61, 0x61, 0x61, 0x61), { maxLength: 80 })
    .map((bytes) => Uint8Array.from(bytes)),
);

const shape: fc.Arbitrary<Shape> = fc.record({
  seed: fc.nat(),
  states: fc.integer({ min: 2, max: 20 }),
  classes: fc.integer({ min: 1, max: 6 }),
  unknownShare: fc.constantFrom(0, 0, 1, 10),
  texts: fc.array(text, { minLength: 1, maxLength: 80 }),
  width: fc.constantFrom(2, 4),
  firstRow: fc.constantFrom(0, 64, 1_000),
  leaps: fc.boolean(),
});

test("texts are matched byte by byte, until a state is not known", () => {
  const found = { matched: 0, stuck: 0 };
  fc.assert(
    fc.property(shape, fc.nat(), (asked, skip) => {
      const { texts, width, firstRow } = asked;
      const layout = { rowsPerPage: texts.length, leadBytes: 3, width, compress: null };
      const { directory } = placePages(arena.clear(), texts, layout);
      const entry = new DataView(arena.read(directory, 28).buffer);
      const [bytes, offsets] = [entry.getUint32(0, true), entry.getUint32(16, true)];
      const automaton = placeAutomaton(asked);
      const rows = texts.map((_, i) => firstRow + i).filter((row) => (row * 7 + skip) % 3 !== 0);
      const list = arena.u32s(rows);
      const out = arena.bitmap(firstRow + texts.length, () => false);
      const page = { firstRow, bytes, offsets, offsetsWidth: width };
      const from = Math.min(rows.length, skip % 2);
      const end = arena.run((kernel) =>
        kernel.matchTexts(out, page, list, from, rows.length, automaton),
      );
      if (end < rows.length) found.stuck++;
      const bits = arena.read(out, Math.ceil((firstRow + texts.length) / 8));
      if (bits.some((byte) => byte !== 0)) found.matched++;
    }),
    { numRuns: 600 },
  );
  expect(found.matched).toBeGreaterThan(0);
  expect(found.stuck).toBeGreaterThan(0);
});
