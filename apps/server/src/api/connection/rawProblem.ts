import type { Duplex } from "node:stream";
import { type Problem, problemCodes } from "@hadal/sdk";

/** Sends a problem on a connection without reading a request, and ends it. */
export function endWithProblem(socket: Duplex, problem: Problem): void {
  const body = JSON.stringify(problem);
  const retry = problemCodes[problem.code].retry ? "Retry-After: 1\r\n" : "";
  socket.on("error", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${problem.status} Refused\r\nConnection: close\r\n${retry}Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
