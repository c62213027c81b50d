/** Lets at most `count` pieces of work run at a time; the others wait in the order they came. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        // The place goes to the next waiter without being freed: no other call can take it.
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
