import type { IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { decodeFrame, encodeFrame } from "./frame.js";
import { type HeartbeatSettings, heartbeatDefault, startHeartbeat } from "./heartbeat.js";
import type { LeafHandlers } from "./leafHandlers.js";
import {
  type LeafHello,
  type LeafRequest,
  type LeafWelcome,
  leafFrameBytesMax,
  wrongKeyCloseCode,
} from "./leafProtocol.js";
import { LeafSession } from "./leafSession.js";
import { keysEqual } from "./sharedKey.js";

export interface LeafServerOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Shared by all members of the cluster; a connection without it is closed. */
  readonly key: string;
  readonly handlers: LeafHandlers;
  /** For the log: failures that no input caused; `about` names the request that one ended. */
  readonly onError: (error: unknown, about?: string) => void;
  readonly heartbeat?: HeartbeatSettings;
  /** How long a connection may take to introduce itself. */
  readonly helloMs?: number;
}

export interface LeafServer {
  readonly port: number;
  close(): Promise<void>;
}

const helloMsDefault = 5_000;
/**
 * A hello has a key and an id: a peer that sends more before it is admitted is no member. Frames
 * may be long after that.
 */
const helloBytesMax = 65_536;

/** Listens for aggregators. Resolves once it does; rejects when the port cannot be had. */
export async function createLeafServer(options: LeafServerOptions): Promise<LeafServer> {
  const server = new WebSocketServer({
    host: options.host,
    port: options.port,
    maxPayload: leafFrameBytesMax,
    // Members send no origin: web pages do not have the key.
    verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.origin === undefined,
    perMessageDeflate: false,
  });
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", reject);
  });
  server.on("error", (error) => options.onError(error));
  /** The connection of each client. */
  const clients = new Map<string, WebSocket>();
  server.on("connection", (socket, request) => {
    acceptConnection(socket, request.socket, clients, options);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve, reject) => {
        for (const socket of server.clients) socket.terminate();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
}

function acceptConnection(
  socket: WebSocket,
  wire: Socket,
  clients: Map<string, WebSocket>,
  options: LeafServerOptions,
): void {
  let session: LeafSession | null = null;
  let clientId = "";
  const helloTimer = setTimeout(() => socket.terminate(), options.helloMs ?? helloMsDefault);
  const stopCounting = boundBytes(wire, helloBytesMax, () => socket.terminate());
  startHeartbeat(socket, wire, options.heartbeat ?? heartbeatDefault);

  socket.on("message", (message, isBinary) => {
    const receivedMs = performance.now();
    try {
      const { header, body } = decodeFrame<LeafHello | LeafRequest>(bytesOf(message, isBinary));
      if (session !== null) {
        session.receive(header as LeafRequest, body, receivedMs);
        return;
      }
      if (header.kind !== "hello" || !keysEqual(String(header.key), options.key)) {
        socket.close(wrongKeyCloseCode, "wrong key");
        return;
      }
      clearTimeout(helloTimer);
      stopCounting();
      clientId = header.clientId;
      clients.get(clientId)?.terminate();
      clients.set(clientId, socket);
      session = new LeafSession(socket, options.handlers, options.onError);
      socket.send(encodeFrame({ kind: "welcome" } satisfies LeafWelcome));
    } catch (error) {
      // A peer that sends no frames is no member, or has another version.
      options.onError(error);
      socket.close(1002, "not a frame");
    }
  });
  socket.on("close", () => {
    clearTimeout(helloTimer);
    session?.end();
    if (clients.get(clientId) === socket) clients.delete(clientId);
  });
  socket.on("error", (error) => options.onError(error));
}

/**
 * Calls `onExceed` when more bytes have come than that, as whole frames or not; until it is called
 * off.
 */
function boundBytes(wire: Socket, bytesMax: number, onExceed: () => void): () => void {
  let left = bytesMax;
  const count = (bytes: Uint8Array): void => {
    left -= bytes.length;
    if (left < 0) onExceed();
  };
  // Behind the socket's own listener, which may call it off with these bytes.
  wire.on("data", count);
  return () => {
    left = Number.POSITIVE_INFINITY;
    wire.off("data", count);
  };
}

function bytesOf(message: unknown, isBinary: boolean): Uint8Array {
  if (!isBinary || !(message instanceof Uint8Array)) throw new Error("message is not binary");
  return message;
}
