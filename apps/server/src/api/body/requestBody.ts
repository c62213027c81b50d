import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { HadalError } from "@hadal/sdk";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { afterMs } from "../../base/schedule/deadlines.js";

/** How long a client that is still sending is given to read its answer before the connection is cut. */
const lingerMs = 2_000;

/** A client that sends nothing for this long is gone, or blocks a connection on purpose. */
const bodyIdleMsMax = 15_000;

/** The bytes of a request as they come; none when it has no body. Throws `request-timeout` when none come any more. */
export function bodyOf(
  request: Pick<FastifyRequest, "body">,
  idleMsMax = bodyIdleMsMax,
): AsyncIterable<Uint8Array> {
  const body = request.body as Readable | null | undefined;
  if (body === null || body === undefined) return noBytes();
  // A reader that stops early is about to answer: destroying the request would cut the connection first.
  return withIdleLimit(body, idleMsMax);
}

/** Only the wait for bytes counts, not what the reader does with them. */
async function* withIdleLimit(body: Readable, idleMsMax: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterableIterator<Uint8Array> = body.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { value, done } = await nextWithin(chunks, idleMsMax);
      if (done === true) return;
      yield value;
    }
  } finally {
    // Releases the request, whose rest is discarded. Not awaited: without further bytes it would not end.
    void chunks.return?.().then(() => body.resume());
  }
}

function nextWithin(
  chunks: AsyncIterableIterator<Uint8Array>,
  idleMsMax: number,
): Promise<IteratorResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const callOff = afterMs(idleMsMax, () =>
      reject(new HadalError("request-timeout", { seconds: Math.round(idleMsMax / 1_000) })),
    );
    chunks.next().then(resolve, reject).finally(callOff);
  });
}

/**
 * Discards the rest of a body for a moment when the request was answered before its end: a client whose connection is cut
 * while it sends would not get the answer.
 */
export function addLinger(app: FastifyInstance): void {
  app.addHook("onResponse", async ({ raw }) => {
    if (!raw.complete && !raw.destroyed) discardRest(raw);
  });
}

function discardRest(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), lingerMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  request.once("end", stop).once("close", stop).once("error", stop);
  request.resume();
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
