/** A disk that hangs must not keep a broken process alive. */
const flushMsMax = 5_000;

/**
 * From here on, an exception that nothing catches and a rejection that nothing handles end the process, as its state
 * may be wrong: the stack goes to stderr, and `flush` writes what was acknowledged.
 */
export function endOnUnexpectedError(name: string, flush: () => Promise<void>): void {
  let isEnding = false;
  const log = (what: string, error: unknown): void =>
    console.error(`${name}: ${what}: ${error instanceof Error ? error.stack : error}`);
  // Node.js raises an unhandled rejection as an uncaught exception.
  process.on("uncaughtException", async (error: unknown) => {
    log("an unexpected error ends the process", error);
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), flushMsMax);
    try {
      await flush();
    } catch (flushError) {
      log("what was acknowledged may not all be written", flushError);
    }
    process.exit(1);
  });
}
