import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap of this process grow to four times what is alive before all of it is collected: the most that V8 itself
 * would choose. By its own measure a small heap (17 MB here) grew by a few MB only, and as what leaves send counts too,
 * nearly every answer of some thousand groups waited for a collection of everything: 20 to 70 ms of 200.
 */
export function makeHeapRoomy(): void {
  // One of the few flags that V8 reads each time, and not at its start alone.
  setFlagsFromString("--heap-growing-percent=300");
}
