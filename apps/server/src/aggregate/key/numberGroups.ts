import { atOnce, type Steps } from "../../base/schedule/steps.js";
import type { ResolvedGroup } from "../../plan/query/resolvedQuery.js";
import type { KeyColumn } from "../partial/partialResult.js";
import { numberDense } from "./denseKeys.js";
import { GroupTable } from "./groupTable.js";
import { numberInts } from "./intKeys.js";
import { keysPerStep } from "./keyDictionary.js";
import { KeyWords } from "./keyWords.js";
import type { KeyedGroups, NumberedGroups } from "./numberedGroups.js";
import { takeKeys } from "./takeKeys.js";

/** Numbers the groups of all senders: by direct addressing where few keys are possible, else by hashing. */
export function* numberSteps(
  groupBy: readonly ResolvedGroup[],
  senders: readonly KeyedGroups[],
): Steps<NumberedGroups> {
  const dense = yield* numberDense(groupBy, senders);
  if (dense !== null) return dense;
  return (yield* numberInts(senders)) ?? (yield* numberHashed(groupBy, senders));
}

/** The same at once, for few groups. */
export function numberGroups(
  groupBy: readonly ResolvedGroup[],
  senders: readonly KeyedGroups[],
): NumberedGroups {
  return atOnce(numberSteps(groupBy, senders));
}

function* numberHashed(
  groupBy: readonly ResolvedGroup[],
  senders: readonly KeyedGroups[],
): Steps<NumberedGroups> {
  const keyWords = new KeyWords(groupBy);
  const { width } = keyWords;
  const most = senders.reduce((largest, { groupCount }) => Math.max(largest, groupCount), 0);
  const table = new GroupTable(width, most);
  const numbersOf: Int32Array[] = [];
  for (const { keys, groupCount } of senders) {
    const words = yield* keyWords.encodeSteps(keys, groupCount);
    const numbers = new Int32Array(groupCount);
    for (let from = 0; from < groupCount; from += keysPerStep) {
      if (from > 0) yield;
      const to = Math.min(groupCount, from + keysPerStep);
      for (let i = from; i < to; i++) numbers[i] = table.add(words, i * width);
    }
    numbersOf.push(numbers);
  }
  let known: KeyColumn[] | null = null;
  const keys = (): KeyColumn[] => {
    known ??= keyWords.decode(table.words);
    return known;
  };
  const keysOf = (groups: Uint32Array) => keys().map((key) => takeKeys(key, groups));
  return { count: table.count, numbersOf, keys, keysOf };
}
