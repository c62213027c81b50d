import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { Result } from "../../model/result.js";
import type { ClientFrame, ServerFrame } from "../../wire/frames.js";

export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface PeerAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * The far end of a client in tests: it answers what the script of the test says, and remembers what
 * it was asked.
 */
export interface Peer {
  readonly url: string;
  readonly requests: PeerRequest[];
  readonly frames: ClientFrame[];
  readonly connections: WebSocket[];
  answer: (request: PeerRequest) => PeerAnswer | "hang up" | Promise<PeerAnswer>;
  onFrame: (
    frame: ClientFrame,
    send: (frame: ServerFrame | string) => void,
    socket: WebSocket,
  ) => void;
  close(): Promise<void>;
}

export async function createPeer(): Promise<Peer> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const asked: PeerRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(parts).toString("utf8"),
    };
    peer.requests.push(asked);
    const answer = await peer.answer(asked);
    if (answer === "hang up") {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  });
  const sockets = new WebSocketServer({ server, path: "/api/v1/live" });
  sockets.on("connection", (socket) => {
    peer.connections.push(socket);
    socket.on("message", (bytes) => {
      const frame = JSON.parse(String(bytes)) as ClientFrame;
      peer.frames.push(frame);
      const send = (sent: ServerFrame | string): void =>
        socket.send(typeof sent === "string" ? sent : JSON.stringify(sent));
      peer.onFrame(frame, send, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const peer: Peer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    frames: [],
    connections: [],
    answer: () => ({ status: 404, body: {} }),
    onFrame: () => undefined,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return peer;
}

/** A small answer whose single cell is `value`. */
export function resultOf(value: number | string, isFinal: "partial" | "final" = "final"): Result {
  return {
    columns: [{ name: "count", type: "int", role: "aggregate" }],
    rows: [[value]],
    completeness: {
      fraction: 1,
      rowsExpected: 1,
      rowsAnswered: 1,
      leaves: { answered: 1, total: 1, missing: [] },
    },
    intervals: {},
    asOf: 0,
    final: isFinal === "final",
    truncated: null,
    stats: {
      rowsScanned: 1,
      rowsMatched: 1,
      bytesScanned: 8,
      segments: 1,
      segmentsSkipped: 0,
      cache: "miss",
      elapsedMs: 1,
      scanMs: 1,
      mergeMs: 0,
    },
  };
}

export function answerFrame(
  kind: "partial" | "final",
  id: string,
  seq: number,
  value: number | string,
): ServerFrame & { kind: "partial" | "final" } {
  return { kind, id, seq, ...resultOf(value, kind) };
}
