/** The library that reads and writes Arrow. */
export type ArrowLibrary = typeof import("apache-arrow");

/** Loaded when it is first needed: it takes a tenth of a second, and most processes never do. */
export function loadArrow(): Promise<ArrowLibrary> {
  return import("apache-arrow");
}
