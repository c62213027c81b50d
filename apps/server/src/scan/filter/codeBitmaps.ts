import { assert } from "../../base/assert.js";
import { LaterWork, StepMeter, type Steps } from "../../base/schedule/steps.js";
import { createListMatch } from "../../base/text/matchList.js";
import type { Dictionary } from "../../column/dictionary.js";
import { ListDictionary } from "../../column/listDictionary.js";
import type { ColumnDictionary } from "../../column/segmentColumn.js";
import { type ListCondition, listMatchOf } from "../../plan/filter/listCondition.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { createStringTest } from "../pattern/stringTest.js";
import { type CodedCondition, isOnLists, type StringCondition, testOf } from "./codedCondition.js";

/** A bit for each code of a dictionary that passes a condition. */
export interface CodeBitmap {
  readonly bitmap: number;
  readonly codeCount: number;
}

/** Conditions on coded columns, decided once for each distinct value. */
export class CodeBitmaps {
  /** By condition, so that two patterns on one column never mix. */
  readonly #bitmaps = new Map<CodedCondition, Map<ColumnDictionary, CodeBitmap>>();
  readonly #unfilled = new LaterWork();

  readonly #memory: QueryMemory;

  constructor(memory: QueryMemory) {
    this.#memory = memory;
  }

  /** Address of the bitmap, whose bits {@link fill} writes. */
  bitmapOf(condition: CodedCondition, dictionary: ColumnDictionary): CodeBitmap {
    let ofCondition = this.#bitmaps.get(condition);
    if (ofCondition === undefined) {
      ofCondition = new Map();
      this.#bitmaps.set(condition, ofCondition);
    }
    let found = ofCondition.get(dictionary);
    if (found === undefined) {
      // The dictionary may grow before all is decided: by codes that no row of this query has.
      const { codeCount } = dictionary;
      found = { bitmap: this.#memory.bitmap(codeCount), codeCount };
      ofCondition.set(dictionary, found);
      this.#decide(condition, dictionary, found);
    }
    return found;
  }

  /** Writes the bitmaps, in steps: testing a hard pattern on a million values takes seconds. */
  fill(): Steps<void> {
    return this.#unfilled.finish();
  }

  #decide(condition: CodedCondition, dictionary: ColumnDictionary, found: CodeBitmap): void {
    if (dictionary instanceof ListDictionary) {
      assert(isOnLists(condition), "conditions on strings never meet lists");
      this.#unfilled.note(this.#testLists(condition, dictionary, found));
    } else if (condition.kind === "strings" && !condition.negated) {
      for (const value of condition.values) {
        const code = dictionary.codeOf(value);
        if (code !== 0) this.#set(found, code);
      }
    } else this.#unfilled.note(this.#testStrings(condition, dictionary, found));
  }

  *#testLists(
    condition: ListCondition,
    dictionary: ListDictionary,
    found: CodeBitmap,
  ): Steps<void> {
    const { elements } = dictionary;
    const holds = createListMatch(
      listMatchOf(condition),
      (value) => elements.codeOf(value) || null,
    );
    const meter = new StepMeter();
    for (let code = 1; code < found.codeCount; code++) {
      const list = dictionary.listOf(code);
      if (holds(list) !== condition.negated) this.#set(found, code);
      if (meter.isFull(list.length)) yield;
    }
  }

  *#testStrings(
    condition: StringCondition | ListCondition,
    dictionary: Dictionary,
    found: CodeBitmap,
  ): Steps<void> {
    const test = createStringTest(testOf(condition));
    const meter = new StepMeter();
    for (let code = 1; code < found.codeCount; code++) {
      const value = dictionary.valueOf(code);
      if (test(value) !== condition.negated) this.#set(found, code);
      if (meter.isFull(value.length)) yield;
    }
  }

  #set({ bitmap }: CodeBitmap, code: number): void {
    this.#memory.leaf.bytes[bitmap + (code >> 3)]! |= 1 << (code & 7);
  }
}
