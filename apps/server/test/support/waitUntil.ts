const pollMs = 20;

/** Asks again and again until the answer is not null; says what it waited for when it takes too long. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | null> | T | null,
  timeoutMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(pollMs);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
