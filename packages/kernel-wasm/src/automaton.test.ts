import fc from "fast-check";
import { expect, test } from "vitest";
import { automatonLayout } from "./operations/automaton.js";
import { Random } from "./testing/random.js";
import { placePages } from "./testing/textPages.js";
import { TwinArena } from "./testing/twinArena.js";

const arena = new TwinArena();

interface Shape {
  readonly seed: number;
  readonly states: number;
  readonly classes: number;
  readonly unknownShare: number;
  readonly texts: readonly Uint8Array[];
  readonly width: 2 | 4;
  readonly firstRow: number;
}

/** Any states that follow each other anyhow: the kernel does not ask what they mean. */
function placeAutomaton({ seed, states, classes, unknownShare }: Shape): number {
  const random = new Random(seed);
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
  const byteClasses = Uint8Array.from({ length: 256 }, () => random.below(classes));
  const rest = random.below(3) === 0 ? 0 : state();
  const stays = byteClasses.map((each) =>
    rest > rowBytes && words[rest / 4 + each] === rest ? 1 : 0,
  );
  const automaton = arena.region(automatonLayout.table + words.length * 4);
  arena.write(automaton + automatonLayout.classes, byteClasses);
  arena.write(automaton + automatonLayout.stays, stays);
  const head = [state(), rest, rowBytes, classes, 7, 7];
  arena.write(automaton, new Uint8Array(Uint32Array.from(head).buffer));
  arena.write(automaton + automatonLayout.table, new Uint8Array(Uint32Array.from(words).buffer));
  return automaton;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  seed: fc.nat(),
  states: fc.integer({ min: 2, max: 20 }),
  classes: fc.integer({ min: 1, max: 6 }),
  unknownShare: fc.constantFrom(0, 0, 1, 10),
  texts: fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 80 }),
  width: fc.constantFrom(2, 4),
  firstRow: fc.constantFrom(0, 64, 1_000),
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
