const pollMs = 20;

/**
 * Asks again and again until the answer is not null; says what it waited for when it takes too long.
 * `what`: a function where the last answer says why.
 */
export async function waitUntil<T>(
  what: string | (() => string),
  ask: () => Promise<T | null> | T | null,
  timeoutMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) {
      const missing = typeof what === "string" ? what : what();
      throw new Error(`waited ${timeoutMs} ms in vain for ${missing}`);
    }
    await pause(pollMs);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
