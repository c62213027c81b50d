/** Texts by key. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/**
 * A browser storage that never throws. Texts that it rejects, because it is full or forbidden as in a frame of
 * another site, are kept while the page is open. `find` may throw too.
 */
export function forgivingStorage(find: () => TextStorage | null): TextStorage {
  const kept = new Map<string, string>();
  const attempt = <Value>(use: (storage: TextStorage | null) => Value): Value | undefined => {
    try {
      return use(find());
    } catch {
      return undefined;
    }
  };
  return {
    getItem: (key) => kept.get(key) ?? attempt((storage) => storage?.getItem(key)) ?? null,
    setItem(key, text) {
      kept.set(key, text);
      attempt((storage) => {
        if (storage === null) return;
        storage.setItem(key, text);
        kept.delete(key);
      });
    },
    removeItem(key) {
      kept.delete(key);
      attempt((storage) => storage?.removeItem(key));
    },
  };
}

/** Kept by the browser for its user. */
export const readerStorage: TextStorage = forgivingStorage(() => localStorage);

/** Kept by a tab until it is closed. */
export const tabStorage: TextStorage = forgivingStorage(() => sessionStorage);
