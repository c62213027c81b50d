import { HadalError } from "../model/problem.js";
import { clientFrameBytesMax, type ServerFrame } from "../wire/frames.js";
import { bigintAsText } from "../wire/printQuery.js";
import { type Backoff, backoffMs } from "./backoff.js";
import type { WebSocketConstructor, WebSocketLike } from "./hadalClient.js";
import { randomKey } from "./randomKey.js";
import { utf8Bytes } from "./rowBuffer.js";

/** One WebSocket for all queries of a client. It connects when first needed, mends itself while anybody waits, and closes when idle. */
export interface LiveSocket {
  /** Sends the question now, and again on every new connection for which `onLost` says so. */
  open(question: Question, listener: LiveListener): OpenQuestion;
  close(): void;
}

/** A client frame without its id. */
export interface Question {
  readonly kind: "query" | "subscribe";
  readonly query: unknown;
  readonly everyMs?: number;
}

export interface LiveListener {
  onFrame(frame: ServerFrame): void;
  /** The connection is gone. `ask again` on the next one, or `give up`. */
  onLost(error: HadalError): "ask again" | "give up";
}

export interface OpenQuestion {
  /** The answer is complete: nothing more is expected. */
  end(): void;
  /** Nobody wants the answer: the server stops working on it. */
  cancel(): void;
}

interface OpenEntry {
  readonly question: Question;
  readonly listener: LiveListener;
  /** A new one for every connection: the server may not have noticed yet that the old one is gone. */
  id: string;
}

const reconnect: Backoff = { firstMs: 250, lastMs: 10_000 };
/** Long enough for a person's next click; short enough for a script to end. */
const idleMs = 10_000;
/** The standard's number for an open connection. */
const readyStateOpen = 1;

export function createLiveSocket(url: string, WebSocketOfCaller: WebSocketConstructor): LiveSocket {
  let entries = new Map<string, OpenEntry>();
  // Unique among all clients: a running query can be cancelled by its id alone.
  const idPrefix = randomKey().slice(0, 8);
  let socket: WebSocketLike | null = null;
  let attempt = 0;
  let questionCount = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const assignId = (entry: OpenEntry): string => {
    questionCount += 1;
    entry.id = `${idPrefix}-${questionCount}`;
    return entry.id;
  };

  const unschedule = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };

  /** One thing is ever due: a reconnect while there is no socket, hanging up while there is one. */
  const schedule = (work: () => void, waitMs: number): void => {
    unschedule();
    timer = setTimeout(() => {
      timer = null;
      work();
    }, waitMs);
  };

  const connect = (): void => {
    const opened = new WebSocketOfCaller(url);
    socket = opened;
    opened.onopen = () => {
      entries = new Map([...entries.values()].map((entry) => [assignId(entry), entry]));
      for (const { id, question } of entries.values()) opened.send(printFrame({ ...question, id }));
    };
    opened.onmessage = (event: { readonly data: unknown }) => {
      const frame = decodeFrame(event.data);
      if (frame === null) {
        opened.close();
        return;
      }
      // Only an answer shows that the connection works: one that opens and closes at once does not.
      attempt = 0;
      entries.get(frame.id)?.listener.onFrame(frame);
    };
    // Every error is followed by a close, which says as much.
    opened.onerror = () => undefined;
    opened.onclose = () => {
      if (socket === opened) lose();
    };
  };

  const lose = (): void => {
    socket = null;
    unschedule();
    const error = new HadalError("connection-lost", { url });
    for (const [id, entry] of [...entries]) {
      if (entry.listener.onLost(error) === "give up") entries.delete(id);
    }
    if (entries.size === 0) return;
    schedule(connect, backoffMs(reconnect, attempt, Math.random()));
    attempt += 1;
  };

  const forget = (id: string): boolean => {
    const known = entries.delete(id);
    if (known && entries.size === 0) {
      if (socket === null) unschedule();
      else schedule(hangUp, idleMs);
    }
    return known;
  };

  const hangUp = (): void => {
    unschedule();
    const closing = socket;
    socket = null;
    attempt = 0;
    closing?.close();
  };

  return {
    open(question, listener) {
      const entry: OpenEntry = { question, listener, id: "" };
      const text = printFrame({ ...question, id: assignId(entry) });
      entries.set(entry.id, entry);
      if (socket === null) {
        // A reconnect that is under way keeps its pace.
        if (timer === null) connect();
      } else {
        unschedule();
        if (socket.readyState === readyStateOpen) socket.send(text);
      }
      return {
        end: () => {
          forget(entry.id);
        },
        cancel: () => {
          if (!forget(entry.id)) return;
          if (socket?.readyState === readyStateOpen) {
            socket.send(printFrame({ kind: "cancel", id: entry.id }));
          }
        },
      };
    },
    close() {
      const open = [...entries.values()];
      entries.clear();
      hangUp();
      for (const { listener } of open) listener.onLost(new HadalError("cancelled"));
    },
  };
}

function printFrame(frame: object): string {
  const text = JSON.stringify(frame, bigintAsText);
  if (utf8Bytes(text) <= clientFrameBytesMax) return text;
  throw new HadalError("body-too-large", {
    max: clientFrameBytesMax,
    limitName: "clientFrameBytesMax",
  });
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
