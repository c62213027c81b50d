import type { WebSocket } from "ws";
import type { LiveLimits } from "../context/deps.js";

export interface SocketPings {
  /** There was a sign of life. */
  hear(): void;
  stop(): void;
}

/** Finds peers that are gone without a word. */
export function startPings(socket: WebSocket, limits: LiveLimits): SocketPings {
  let missed = 0;
  const hear = (): void => {
    missed = 0;
  };
  socket.on("pong", hear);
  const timer = setInterval(() => {
    if (missed >= limits.pingsMissedMax) {
      socket.terminate();
      return;
    }
    missed++;
    socket.ping();
  }, limits.pingMs);
  timer.unref();
  return { hear, stop: () => clearInterval(timer) };
}
