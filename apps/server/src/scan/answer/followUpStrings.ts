import { ByteDictionary, hashBytes, hashSeed } from "../../base/bytes/byteDictionary.js";
import { viewOf } from "../../base/bytes/byteView.js";
import { type EncodedStrings, endsOf } from "../../base/bytes/stringList.js";
import type { Steps } from "../../base/schedule/steps.js";

/** About a millisecond. */
const stringsPerStep = 16_384;

/**
 * Finds the wanted strings among those of a scan. The scan may have millions: they are read once,
 * and only the wanted ones are put into a table.
 */
export class FollowUpStrings {
  readonly #asked = new ByteDictionary();
  /** By code of `#asked`: the string's number in the scan; -1 where the scan does not have it. */
  readonly #numbers: Int32Array;

  private constructor(asked: Iterable<string>) {
    for (const text of asked) this.#asked.internText(text);
    this.#numbers = new Int32Array(this.#asked.size + 1).fill(-1);
  }

  static *find(strings: EncodedStrings, asked: Iterable<string>): Steps<FollowUpStrings> {
    const found = new FollowUpStrings(asked);
    if (found.#asked.size > 0) yield* found.#findIn(strings);
    return found;
  }

  /**
   * The number of a string in the scan; -1: the scan did not meet it, or the root does not ask for
   * it.
   */
  numberOf(text: string): number {
    return this.#numbers[this.#asked.findText(text)]!;
  }

  /** The wanted strings, and the index in them of each number that `numberOf` returns. */
  all(): { readonly strings: EncodedStrings; readonly indexOf: ReadonlyMap<number, number> } {
    const indexOf = new Map<number, number>();
    for (let code = 1; code < this.#numbers.length; code++)
      if (this.#numbers[code]! >= 0) indexOf.set(this.#numbers[code]!, code - 1);
    return { strings: this.#asked.encodeAll(), indexOf };
  }

  *#findIn(strings: EncodedStrings): Steps<void> {
    const ends = endsOf(strings);
    const view = viewOf(strings.text);
    let start = 0;
    for (let number = 0; number < ends.length; number++) {
      if (number % stringsPerStep === 0) yield;
      const end = ends[number]!;
      const code = this.#asked.find(view, start, end, hashBytes(view, start, end, hashSeed));
      if (code > 0) this.#numbers[code] = number;
      start = end;
    }
  }
}
