import type { FacetsRequest } from "../../model/facets.js";
import { HadalError } from "../../model/problem/problem.js";
import type { WhatChangedRequest } from "../../model/whatChanged.js";
import { type AskedFor, clientFrameBytesMax, type ServerFrame } from "../../wire/frames.js";
import { bigintAsText } from "../../wire/printQuery.js";
import { signedOutCode } from "../../wire/routes.js";
import type { WebSocketConstructor, WebSocketLike } from "../hadalClient.js";
import { randomKey } from "../randomKey.js";
import { utf8Bytes } from "../rows/rowBuffer.js";
import { type Backoff, backoffMs } from "./backoff.js";

/**
 * One WebSocket for all queries of a client. It connects when first needed, reconnects while
 * requests are open, and closes when idle.
 */
export interface LiveSocket {
  /** Sends the request now, and again on every new connection for which `onLost` says so. */
  open(request: LiveRequest, listener: LiveListener): OpenRequest;
  close(): void;
}

/** A client frame without its id. */
export type LiveRequest =
  | (AskedFor & { readonly kind: "query" | "subscribe"; readonly everyMs?: number })
  | { readonly kind: "facets"; readonly facets: FacetsRequest }
  | { readonly kind: "what-changed"; readonly whatChanged: WhatChangedRequest }
  | {
      readonly kind: "batch";
      readonly everyMs: number | null;
      readonly queries: readonly ({ readonly tile: string } & AskedFor)[];
    };

export interface LiveListener {
  onFrame(frame: ServerFrame): void;
  /** The connection is lost: "ask again" on the next one, or "give up". */
  onLost(error: HadalError): "ask again" | "give up";
}

export interface OpenRequest {
  /** One more frame about it, if the connection is open. */
  send(frame: { readonly kind: "priority"; readonly tiles: readonly string[] }): void;
  /** The answer is complete: nothing more is expected. */
  end(): void;
  /** The answer is no longer needed: the server stops working on it. */
  cancel(): void;
}

interface OpenEntry {
  readonly request: LiveRequest;
  readonly listener: LiveListener;
  /**
   * A new one for every connection: the server may not have noticed yet that the old one is gone.
   */
  id: string;
}

const reconnect: Backoff = { firstMs: 250, lastMs: 10_000 };
/** Long enough for a person's next click; short enough for a script to end. */
const idleMs = 10_000;
/** The standard's number for an open connection. */
const readyStateOpen = 1;

export interface LiveTarget {
  readonly url: string;
  readonly protocols: string[];
  /** Why the server does not let the client in; null where that is not why a socket was not opened. */
  readonly refusal: () => Promise<HadalError | null>;
}

export function createLiveSocket(
  target: LiveTarget,
  WebSocketOfCaller: WebSocketConstructor,
): LiveSocket {
  return new MendingSocket(target, WebSocketOfCaller);
}

class MendingSocket implements LiveSocket {
  #entries = new Map<string, OpenEntry>();
  /** Unique among all clients: a running query can be cancelled by its id alone. */
  readonly #idPrefix = randomKey().slice(0, 8);
  #requestCount = 0;
  #socket: WebSocketLike | null = null;
  #attempt = 0;
  /**
   * At most one timer runs: for a reconnect while there is no socket, for closing while there is
   * one.
   */
  #timer: ReturnType<typeof setTimeout> | null = null;

  readonly #target: LiveTarget;
  readonly #WebSocketOfCaller: WebSocketConstructor;

  constructor(target: LiveTarget, WebSocketOfCaller: WebSocketConstructor) {
    this.#target = target;
    this.#WebSocketOfCaller = WebSocketOfCaller;
  }

  open(request: LiveRequest, listener: LiveListener): OpenRequest {
    const entry: OpenEntry = { request, listener, id: "" };
    const text = printFrame({ ...request, id: this.#assignId(entry) });
    this.#entries.set(entry.id, entry);
    if (this.#socket === null) {
      // A planned reconnect keeps its time.
      if (this.#timer === null) this.#connect();
    } else {
      this.#unschedule();
      this.#send(text);
    }
    return {
      send: (frame) => this.#send(printFrame({ ...frame, id: entry.id })),
      end: () => {
        this.#forget(entry.id);
      },
      cancel: () => {
        if (this.#forget(entry.id)) this.#send(printFrame({ kind: "cancel", id: entry.id }));
      },
    };
  }

  close(): void {
    const open = [...this.#entries.values()];
    this.#entries.clear();
    this.#hangUp();
    for (const { listener } of open) listener.onLost(new HadalError("cancelled"));
  }

  #connect(): void {
    const { url, protocols } = this.#target;
    const opened =
      protocols.length === 0
        ? new this.#WebSocketOfCaller(url)
        : new this.#WebSocketOfCaller(url, protocols);
    this.#socket = opened;
    let wasOpen = false;
    opened.onopen = () => {
      wasOpen = true;
      this.#askAll();
    };
    opened.onmessage = (event: { readonly data: unknown }) => {
      const frame = decodeFrame(event.data);
      if (frame === null) {
        opened.close();
        return;
      }
      // Only an answer shows that the connection works: one that opens and closes at once does not.
      this.#attempt = 0;
      this.#entries.get(frame.id)?.listener.onFrame(frame);
    };
    // Every error is followed by a close, which is handled.
    opened.onerror = () => undefined;
    opened.onclose = ({ code, reason }: { readonly code: number; readonly reason?: string }) => {
      if (this.#socket !== opened) return;
      if (code === signedOutCode) {
        // The server can be reached, so this is no lost connection.
        this.#socket = null;
        this.#refuse(signedOut(reason));
        return;
      }
      this.#lose();
      if (!wasOpen) void this.#target.refusal().then((error) => error && this.#refuse(error));
    };
  }

  /** Asking again would be refused, too. */
  #refuse(error: HadalError): void {
    this.#unschedule();
    const problem = error.toProblem();
    for (const [id, { listener }] of [...this.#entries]) {
      this.#entries.delete(id);
      listener.onFrame({ kind: "problem", id, problem });
    }
  }

  #askAll(): void {
    const entries = [...this.#entries.values()];
    this.#entries = new Map(entries.map((entry) => [this.#assignId(entry), entry]));
    for (const { id, request } of entries) this.#send(printFrame({ ...request, id }));
  }

  #lose(): void {
    this.#socket = null;
    this.#unschedule();
    const error = new HadalError("connection-lost", { url: this.#target.url });
    for (const [id, entry] of [...this.#entries]) {
      if (entry.listener.onLost(error) === "give up") this.#entries.delete(id);
    }
    if (this.#entries.size === 0) return;
    this.#schedule(() => this.#connect(), backoffMs(reconnect, this.#attempt, Math.random()));
    this.#attempt += 1;
  }

  #forget(id: string): boolean {
    const known = this.#entries.delete(id);
    if (known && this.#entries.size === 0) {
      if (this.#socket === null) this.#unschedule();
      else this.#schedule(() => this.#hangUp(), idleMs);
    }
    return known;
  }

  #hangUp(): void {
    this.#unschedule();
    const closing = this.#socket;
    this.#socket = null;
    this.#attempt = 0;
    closing?.close();
  }

  #send(text: string): void {
    if (this.#socket?.readyState === readyStateOpen) this.#socket.send(text);
  }

  #assignId(entry: OpenEntry): string {
    this.#requestCount += 1;
    entry.id = `${this.#idPrefix}-${this.#requestCount}`;
    return entry.id;
  }

  #schedule(work: () => void, waitMs: number): void {
    this.#unschedule();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      work();
    }, waitMs);
  }

  #unschedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** `reason`: as the server says it. */
const signedOut = (reason = ""): HadalError =>
  new HadalError("unauthenticated", { detail: reason || "The session has ended: sign in again." });

function printFrame(frame: object): string {
  const text = printJson(frame);
  if (utf8Bytes(text) <= clientFrameBytesMax) return text;
  throw new HadalError("body-too-large", {
    max: clientFrameBytesMax,
    limitName: "clientFrameBytesMax",
  });
}

/**
 * A replacer takes several times as long as printing without one; nearly no request holds a BigInt.
 */
function printJson(frame: object): string {
  try {
    return JSON.stringify(frame);
  } catch {
    return JSON.stringify(frame, bigintAsText);
  }
}

function decodeFrame(text: unknown): ServerFrame | null {
  if (typeof text !== "string") return null;
  try {
    const frame = JSON.parse(text) as ServerFrame | null;
    return typeof frame === "object" && typeof frame?.id === "string" ? frame : null;
  } catch {
    return null;
  }
}
