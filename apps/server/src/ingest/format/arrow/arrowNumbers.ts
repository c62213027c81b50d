import { decimalsMax } from "@hadal/sdk";
import type { Data, DataType, Decimal, Timestamp } from "apache-arrow";
import type { ArrowLibrary } from "../../../base/format/arrowLibrary.js";
import type { ColumnBuilder } from "../../column/columnBuilder.js";
import type { PathNode } from "../../column/rowPath.js";
import { decimalsOf } from "../../column/ruledValue.js";
import { NumberText, readNumberText, scaleFraction } from "../../value/numberText.js";
import { quote, RowRejected } from "../../value/rowRejected.js";
import { TypedTime } from "../../value/rowTime.js";
import { unstoredType } from "./arrowProblems.js";
import {
  type ArrowCells,
  expectLength,
  nearNumbers,
  presenceOf,
  writeNumberRows,
} from "./arrowRows.js";
import { buildFloats, buildInts, buildProducts } from "./runNumbers.js";
import { timesOfMicros, timesOfNanos, timesOfNumbers } from "./runTimes.js";

/** Counts of a second per Timestamp unit: s, ms, µs, ns. */
const unitsPerSecond = [1n, 1_000n, 1_000_000n, 1_000_000_000n];
/** Milliseconds with six digits behind the point are nanoseconds. */
const nanosPerSecond = 1_000_000_000n;
const nanosPerMs = 1_000_000n;
const msPerDay = 86_400_000;
const decimalScaleMax = 6;
/** Digits of the widest decimal that Arrow has. */
const scaleMax = 76;
export function openNumbers(arrow: ArrowLibrary, data: Data<DataType>, node: PathNode): ArrowCells {
  expectLength(data.values.length, data, node);
  const values = data.values as Exclude<typeof data.values, undefined>;
  if (arrow.DataType.isFloat(data.type)) {
    // Of 16 bits: only the library reads them.
    const vector = values instanceof Uint16Array ? new arrow.Vector([data]) : null;
    const cells = numberCells(data, (row) => {
      const x = (vector === null ? values[row] : vector.get(row)) as number;
      // NaN is missing, as JSON has no word for it.
      if (Number.isNaN(x)) return null;
      if (Number.isFinite(x)) return x;
      throw outOfRange(x, node);
    });
    if (vector !== null) return cells;
    return {
      ...cells,
      writeRows: writeNumberRows(values, presenceOf(data), cells.write),
      buildRun: buildFloats(data, values as Float32Array | Float64Array),
    };
  }
  const numberAt = nearNumbers(values);
  const cells = numberCells(data, (row) => {
    const near = numberAt(row);
    return Number.isNaN(near) ? inInt64(values[row] as bigint, node) : near;
  });
  return {
    ...cells,
    writeRows: writeNumberRows(values, presenceOf(data), cells.write),
    buildRun: buildInts(data, values as Int32Array | BigInt64Array),
    times: timesOfNumbers(data, { isTyped: false, factor: 1 }),
  };
}

function inInt64(x: bigint, node: PathNode): bigint {
  if (BigInt.asIntN(64, x) !== x) throw outOfRange(x, node);
  return x;
}

function outOfRange(x: number | bigint, node: PathNode): RowRejected {
  const detail = `\`${node.name}\` is ${x}, which 64 bits do not hold.`;
  return new RowRejected("number-out-of-range", detail);
}

/** Digits beyond those that the column keeps are cut off, as in rows of JSON. */
export function openDecimals(data: Data<Decimal>, node: PathNode): ArrowCells {
  const { scale, bitWidth } = data.type;
  const wordsEach = bitWidth / 32;
  if (![64, 128, 256].includes(bitWidth) || scale < 0 || scale > scaleMax) {
    throw unstoredType(node.name, data.type);
  }
  expectLength(data.values.length / wordsEach, data, node);
  const words = data.values as Uint32Array;
  return numberCells(data, (row) => {
    let value = BigInt.asIntN(32, BigInt(words[(row + 1) * wordsEach - 1]!));
    for (let word = wordsEach - 2; word >= 0; word--) {
      value = (value << 32n) + BigInt(words[row * wordsEach + word]!);
    }
    const text = pointed(value, scale);
    if (readNumberText(text, decimalsOf(node)) === null) {
      throw new RowRejected(
        "number-out-of-range",
        `\`${node.name}\` is ${quote(new NumberText(text))}, which 64 bits do not hold.`,
      );
    }
    return scale === 0 ? value : new NumberText(text);
  });
}

function pointed(value: bigint, scale: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).slice(0, decimalsMax);
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Milliseconds; with digits behind the point where micro- or nanoseconds need them. */
export function openTimestamps(data: Data<Timestamp>, node: PathNode): ArrowCells {
  expectLength(data.values.length, data, node);
  const values = data.values as unknown as BigInt64Array;
  const nanosEach = nanosPerSecond / unitsPerSecond[data.type.unit]!;
  const msEach = Number(nanosEach) / Number(nanosPerMs);
  const numberAt = nearNumbers(values);
  const cells = timeCells(data, node, (row) => {
    // Whole seconds and milliseconds, and no BigInt: a row's time is read for every row.
    const near = msEach >= 1 ? numberAt(row) * msEach : Number.NaN;
    if (Number.isSafeInteger(near)) return near;
    const nanos = values[row]! * nanosEach;
    if (nanos % nanosPerMs === 0n) return inInt64(nanos / nanosPerMs, node);
    if (node.role !== "time") return new NumberText(pointed(nanos, decimalScaleMax));
    // The event time is in whole milliseconds: the one that has begun.
    return (
      (nanos - BigInt.asUintN(64, ((nanos % nanosPerMs) + nanosPerMs) % nanosPerMs)) / nanosPerMs
    );
  });
  if (msEach >= 1)
    return {
      ...cells,
      buildRun: buildProducts(data, values, msEach),
      times: timesOfNumbers(data, { isTyped: true, factor: msEach }),
    };
  return { ...cells, times: nanosEach === 1n ? timesOfNanos(data) : timesOfMicros(data) };
}

export function openDates(data: Data<DataType>, node: PathNode): ArrowCells {
  expectLength(data.values.length, data, node);
  const values = data.values as Int32Array | BigInt64Array;
  const cells = timeCells(data, node, (row) => {
    const value = values[row]!;
    return typeof value === "bigint" ? value : value * msPerDay;
  });
  const factor = values instanceof Int32Array ? msPerDay : 1;
  return {
    ...cells,
    buildRun: buildProducts(data, values, factor),
    times: timesOfNumbers(data, { isTyped: true, factor }),
  };
}

/** As numbers; of the event time, `value` marks them as moments, whose unit needs no name. */
function timeCells(
  data: Data<DataType>,
  node: PathNode,
  read: (row: number) => number | bigint | NumberText,
): ArrowCells {
  const cells = numberCells(data, read);
  if (node.role !== "time") return cells;
  return {
    ...cells,
    value(row) {
      const ms = cells.value(row);
      return ms === null ? null : new TypedTime(Number(ms instanceof NumberText ? ms.text : ms));
    },
  };
}

/** A number's cell. Integers beyond 2^53 are texts in `value`, as JSON is read. */
function numberCells(
  data: Data<DataType>,
  read: (row: number) => number | bigint | NumberText | null,
): ArrowCells {
  const isPresent = presenceOf(data);
  return {
    value(row) {
      const x = isPresent(row) ? read(row) : null;
      if (typeof x !== "bigint") return x;
      const near = Number(x);
      return Number.isSafeInteger(near) ? near : new NumberText(String(x));
    },
    write(builder, row, at) {
      const x = isPresent(row) ? read(row) : null;
      if (x === null) return;
      if (typeof x === "bigint" || Number.isSafeInteger(x)) {
        builder.writeInteger(at, x as number | bigint);
      } else writeFraction(builder, at, x as number | NumberText);
    },
  };
}

function writeFraction(builder: ColumnBuilder, at: number, x: number | NumberText): void {
  const scaled = typeof x === "number" ? scaleFraction(x) : null;
  if (scaled !== null) {
    builder.writeFraction(at, scaled);
    return;
  }
  const text = typeof x === "number" ? String(x) : x.text;
  const stored = readNumberText(text);
  if (stored === null) {
    const detail = `\`${builder.name}\` is ${text}, which 64 bits do not hold.`;
    throw new RowRejected("number-out-of-range", detail);
  }
  if (stored.fraction) builder.writeFraction(at, stored.value);
  else builder.writeInteger(at, stored.value);
}
