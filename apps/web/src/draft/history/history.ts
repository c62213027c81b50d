/** A question that was asked, and what it was called. */
export interface PastQuestion {
  readonly url: string;
  readonly title: string;
  readonly atMs: number;
}

/** The part of the browser's storage that is used; it throws nothing. */
export interface TextStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const storageKey = "hadal.history";
/** A month of a busy reader; 200 addresses of 500 bytes are a fiftieth of what a browser stores. */
const questionsMax = 200;
/** What took an essay of filters is shared, not remembered. */
const urlMax = 8_000;

/** Newest first; anybody may write into the browser's storage: what is no question is left out. */
export function readHistory(store: TextStore): readonly PastQuestion[] {
  try {
    const parsed: unknown = JSON.parse(store.getItem(storageKey) ?? "[]");
    return Array.isArray(parsed) ? parsed.filter(isPastQuestion) : [];
  } catch {
    return [];
  }
}

/** The history with one more question; the same one again moves to the front. */
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
