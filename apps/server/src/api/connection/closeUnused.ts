import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Cuts connections without a request when the server closes. Browsers open them in advance, and Node counts them as busy:
 * closing would wait for a minute until the browser closes them.
 */
export function closeUnused(app: FastifyInstance): void {
  // By the peer, since a TLS connection has two sockets: one of TCP and one over it.
  const unused = new Map<string, Socket>();
  const peerOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;
  app.server.on("connection", (socket) => {
    const peer = peerOf(socket);
    unused.set(peer, socket);
    socket.once("close", () => unused.delete(peer));
  });
  const use = ({ socket }: { readonly socket: Socket }) => unused.delete(peerOf(socket));
  app.server.on("request", use);
  app.server.on("upgrade", use);
  app.addHook("preClose", async () => {
    for (const socket of unused.values()) socket.destroy();
  });
}
