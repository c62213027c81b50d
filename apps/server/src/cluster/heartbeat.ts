import type { Socket } from "node:net";
import type { WebSocket } from "ws";

export interface HeartbeatSettings {
  readonly pingMs: number;
  /** After this many pings without an answer the other end counts as gone. */
  readonly missedMax: number;
}

/** A half-open connection is found within 6 seconds: it may break just after a ping was answered. */
export const heartbeatDefault: HeartbeatSettings = { pingMs: 1_500, missedMax: 3 };

/**
 * Pings the other end for as long as the socket is open, and ends the socket when nothing comes
 * back. `wire` is what the socket's bytes come over; `onChange` is called with the number of
 * unanswered pings.
 */
export function startHeartbeat(
  socket: WebSocket,
  wire: Socket,
  settings: HeartbeatSettings,
  onChange: (missed: number) => void = () => {},
): void {
  let missed = 0;
  const timer = setInterval(() => {
    // The ping before this one is unanswered by now.
    if (missed > 0) onChange(missed);
    if (missed >= settings.missedMax) {
      socket.terminate();
      return;
    }
    missed += 1;
    socket.ping();
  }, settings.pingMs);
  const noteSign = (): void => {
    if (missed > 0) onChange(0);
    missed = 0;
  };
  // Any bytes are a sign of life: behind a long answer on its way a ping waits, and so does what
  // answers it.
  wire.on("data", noteSign);
  socket.on("close", () => clearInterval(timer));
}
