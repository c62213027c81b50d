import { test as base, type CDPSession, type Page } from "@playwright/test";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";

const rows = Number(process.env.HADAL_BENCH_ROWS ?? 1_000_000);

/** One program with the demo's history for all measurements of a file. */
// biome-ignore lint/complexity/noBannedTypes: only worker fixtures
export const test = base.extend<{}, { hadal: Hadal }>({
  hadal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const hadal = await startHadal({ leaves: 2, demoRows: rows, readyMsMax: 600_000 });
      await use(hadal);
      await hadal.stop();
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

/** Frames a second that the page draws within this time. */
export function countFrames(page: Page, ms: number): Promise<number> {
  return page.evaluate(
    (durationMs) =>
      new Promise<number>((resolve) => {
        const startMs = performance.now();
        let frames = 0;
        const count = (nowMs: number): void => {
          frames++;
          if (nowMs - startMs < durationMs) requestAnimationFrame(count);
          else resolve((frames * 1_000) / (nowMs - startMs));
        };
        requestAnimationFrame(count);
      }),
    ms,
  );
}

/** Bytes of the page's heap that are still used after a collection. */
export async function heapBytes(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}
