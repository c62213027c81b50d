import type { TimeTexts } from "../../../../format/timeText.js";
import { readerStorage } from "../../../../ui/storage/browserStorage.js";

const storageKey = "hadal.recentTimes";
/** As many as a glance takes in. */
const recentMax = 5;

/** The ranges that were chosen last, newest first. */
export function recentTimes(): readonly TimeTexts[] {
  const stored = readerStorage.getItem(storageKey);
  if (stored === null) return [];
  try {
    const read: unknown = JSON.parse(stored);
    return Array.isArray(read) ? read.filter(isRange).slice(0, recentMax) : [];
  } catch {
    // Anybody may write into the browser's storage: what is no list is none.
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
