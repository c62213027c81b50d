import type { TimeTexts } from "../../../format/timeText.js";
import { readerStorage } from "../../../ui/storage/browserStorage.js";

const storageKey = "hadal.recentTimes";
const recentMax = 5;

/** The ranges chosen most recently, newest first. */
export function recentTimes(): readonly TimeTexts[] {
  const stored = readerStorage.getItem(storageKey);
  if (stored === null) return [];
  try {
    const read: unknown = JSON.parse(stored);
    return Array.isArray(read) ? read.filter(isRange).slice(0, recentMax) : [];
  } catch {
    // The browser's storage may contain anything.
    return [];
  }
}

export function rememberTime(range: TimeTexts): void {
  const others = recentTimes().filter(({ from, to }) => from !== range.from || to !== range.to);
  readerStorage.setItem(storageKey, JSON.stringify([range, ...others].slice(0, recentMax)));
}

const isRange = (read: unknown): read is TimeTexts =>
  typeof read === "object" &&
  read !== null &&
  typeof (read as TimeTexts).from === "string" &&
  typeof (read as TimeTexts).to === "string";
