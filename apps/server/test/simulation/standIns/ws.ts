import { EventEmitter } from "node:events";
import type { Packet } from "../world/network.js";
import { type SimTimer, setTimeout } from "./globals.js";
import { connect, type Socket } from "./net.js";

/** `ws`: connections that keep order, are answered by pongs, and close from either end. */

const frameBytes = 6;
/** A peer that does not answer a close is left after this time, as in the real one. */
const closeMsMax = 30_000;
/** What the system's own buffers take before a sender sees that nothing moves. */
const systemBytes = 65_536;

const connecting = 0;
const opened = 1;
const closing = 2;
const closed = 3;

export class WebSocket extends EventEmitter {
  static readonly OPEN = opened;
  readonly CONNECTING = connecting;
  readonly OPEN = opened;
  readonly CLOSING = closing;
  readonly CLOSED = closed;
  readyState = connecting;
  #wire: Socket;
  #handshake: SimTimer | null = null;
  #left: SimTimer | null = null;

  constructor(url: string | null, options: { handshakeTimeout?: number } = {}, accepted?: Socket) {
    super();
    if (accepted !== undefined) {
      this.#wire = accepted;
      this.readyState = opened;
      this.#listen();
      return;
    }
    const { hostname, port, pathname } = new URL(url ?? "");
    this.#wire = connect(Number(port), hostname, () => {
      this.#wire.write(`GET ${pathname} HTTP/1.1\r\nUpgrade: websocket\r\n\r\n`);
    });
    this.#listen();
    const { handshakeTimeout } = options;
    if (handshakeTimeout === undefined) return;
    this.#handshake = setTimeout(() => {
      if (this.readyState !== connecting) return;
      this.emit("error", new Error("Opening handshake has timed out"));
      this.#wire.destroy();
    }, handshakeTimeout);
  }

  get bufferedAmount(): number {
    return Math.max(0, this.#wire.heldBytes - systemBytes);
  }

  send(bytes: Uint8Array): void {
    if (this.readyState === connecting) throw new Error("WebSocket is not open: readyState 0");
    if (this.readyState !== opened) return;
    const copy = new Uint8Array(bytes);
    this.#wire.write({ kind: "message", length: copy.length + frameBytes, bytes: copy });
  }

  ping(): void {
    if (this.readyState === opened) this.#wire.write({ kind: "ping", length: frameBytes });
  }

  close(code = 1005, reason = ""): void {
    if (this.readyState === closed || this.readyState === closing) return;
    if (this.readyState === connecting) {
      this.terminate();
      return;
    }
    this.readyState = closing;
    this.#wire.write({ kind: "close", length: frameBytes, code, reason });
    this.#left = setTimeout(() => this.#wire.destroy(), closeMsMax);
  }

  terminate(): void {
    if (this.readyState === closed) return;
    this.readyState = closing;
    this.#wire.destroy();
  }

  #listen(): void {
    this.#wire.on("data", (packet: Packet) => this.#receive(packet));
    // What went wrong follows as a close.
    this.#wire.on("error", (error) => this.emit("error", error));
    this.#wire.on("close", () => {
      if (this.readyState === closed) return;
      this.readyState = closed;
      this.#handshake?.callOff();
      this.#left?.callOff();
      this.emit("close", 1006, Buffer.alloc(0));
    });
    this.#wire.flow();
  }

  #receive(packet: Packet): void {
    switch (packet.kind) {
      case "accepted":
        this.#handshake?.callOff();
        this.readyState = opened;
        this.emit("upgrade", { socket: this.#wire });
        this.emit("open");
        return;
      case "refused":
        this.emit("error", new Error(`Unexpected server response: ${packet.reason}`));
        this.#wire.destroy();
        return;
      case "message":
        if (this.readyState === opened) this.emit("message", packet.bytes, true);
        return;
      case "ping":
        if (this.readyState === opened) this.#wire.write({ kind: "pong", length: frameBytes });
        return;
      case "close":
        if (this.readyState === opened) this.#wire.write({ ...packet });
        this.readyState = closing;
        this.#wire.destroy();
        return;
      case "pong":
        return;
      default:
        throw new Error(`a WebSocket got ${packet.kind}`);
    }
  }
}

interface UpgradeRequest {
  readonly headers: { readonly origin?: string };
}

export class WebSocketServer extends EventEmitter {
  readonly clients = new Set<WebSocket>();
  readonly #verify: (about: { readonly req: UpgradeRequest }) => boolean;

  constructor({ verifyClient = () => true }: { verifyClient?: WebSocketServer["verify"] }) {
    super();
    this.#verify = verifyClient;
  }

  get verify() {
    return this.#verify;
  }

  handleUpgrade(
    request: UpgradeRequest,
    wire: Socket,
    _head: Uint8Array,
    onAccepted: (socket: WebSocket) => void,
  ): void {
    if (!this.#verify({ req: request })) {
      wire.end("HTTP/1.1 401 Unauthorized");
      return;
    }
    wire.write({ kind: "accepted", length: frameBytes });
    const socket = new WebSocket(null, {}, wire);
    this.clients.add(socket);
    socket.on("close", () => this.clients.delete(socket));
    onAccepted(socket);
  }
}
