import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { FastifyInstance } from "fastify";
import type { ClientCap } from "../context/clientCap.js";
import { toProblem } from "./problemReply.js";
import { endWithProblem } from "./rawProblem.js";

/** How long a refused connection may take to read why. */
const lingerMs = 1_000;

export interface ConnectionCaps {
  /** Of all clients together. */
  readonly all: ClientCap;
  readonly ofClient: ClientCap;
  /** Connections of many clients come from it. */
  readonly isProxy: (address: string) => boolean;
  readonly logError: (text: string, error: unknown) => void;
}

/** Refuses connections beyond what all clients together, and each of them, may have; those that are open stay. */
export function capConnections(
  app: FastifyInstance,
  { all, ofClient, isProxy, logError }: ConnectionCaps,
): void {
  const isTls = app.server instanceof TlsServer;
  app.server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const releases: (() => void)[] = [];
    socket.once("close", () => {
      for (const release of releases) release();
    });
    try {
      releases.push(all.take("The server"));
      if (!isProxy(address)) releases.push(ofClient.take(address));
    } catch (error) {
      // Before the handshake nothing can be said that the client would read.
      if (isTls) {
        socket.destroy();
        return;
      }
      endWithProblem(socket, toProblem(error, logError));
      setTimeout(() => socket.destroy(), lingerMs).unref();
    }
  });
}
