import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { decodeFrame, encodeFrame } from "./frame.js";
import { type HeartbeatSettings, heartbeatDefault, startHeartbeat } from "./heartbeat.js";
import { linkServerOptions } from "./key/linkTls.js";
import { keysEqual } from "./key/sharedKey.js";
import {
  type LeafHello,
  type LeafWelcome,
  leafFrameBytesMax,
  protocolVersion,
  wrongKeyCloseCode,
  wrongVersionCloseCode,
} from "./leafProtocol.js";

/** One connection's requests, once it has the key. */
export interface MemberSession<Request> {
  /** `receivedMs`: when its frame came, on the clock of performance.now(). */
  receive(request: Request, body: Uint8Array, receivedMs: number): void;
  /** The connection is closed. */
  end(): void;
}

export type OnError = (error: unknown, about?: string) => void;

export interface MemberServerOptions<Request> {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Shared by all members of the cluster; a connection without it is closed. */
  readonly key: string;
  /** Connections are encrypted with the key. Absent: they are not. */
  readonly tls?: boolean;
  readonly openSession: (socket: WebSocket) => MemberSession<Request>;
  /** Takes connections that are for another process; false: it does not. */
  readonly passOn?: (request: IncomingMessage, wire: Duplex, head: Buffer) => boolean;
  /** For the log: failures that no input caused; `about` names the request that one ended. */
  readonly onError: OnError;
  readonly heartbeat?: HeartbeatSettings;
  /** How long a connection may take to introduce itself. */
  readonly helloMs?: number;
}

export interface MemberServer {
  readonly port: number;
  close(): Promise<void>;
}

const helloMsDefault = 5_000;
/**
 * A hello has a key and an id: a peer that sends more before it is admitted is no member. Frames
 * may be long after that.
 */
const helloBytesMax = 65_536;

/** Listens for members of the cluster. Resolves once it does; rejects when the port cannot be had. */
export async function createMemberServer<Request extends { readonly kind: string }>(
  options: MemberServerOptions<Request>,
): Promise<MemberServer> {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: leafFrameBytesMax,
    // Members send no origin: web pages do not have the key.
    verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.origin === undefined,
    perMessageDeflate: false,
  });
  const refuse: RequestListener = (_, reply) => reply.writeHead(426).end("WebSocket only");
  const http =
    options.tls === true
      ? createTlsServer(linkServerOptions(options.key), refuse)
      : createServer(refuse);
  const wires = new Set<Socket>();
  http.on("connection", (wire) => {
    wires.add(wire);
    wire.on("close", () => wires.delete(wire));
  });
  http.on("upgrade", (request, wire, head) => {
    if (options.passOn?.(request, wire, head) === true) return;
    server.handleUpgrade(request, wire, head, (socket) =>
      server.emit("connection", socket, request),
    );
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(options.port, options.host, () => {
      http.off("error", reject);
      resolve();
    });
  });
  http.on("error", (error) => options.onError(error));
  // A process id alone may come again: in a container it does.
  const started: StartedServer = {
    startId: `${process.pid} ${Date.now()}`,
    clients: new Map(),
  };
  server.on("connection", (socket, request) => {
    acceptConnection(socket, request.socket, started, options);
  });
  return {
    port: (http.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve, reject) => {
        http.close((error) => (error === undefined ? resolve() : reject(error)));
        // Also those that were passed on: the server would wait for their other ends.
        for (const wire of wires) wire.destroy();
      }),
  };
}

interface StartedServer {
  /** Names this start. */
  readonly startId: string;
  /** The connection of each client. */
  readonly clients: Map<string, WebSocket>;
}

function acceptConnection<Request extends { readonly kind: string }>(
  socket: WebSocket,
  wire: Socket,
  { startId, clients }: StartedServer,
  options: MemberServerOptions<Request>,
): void {
  let session: MemberSession<Request> | null = null;
  let clientId = "";
  const helloTimer = setTimeout(() => socket.terminate(), options.helloMs ?? helloMsDefault);
  const stopCounting = boundBytes(wire, helloBytesMax, () => socket.terminate());
  startHeartbeat(socket, wire, options.heartbeat ?? heartbeatDefault);

  socket.on("message", (message, isBinary) => {
    const receivedMs = performance.now();
    try {
      const { header, body } = decodeFrame<LeafHello | Request>(bytesOf(message, isBinary));
      if (session !== null) {
        session.receive(header as Request, body, receivedMs);
        return;
      }
      const refused = refusalOf(header as Partial<LeafHello>, options.key);
      if (refused !== null) {
        socket.close(...refused);
        return;
      }
      clearTimeout(helloTimer);
      stopCounting();
      ({ clientId } = header as LeafHello);
      clients.get(clientId)?.terminate();
      clients.set(clientId, socket);
      session = options.openSession(socket);
      socket.send(encodeFrame({ kind: "welcome", startId } satisfies LeafWelcome));
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

/** Why a first message does not open a session: the code and reason of the close; null: it does. */
function refusalOf(
  hello: Partial<LeafHello>,
  key: string,
): readonly [code: number, reason: string] | null {
  if (hello.kind !== "hello" || !keysEqual(String(hello.key), key)) {
    return [wrongKeyCloseCode, "wrong key"];
  }
  const { protocol = 1 } = hello;
  return Math.abs(protocol - protocolVersion) <= 1
    ? null
    : [wrongVersionCloseCode, `protocol ${protocol} with ${protocolVersion}`];
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
