import type { FastifyReply } from "fastify";

/** Aborts when the client goes away before the answer is sent. */
export function cancelOnDisconnect(reply: FastifyReply): AbortController {
  const controller = new AbortController();
  reply.raw.on("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller;
}
