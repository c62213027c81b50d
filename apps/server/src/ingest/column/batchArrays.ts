import { batchRowsMax } from "../../base/row/rowBatch.js";

/** Of each kind: as many columns as a wide row has, some megabytes in all. */
const keptMax = 64;

interface Clearable {
  readonly length: number;
  fill(value: unknown): unknown;
}

/**
 * Arrays for the rows of a whole batch, which are reused: allocating them for each batch would keep
 * the garbage collector busy.
 */
export class BatchArrays<Values extends Clearable> {
  readonly #create: (length: number) => Values;
  readonly #zero: number | bigint;
  readonly #kept: Values[] = [];

  constructor(create: (length: number) => Values, zero: number | bigint = 0) {
    this.#create = create;
    this.#zero = zero;
  }

  /** One of zeros, batchRowsMax long. */
  take(): Values {
    const found = this.#kept.pop();
    if (found === undefined) return this.#create(batchRowsMax);
    found.fill(this.#zero);
    return found;
  }

  /** Takes back an array that is no longer used; those of other lengths are of no use here. */
  giveBack(values: Values): void {
    if (values.length === batchRowsMax && this.#kept.length < keptMax) this.#kept.push(values);
  }
}
