import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ClientCap } from "../context/clientCap.js";
import { toProblem } from "./problemReply.js";
import { endWithProblem } from "./rawProblem.js";

/** How long a refused connection may take to read why. */
const lingerMs = 1_000;

/** Refuses connections beyond what all clients together, and each of them, may have; those that are open stay. */
export function capConnections(
  app: FastifyInstance,
  all: ClientCap,
  ofClient: ClientCap,
  logError: (text: string, error: unknown) => void,
): void {
  app.server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const releases: (() => void)[] = [];
    socket.once("close", () => {
      for (const release of releases) release();
    });
    try {
      releases.push(all.take("The server"));
      releases.push(ofClient.take(address));
    } catch (error) {
      endWithProblem(socket, toProblem(error, logError));
      setTimeout(() => socket.destroy(), lingerMs).unref();
    }
  });
}
