import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap of this process grow to four times what is alive before all of it is collected: the most that V8 itself
 * would choose. By its own measure a small heap (17 MB here) grew by a few MB only, and as what leaves send counts too,
 * nearly every answer of some thousand groups waited for a collection of everything: 20 to 70 ms of 200.
 */
const roomyHeap = "--heap-growing-percent=300";

/**
 * The optimizer takes a function once so many bytes of its bytecode have run a few times; V8's own measure is 67,584. A query runs
 * hundreds of small ones, each once or twice: by that measure the path of one that takes a quarter of a millisecond in the end
 * took twice that until some 4,000 had been asked, now until 2,000. With 10,000 the first ones wait for compilers on
 * their cores.
 */
const eagerOptimizer = "--interrupt-budget=30000";

/** For processes that serve. Some of the few flags that V8 reads each time, and not at its start alone. */
export function tuneEngine(): void {
  setFlagsFromString(roomyHeap);
  setFlagsFromString(eagerOptimizer);
}
