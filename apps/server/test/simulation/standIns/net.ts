import { EventEmitter } from "node:events";

export { isIP, isIPv4, isIPv6 } from "node:net";

import type { Packet, Wire } from "../world/network.js";
import { world } from "../world/world.js";
import { setTimeout } from "./globals.js";

/** A connection as `node:net` and `node:http` show it: packets in place of bytes. */
export class Socket extends EventEmitter {
  #wire: Wire | null = null;
  #isDestroyed = false;
  /** Packets that came before anyone listened. */
  #early: Packet[] | null = [];

  attach(wire: Wire): void {
    if (this.#isDestroyed) {
      wire.destroy();
      return;
    }
    this.#wire = wire;
    wire.on("data", (packet: Packet) => {
      if (this.#early === null) this.emit("data", packet);
      else this.#early.push(packet);
    });
    wire.on("close", () => {
      this.#isDestroyed = true;
      this.emit("close");
    });
  }

  /** Hands over what has come so far, and everything after it as it comes. */
  flow(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const packet of early) this.emit("data", packet);
  }

  get destroyed(): boolean {
    return this.#isDestroyed;
  }

  get heldBytes(): number {
    return this.#wire?.heldBytes ?? 0;
  }

  write(data: Packet | string | Uint8Array): boolean {
    const packet = packetOf(data);
    if (packet !== null) this.#wire?.send(packet);
    return true;
  }

  end(data?: string): void {
    if (data !== undefined) this.write(data);
    this.destroy();
  }

  pipe(to: Socket): Socket {
    this.on("data", (packet: Packet) => to.write(packet));
    this.flow();
    return to;
  }

  setNoDelay(): this {
    return this;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (this.#wire === null) setTimeout(() => this.emit("close"));
    else this.#wire.destroy();
  }
}

/** Text is the head of a request or of a refusal. */
function packetOf(data: Packet | string | Uint8Array): Packet | null {
  if (data instanceof Uint8Array) return data.length === 0 ? null : fail("bytes outside of frames");
  if (typeof data !== "string") return data;
  const [first = "", ...lines] = data.split("\r\n");
  if (first.startsWith("HTTP/1.1 4"))
    return { kind: "refused", length: data.length, reason: first };
  const [method, path = "/"] = first.split(" ");
  if (method !== "GET") return fail(`an unknown head: ${first}`);
  const rawHeaders = lines.filter((line) => line !== "").flatMap((line) => line.split(": "));
  return { kind: "upgrade", length: data.length, path, rawHeaders };
}

function fail(why: string): never {
  throw new Error(`the simulated network does not know ${why}`);
}

export function connect(port: number, host: string, onConnect: () => void): Socket {
  const socket = new Socket();
  world().network.connect(`${host}:${port}`, world().current, (wire) => {
    if (wire === null) {
      const error: NodeJS.ErrnoException = new Error(`connect ECONNREFUSED ${host}:${port}`);
      error.code = "ECONNREFUSED";
      socket.emit("error", error);
      socket.destroy();
      return;
    }
    socket.attach(wire);
    if (!socket.destroyed) onConnect();
  });
  return socket;
}
