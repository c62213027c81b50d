interface Due {
  readonly atMs: number;
  readonly onDue: () => void;
}

const waiting = new Set<Due>();
let timer: NodeJS.Timeout | null = null;
let ringsAtMs = Number.POSITIVE_INFINITY;

/**
 * Calls `onDue` after `ms` milliseconds, unless the returned function cancels it. Nearly all deadlines are cancelled, so they
 * share one timer, which is set only if it would fire too late; a timer per deadline takes 5 µs several times per query.
 * The timer does not keep the process running.
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
