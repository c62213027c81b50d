/** A process whose supervisor was killed writes what it holds and ends; its successor waits that long for it. */
export const orphanMsMax = 12_000;

/** Resolves when the process that started this one has ended or has closed the channel; without one, never. */
export function parentGone(): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) return;
    if (process.connected) process.once("disconnect", resolve);
    else resolve();
  });
}
