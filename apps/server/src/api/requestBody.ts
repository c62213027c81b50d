import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** How long a client that is still sending is given to read its answer before the connection is cut. */
const lingerMs = 2_000;

/** The bytes of a request as they come; none when it has no body. */
export function bodyOf(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const body = request.body as Readable | null | undefined;
  if (body === null || body === undefined) return noBytes();
  // Who stops reading early wants to answer: destroying the request would cut the connection first.
  return body.iterator({ destroyOnReturn: false });
}

/**
 * When a request is answered before its body is read, the rest is thrown away for a moment: a connection that is cut
 * while the client sends loses the answer on its way.
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
