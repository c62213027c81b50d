import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { HadalError } from "@hadal/sdk";
import { WebSocket } from "ws";
import { afterMs } from "../base/schedule/deadlines.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { decodeFrame, encodeFrame, encodePrintedFrame, type Frame } from "./frame.js";
import { type HeartbeatSettings, heartbeatDefault, startHeartbeat } from "./heartbeat.js";
import { linkClientOptions } from "./key/linkTls.js";
import type {
  LeafConnection,
  LeafConnectionOptions,
  LeafState,
  RequestOptions,
  StreamOptions,
  TreeStreamOptions,
} from "./leafConnection.js";
import {
  type LeafHello,
  type LeafRequestBody,
  type LeafWelcome,
  leafFrameBytesMax,
  printQueryRequest,
  protocolVersion,
} from "./leafProtocol.js";
import { type LeafReply, type LeafStatus, readReply } from "./leafReply.js";
import { type PartsReply, readParts } from "./treeProtocol.js";
import type { WindowCounts } from "./windowCounts.js";

interface Exchange {
  /** True when this reply is the last. */
  onReply(reply: Frame<LeafReply | PartsReply>): boolean;
  /** Ends it, with an error or without. */
  end(error: Error | null): void;
}

const backoffDefault = { minMs: 50, maxMs: 1_000 };
const handshakeMs = 2_000;
/** Who is there confirms a cancel sooner: work below it has to end in 250 ms. */
const cancelMsMax = 100;

export function createLeafConnection(options: LeafConnectionOptions): LeafConnection {
  const connection = new Connection(options);
  connection.reconnect();
  return connection;
}

class Connection implements LeafConnection {
  readonly id: string;
  address: string | null = null;
  state: LeafState = "suspect";
  freeBytes = 0;
  status: LeafStatus | null = null;
  startId: string | null = null;
  windows: WindowCounts | null = null;
  lastHeardMs = 0;

  readonly #options: LeafConnectionOptions;
  readonly #heartbeat: HeartbeatSettings;
  readonly #clientId: string;
  readonly #exchanges = new Map<number, Exchange>();
  /** Requests that wait for the connection; called with null when it is open. */
  #waiting = new Set<(error: Error | null) => void>();
  #socket: WebSocket | null = null;
  #welcomed = false;
  #welcomes = 0;
  #closed = false;
  #nextId = 1;
  #backoffMs: number;
  #retryTimer: NodeJS.Timeout | undefined;
  #statusTimer: NodeJS.Timeout | undefined;

  constructor(options: LeafConnectionOptions) {
    this.#options = options;
    this.id = options.id;
    this.#clientId = options.clientId ?? randomUUID();
    this.#heartbeat = options.heartbeat ?? heartbeatDefault;
    this.#backoffMs = (options.backoff ?? backoffDefault).minMs;
  }

  request(
    request: LeafRequestBody,
    body: Uint8Array | undefined,
    { timeoutMs, signal }: RequestOptions,
  ): Promise<Frame<LeafReply>> {
    let answer: Frame<LeafReply> | null = null;
    const onReply = ({ header, body }: Frame<LeafReply | PartsReply>): boolean => {
      if (header.kind === "parts") throw new Error("a leaf answered as an aggregator does");
      answer = { header, body };
      return true;
    };
    const print = (id: number): string => JSON.stringify({ ...request, id });
    return this.#exchange(print, body, { budgetMs: timeoutMs, signal, onReply }).then(() => {
      if (answer === null) throw new Error("an exchange ended without its reply");
      return answer;
    });
  }

  streamQuery(
    query: ResolvedQuery,
    { budgetMs, signal, snapshot, onPartial }: StreamOptions,
  ): Promise<void> {
    const print = (id: number, leftMs: number): string =>
      printQueryRequest(id, leftMs, query, snapshot);
    const onReply = ({ header, body }: Frame<LeafReply | PartsReply>): boolean => {
      if (header.kind !== "partial") throw new Error(`a query was answered with ${header.kind}`);
      const { done, workMs, stats } = header;
      onPartial({ done, workMs, stats, body });
      return done;
    };
    return this.#exchange(print, undefined, { budgetMs, signal, onReply });
  }

  streamTree(
    query: ResolvedQuery,
    { budgetMs, signal, onParts, onUnheard, ...tree }: TreeStreamOptions,
  ): Promise<void> {
    const treeIdOf = (id: number): string => tree.treeId ?? `${this.#clientId} ${this.id} ${id}`;
    const print = (id: number, leftMs: number): string =>
      JSON.stringify({
        ...{ kind: "tree", id, query, budgetMs: leftMs, machines: tree.machines },
        ...{ fanOut: tree.fanOut, snapshot: tree.snapshot, treeId: treeIdOf(id) },
      });
    const onReply = ({ header, body }: Frame<LeafReply | PartsReply>): boolean => {
      if (header.kind !== "parts") throw new Error(`a tree was answered with ${header.kind}`);
      onParts(readParts(header, body));
      return header.done;
    };
    const onLost = (id: number): void => onUnheard?.(treeIdOf(id));
    return this.#exchange(print, undefined, { budgetMs, signal, onReply, onLost });
  }

  cancelTree(treeId: string): void {
    const print = (id: number): string => JSON.stringify({ kind: "cancelTree", id, treeId });
    const sent = { budgetMs: handshakeMs, signal: undefined, onReply: () => true };
    // One of an older version does not know it; a machine that is not there has nothing to end.
    this.#exchange(print, undefined, sent).catch(() => undefined);
  }

  reconnect(): void {
    if (this.#closed || this.#welcomed) return;
    clearTimeout(this.#retryTimer);
    this.#backoffMs = (this.#options.backoff ?? backoffDefault).minMs;
    const stale = this.#socket;
    this.#connect();
    stale?.terminate();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    this.#socket?.terminate();
    this.#lose();
    this.#setState("dead");
  }

  /**
   * Sends a request once connected, and passes its replies to `onReply` until that returns the
   * result.
   */
  #exchange(
    print: (id: number, leftMs: number) => string,
    body: Uint8Array | undefined,
    options: {
      readonly budgetMs: number;
      readonly signal: StopSignal | undefined;
      readonly onReply: Exchange["onReply"];
      /** Called where it was sent, and the other end may not know that it is over. */
      readonly onLost?: (id: number) => void;
    },
  ): Promise<void> {
    const { signal, budgetMs, onReply, onLost = () => undefined } = options;
    if (signal?.aborted) return Promise.reject(new HadalError("cancelled"));
    const deadline = performance.now() + budgetMs;
    return new Promise((resolve, reject) => {
      let id = 0;
      let isOver = false;
      const end = (error: Error | null): void => {
        isOver = true;
        callOff();
        signal?.removeEventListener("abort", abort);
        // Still there, but the caller no longer waits for the rest.
        if (this.#exchanges.delete(id)) this.#cancel(id, () => onLost(id));
        else if (id > 0 && isConnectionLost(error)) onLost(id);
        if (error === null) resolve();
        else reject(error);
      };
      const abort = (): void => end(new HadalError("cancelled"));
      const callOff = afterMs(budgetMs, () => end(this.#lost("did not answer in time")));
      signal?.addEventListener("abort", abort, { once: true });
      const send = (): void => {
        if (isOver) return;
        id = this.#nextId++;
        this.#exchanges.set(id, { onReply, end });
        const header = print(id, Math.max(0, deadline - performance.now()));
        this.#socket?.send(encodePrintedFrame(header, body === undefined ? [] : [body]));
      };
      // Without awaiting a settled promise: the request is sent at once.
      if (this.#welcomed) attempt(send, end);
      else this.#connected().then(() => attempt(send, end), end);
    });
  }

  /** `onUnheard` is called where the other end does not confirm it. */
  #cancel(queryId: number, onUnheard: () => void): void {
    if (!this.#welcomed) return;
    const id = this.#nextId++;
    const end = (error: Error | null): void => {
      callOff();
      this.#exchanges.delete(id);
      if (error !== null) onUnheard();
    };
    const callOff = afterMs(cancelMsMax, () => end(this.#lost("did not confirm a cancel")));
    this.#exchanges.set(id, { onReply: () => true, end });
    this.#socket?.send(encodeFrame({ kind: "cancel", id, queryId }));
  }

  /** Resolves when the leaf is connected; rejects at once when it is dead. */
  #connected(): Promise<void> {
    if (this.#welcomed) return Promise.resolve();
    if (this.state === "dead") return Promise.reject(this.#lost("is dead"));
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null): void => {
        this.#waiting.delete(settle);
        if (error === null) resolve();
        else reject(error);
      };
      this.#waiting.add(settle);
    });
  }

  #connect(): void {
    this.address = this.#options.address();
    if (this.address === null) {
      this.#setState("dead");
      this.#retry();
      return;
    }
    const { tls = false, key } = this.#options;
    const socket = new WebSocket(`${tls ? "wss" : "ws"}://${this.address}`, {
      ...(tls ? linkClientOptions(key) : {}),
      maxPayload: leafFrameBytesMax,
      perMessageDeflate: false,
      handshakeTimeout: handshakeMs,
      // Masking guards proxies against pages of strangers; between two nodes it only costs, and
      // zeros skip it.
      generateMask: (mask) => mask.fill(0),
    });
    this.#socket = socket;
    let wire: Socket | null = null;
    socket.on("open", () => {
      // Not before: who listens to the wire earlier takes from it what came with the answer to the
      // handshake.
      if (wire !== null) {
        startHeartbeat(socket, wire, this.#heartbeat, (missed) => this.#onPings(socket, missed));
      }
      const hello: LeafHello = {
        ...{ kind: "hello", key, clientId: this.#clientId },
        protocol: protocolVersion,
      };
      socket.send(encodeFrame(hello));
    });
    socket.on("upgrade", (response) => {
      wire = response.socket;
    });
    socket.on("message", (message) => {
      if (socket !== this.#socket) return;
      try {
        const { header, body } = decodeFrame<LeafReply | PartsReply | LeafWelcome>(
          message as Uint8Array,
        );
        this.#receive({ header: readReply(header), body });
      } catch {
        socket.terminate();
      }
    });
    // What went wrong shows as the close that follows.
    socket.on("error", () => {});
    socket.on("close", () => this.#onClose(socket));
  }

  #receive({ header, body }: Frame<LeafReply | PartsReply | LeafWelcome>): void {
    this.lastHeardMs = Date.now();
    if (header.kind === "welcome") {
      // A leaf of an older version may have started again whenever it is connected again.
      this.startId = header.startId ?? `${++this.#welcomes}`;
      this.#onWelcome();
      return;
    }
    if (header.kind === "appended") this.freeBytes = header.freeBytes;
    if (header.kind === "status") {
      this.status = header.status;
      this.freeBytes = header.status.freeBytes;
    }
    if (header.kind === "done" && header.windows !== undefined) this.windows = header.windows;
    const exchange = this.#exchanges.get(header.id);
    if (exchange === undefined) return;
    if (header.kind === "problem") {
      this.#exchanges.delete(header.id);
      exchange.end(HadalError.fromProblem(header.problem));
      return;
    }
    try {
      if (!exchange.onReply({ header, body })) return;
      this.#exchanges.delete(header.id);
      exchange.end(null);
    } catch (error) {
      exchange.end(asError(error));
    }
  }

  #onWelcome(): void {
    this.#welcomed = true;
    this.#backoffMs = (this.#options.backoff ?? backoffDefault).minMs;
    this.#setState("alive");
    for (const settle of [...this.#waiting]) settle(null);
    this.#askStatus();
    this.#statusTimer = setInterval(() => this.#askStatus(), this.#heartbeat.pingMs);
  }

  #askStatus(): void {
    // No exchange: #receive notes the answer, whenever it comes.
    const id = this.#nextId++;
    this.#socket?.send(encodeFrame({ kind: "status", id }));
  }

  #onPings(socket: WebSocket, missed: number): void {
    if (socket !== this.#socket || !this.#welcomed) return;
    if (missed === 0) this.lastHeardMs = Date.now();
    if (missed >= this.#heartbeat.missedMax) this.#setState("dead");
    else this.#setState(missed === 0 ? "alive" : "suspect");
  }

  #onClose(socket: WebSocket): void {
    if (socket !== this.#socket || this.#closed) return;
    const wasThere = this.#welcomed && this.state !== "dead";
    this.#socket = null;
    this.#welcomed = false;
    // A leaf that was connected may be back in a moment; one that refused, or was silent, is not.
    this.#setState(wasThere ? "suspect" : "dead");
    this.#lose();
    this.#retry();
  }

  /** Fails every request on this connection. */
  #lose(): void {
    this.#welcomed = false;
    clearInterval(this.#statusTimer);
    const exchanges = [...this.#exchanges.values()];
    this.#exchanges.clear();
    for (const { end } of exchanges) end(this.#lost("closed the connection"));
  }

  #retry(): void {
    if (this.#closed) return;
    // A leaf without an address has no new socket: the close of its former one comes here, too. Two
    // timers would replace a connection that works by one that cannot send yet.
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#connect(), this.#backoffMs);
    const { maxMs } = this.#options.backoff ?? backoffDefault;
    this.#backoffMs = Math.min(this.#backoffMs * 2, maxMs);
  }

  #setState(state: LeafState): void {
    if (state === this.state) return;
    this.state = state;
    if (state === "dead") {
      for (const settle of [...this.#waiting]) settle(this.#lost("is dead"));
    }
    this.#options.onState?.(state);
  }

  #lost(what: string): HadalError {
    return new HadalError("connection-lost", {
      url: `${this.id} (${this.address ?? "no address"}: ${what})`,
    });
  }
}

function isConnectionLost(error: Error | null): boolean {
  return error instanceof HadalError && error.code === "connection-lost";
}

function attempt(work: () => void, fail: (error: Error) => void): void {
  try {
    work();
  } catch (error) {
    fail(asError(error));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
