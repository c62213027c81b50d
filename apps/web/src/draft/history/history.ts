/** A past query and its title. */
export interface PastQuestion {
  readonly url: string;
  readonly title: string;
  readonly atMs: number;
}

/** The used part of browser storage; it never throws. */
export interface TextStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const storageKey = "hadal.history";
/** About a month of use; 200 addresses of 500 bytes are a fiftieth of a browser's storage. */
const questionsMax = 200;
/** A longer address is not stored. */
const urlMax = 8_000;

/** Newest first. Browser storage may contain anything: invalid entries are skipped. */
export function readHistory(store: TextStore): readonly PastQuestion[] {
  try {
    const parsed: unknown = JSON.parse(store.getItem(storageKey) ?? "[]");
    return Array.isArray(parsed) ? parsed.filter(isPastQuestion) : [];
  } catch {
    return [];
  }
}

/** The history with a query added; a known query moves to the front. */
export function remember(store: TextStore, question: PastQuestion): void {
  if (question.url.length > urlMax) return;
  const others = readHistory(store).filter(({ url }) => url !== question.url);
  store.setItem(storageKey, JSON.stringify([question, ...others].slice(0, questionsMax)));
}

function isPastQuestion(value: unknown): value is PastQuestion {
  if (typeof value !== "object" || value === null) return false;
  const { url, title, atMs } = value as Partial<Record<keyof PastQuestion, unknown>>;
  return (
    typeof url === "string" &&
    url.startsWith("/explore?") &&
    typeof title === "string" &&
    typeof atMs === "number"
  );
}
