interface Due {
  readonly atMs: number;
  readonly onDue: () => void;
}

const waiting = new Set<Due>();
let timer: NodeJS.Timeout | null = null;
let ringsAtMs = Number.POSITIVE_INFINITY;

/**
 * Calls `onDue` after so many milliseconds, unless it is called off by what is returned. Deadlines are nearly all
 * called off: they share one timer, set only when none would ring in time, where one of each query's own takes 5 µs
 * several times. The timer alone keeps no process running.
 */
export function afterMs(ms: number, onDue: () => void): () => void {
  const due = { atMs: performance.now() + ms, onDue };
  waiting.add(due);
  if (due.atMs < ringsAtMs) setTimer(due.atMs);
  return () => {
    waiting.delete(due);
  };
}

function setTimer(atMs: number): void {
  if (timer !== null) clearTimeout(timer);
  ringsAtMs = atMs;
  timer = setTimeout(ring, Math.max(1, Math.ceil(atMs - performance.now())));
  timer.unref();
}

function ring(): void {
  timer = null;
  ringsAtMs = Number.POSITIVE_INFINITY;
  const nowMs = performance.now();
  let nextMs = Number.POSITIVE_INFINITY;
  for (const due of waiting) {
    if (due.atMs > nowMs) {
      nextMs = Math.min(nextMs, due.atMs);
      continue;
    }
    waiting.delete(due);
    due.onDue();
  }
  if (nextMs < ringsAtMs) setTimer(nextMs);
}
