import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Browsers open connections ahead of need. Node takes one that has not carried a request for busy, so that closing
 * would wait until the browser gives it up, a minute later: those are cut off when the server closes.
 */
export function closeUnused(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  app.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  const use = ({ socket }: { readonly socket: Socket }) => unused.delete(socket);
  app.server.on("request", use);
  app.server.on("upgrade", use);
  app.addHook("preClose", async () => {
    for (const socket of unused) socket.destroy();
  });
}
