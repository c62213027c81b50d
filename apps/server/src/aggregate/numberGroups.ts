import type { ResolvedGroup } from "../plan/resolvedQuery.js";
import { numberDense } from "./denseKeys.js";
import { GroupTable } from "./groupTable.js";
import { numberInts } from "./intKeys.js";
import { KeyWords } from "./keyWords.js";
import type { KeyedGroups, NumberedGroups } from "./numberedGroups.js";
import type { KeyColumn } from "./partialResult.js";
import { takeKeys } from "./takeGroups.js";

/** Numbers the groups of all senders: by direct addressing where few keys are possible, else by hashing. */
export function numberGroups(
  groupBy: readonly ResolvedGroup[],
  senders: readonly KeyedGroups[],
): NumberedGroups {
  return numberDense(groupBy, senders) ?? numberInts(senders) ?? numberHashed(groupBy, senders);
}

function numberHashed(
  groupBy: readonly ResolvedGroup[],
  senders: readonly KeyedGroups[],
): NumberedGroups {
  const keyWords = new KeyWords(groupBy);
  const { width } = keyWords;
  const most = senders.reduce((largest, { groupCount }) => Math.max(largest, groupCount), 0);
  const table = new GroupTable(width, most);
  const numbersOf = senders.map(({ keys, groupCount }) => {
    const words = keyWords.encode(keys, groupCount);
    const numbers = new Int32Array(groupCount);
    for (let i = 0; i < groupCount; i++) numbers[i] = table.add(words, i * width);
    return numbers;
  });
  let known: KeyColumn[] | null = null;
  const keys = (): KeyColumn[] => {
    known ??= keyWords.decode(table.words);
    return known;
  };
  const keysOf = (groups: Uint32Array) => keys().map((key) => takeKeys(key, groups));
  return { count: table.count, numbersOf, keys, keysOf };
}
