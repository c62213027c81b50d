import { PackedBlocks } from "../../column/packedBlocks.js";
import { type ColumnReader, createColumnReader } from "../../column/readColumn.js";
import type { SegmentView } from "../../store/segment/segmentView.js";

/** The stored times of a segment. */
type TimedRows = Pick<SegmentView, "rowCount" | "times" | "timeBase" | "encodedTimes">;

/** Reads times of single rows: decoding all of a segment takes longer than a short query. */
export class TimeReader {
  readonly #view: DataView;
  readonly #reader: ColumnReader;
  readonly #packed: PackedBlocks;

  constructor(memory: WebAssembly.Memory) {
    this.#view = new DataView(memory.buffer);
    this.#reader = createColumnReader(memory);
    this.#packed = new PackedBlocks(this.#view);
  }

  timeMs({ times, timeBase, encodedTimes, rowCount }: TimedRows, row: number): number {
    if (encodedTimes?.kind === "packed") {
      return Number(timeBase) + this.#packed.read(encodedTimes, row, rowCount);
    }
    if (encodedTimes !== null) {
      const column = { values: times, base: timeBase, encoded: encodedTimes };
      return Number(this.#reader.storedInt(column, row, rowCount));
    }
    const at = times.address + row * times.width;
    if (times.width === 8) {
      const high = this.#view.getInt32(at + 4, true);
      return Number(timeBase) + high * 2 ** 32 + this.#view.getUint32(at, true);
    }
    return Number(timeBase) + this.#reader.code(times, row);
  }
}
