import { EventEmitter } from "node:events";
import { systemError } from "../world/disk.js";
import type { Listener, Packet, Wire } from "../world/network.js";
import { world } from "../world/world.js";
import { setTimeout } from "./globals.js";
import { Socket } from "./net.js";

/** `node:http`: a server that is only asked to upgrade. */
class Server extends EventEmitter {
  readonly #sockets = new Set<Socket>();
  #address: { readonly host: string; readonly port: number } | null = null;
  #listener: Listener | null = null;

  listen(port: number, host: string, onListen: () => void): this {
    const { current, network } = world();
    const chosen = port === 0 ? network.nextPort() : port;
    const listener = { process: current, accept: (wire: Wire) => this.#accept(wire) };
    const isFree = network.listen(`${host}:${chosen}`, listener);
    setTimeout(() => {
      if (!isFree) {
        this.emit("error", systemError("EADDRINUSE", "listen", `${host}:${chosen}`));
        return;
      }
      this.#address = { host, port: chosen };
      this.#listener = listener;
      onListen();
    });
    return this;
  }

  address(): { readonly port: number } {
    return { port: this.#address?.port ?? 0 };
  }

  close(onClosed: (error?: Error) => void = () => undefined): this {
    if (this.#address !== null && this.#listener !== null)
      world().network.unlisten(`${this.#address.host}:${this.#address.port}`, this.#listener);
    setTimeout(() => onClosed());
    return this;
  }

  closeAllConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(wire: Wire): void {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.attach(wire);
    const onFirst = (packet: Packet): void => {
      socket.off("data", onFirst);
      if (packet.kind !== "upgrade") throw new Error(`a connection began with ${packet.kind}`);
      const { path: url, rawHeaders = [] } = packet;
      this.emit("upgrade", { url, rawHeaders, headers: {}, socket }, socket, Buffer.alloc(0));
    };
    socket.on("data", onFirst);
    socket.flow();
  }
}

export const createServer = (): Server => new Server();

/** Of messages to receivers outside, of which the simulation has none. */
export function request(): never {
  throw new Error("no request leaves the simulation");
}
