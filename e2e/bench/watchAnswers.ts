import type { Page } from "@playwright/test";

export interface AnswerTimes {
  /** From the click to the first answer on the screen, partial or final. */
  readonly firstMs: number;
  readonly finalMs: number;
  /** The part of `finalMs` after the last frame arrived: parsing, building and painting. */
  readonly drawMs: number;
}

interface Watched {
  start(): void;
  times(): AnswerTimes | null;
}

/** Measures in the page when the frames of the main query arrive and are painted. */
export async function watchAnswers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let [startMs, firstMs, finalMs, arrivedMs] = [0, Number.NaN, Number.NaN, Number.NaN];
    // The first query of a dive is the main one; the others are for other parts of the page.
    let mainId: string | null = null;
    // Changes of a message are painted within two animation frames.
    const painted = (then: (nowMs: number) => void) =>
      requestAnimationFrame(() => requestAnimationFrame(() => then(performance.now() - startMs)));
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        this.addEventListener("message", ({ data }) => {
          if (typeof data !== "string" || startMs === 0) return;
          const head = data.slice(0, 200);
          if (mainId === null || !head.includes(`"id":"${mainId}"`)) return;
          const isPartial = head.includes('"kind":"partial"');
          const isFinal = head.includes('"kind":"final"');
          if (!isPartial && !isFinal) return;
          if (Number.isNaN(firstMs)) {
            firstMs = -1;
            painted((nowMs) => {
              firstMs = nowMs;
            });
          }
          if (isFinal && Number.isNaN(finalMs)) {
            finalMs = -1;
            arrivedMs = performance.now() - startMs;
            painted((nowMs) => {
              finalMs = nowMs;
            });
          }
        });
      }

      override send(text: string): void {
        const { kind, id } = JSON.parse(text) as { kind: string; id: string };
        if (kind === "query" || kind === "subscribe") mainId ??= id;
        super.send(text);
      }
    };
    const watched = {
      start() {
        mainId = null;
        [startMs, firstMs, finalMs] = [performance.now(), Number.NaN, Number.NaN];
      },
      times: () =>
        firstMs > 0 && finalMs > 0 ? { firstMs, finalMs, drawMs: finalMs - arrivedMs } : null,
    };
    Object.assign(window, { watched });
  });
}

/** Times one dive, from the click to the paint of the final frame. */
export async function timeDive(page: Page): Promise<AnswerTimes> {
  await page.evaluate(() => {
    (window as unknown as { watched: Watched }).watched.start();
    document.querySelector<HTMLElement>('[data-testid="dive"]')?.click();
  });
  const times = await page.waitForFunction(
    () => (window as unknown as { watched: Watched }).watched.times(),
    undefined,
    { polling: "raf" },
  );
  return (await times.jsonValue()) as AnswerTimes;
}
