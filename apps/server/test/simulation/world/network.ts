import { EventEmitter } from "node:events";
import type { SimProcess } from "./simProcess.js";
import type { Timeline } from "./timeline.js";

/** What travels over a wire: the pieces of a WebSocket connection. */
export interface Packet {
  readonly kind: "upgrade" | "accepted" | "refused" | "message" | "ping" | "pong" | "close";
  /** Bytes on the wire. */
  readonly length: number;
  readonly bytes?: Uint8Array;
  /** Of an upgrade: the path, and its headers as they are printed. */
  readonly path?: string;
  readonly rawHeaders?: readonly string[];
  readonly code?: number;
  readonly reason?: string;
}

export interface Listener {
  readonly process: SimProcess;
  accept(wire: Wire): void;
}

/** What happens to bytes from one process to another. */
interface Route {
  isBlocked: boolean;
  /** On their way since it is blocked: TCP sends them again later. */
  readonly held: (() => void)[];
}

const blockedConnectMs = 130_000;

/** One end of a TCP connection: it keeps order and loses nothing, unless it breaks. */
export class Wire extends EventEmitter {
  peer: Wire | null = null;
  isOpen = true;
  /** When the last packet sent will arrive. */
  lastArrivalMs = 0;
  /** Bytes that wait because the way is blocked. */
  heldBytes = 0;

  constructor(
    readonly process: SimProcess,
    readonly network: Network,
  ) {
    super();
  }

  send(packet: Packet): void {
    if (this.isOpen) this.network.carry(this, packet);
  }

  /** The other end hears of it, if it can be reached. */
  destroy(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.network.reset(this);
    this.network.world.after(0, () => this.emit("close"), this.process);
  }

  /** The other end has closed it. */
  closedByPeer(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.emit("close");
  }
}

/** Connections between processes, whose routes can be blocked one way or both. */
export class Network {
  readonly #listeners = new Map<string, Listener>();
  readonly #routes = new Map<string, Route>();
  readonly #wires = new Set<Wire>();
  /** Delays of every packet. */
  readonly delays = { lowMs: 0.05, highMs: 3 };
  #port = 20_000;

  constructor(readonly world: Timeline) {}

  nextPort(): number {
    return ++this.#port;
  }

  listen(address: string, listener: Listener): boolean {
    const known = this.#listeners.get(address);
    if (known?.process.isAlive === true) return false;
    this.#listeners.set(address, listener);
    return true;
  }

  unlisten(address: string, listener: Listener): void {
    if (this.#listeners.get(address) === listener) this.#listeners.delete(address);
  }

  /** `onDone`: null where nothing listens; it is not called where the way there is blocked. */
  connect(address: string, from: SimProcess, onDone: (wire: Wire | null) => void): void {
    const { world } = this;
    world.after(
      this.#delayMs() + this.#delayMs(),
      () => {
        const listener = this.#listeners.get(address);
        if (listener === undefined || !listener.process.isAlive) {
          const isBlocked = this.#unreachable.has(address.split(":")[0]!);
          world.after(isBlocked ? blockedConnectMs : 0, () => onDone(null), from);
          return;
        }
        const to = listener.process;
        if (this.#route(from, to).isBlocked || this.#route(to, from).isBlocked) return;
        const [near, far] = [new Wire(from, this), new Wire(to, this)];
        near.peer = far;
        far.peer = near;
        this.#wires.add(near).add(far);
        world.after(0, () => listener.accept(far), to);
        onDone(near);
      },
      from,
    );
  }

  /** Hosts without power: they do not even refuse. */
  readonly #unreachable = new Set<string>();

  power(host: string, state: "on" | "off"): void {
    if (state === "off") this.#unreachable.add(host);
    else this.#unreachable.delete(host);
  }

  carry(wire: Wire, packet: Packet): void {
    const { peer } = wire;
    if (peer === null) return;
    this.#deliver(wire, packet.length, () => {
      if (peer.process.isAlive && peer.isOpen) peer.emit("data", packet);
      // Nobody has that connection any more: the other host says so, once it has power.
      else if (wire.isOpen && !this.#unreachable.has(peer.process.machine.host))
        this.#deliver(peer, 0, () => wire.closedByPeer());
    });
  }

  /** The other end learns that this one is closed. */
  reset(wire: Wire): void {
    const { peer } = wire;
    this.#wires.delete(wire);
    if (peer === null || !peer.isOpen) return;
    this.#deliver(wire, 0, () => {
      this.#wires.delete(peer);
      peer.closedByPeer();
    });
  }

  /** A process has ended: its system closes its connections, unless it has no power. */
  forget(process: SimProcess): void {
    for (const [address, listener] of this.#listeners)
      if (listener.process === process) this.#listeners.delete(address);
    const isDark = this.#unreachable.has(process.machine.host);
    for (const wire of [...this.#wires]) {
      if (wire.process !== process) continue;
      wire.isOpen = false;
      if (isDark) this.#wires.delete(wire);
      else this.reset(wire);
    }
  }

  /** From here on nothing gets from one process to the other. */
  block(from: SimProcess, to: SimProcess): void {
    this.#route(from, to).isBlocked = true;
  }

  isBlocked(from: SimProcess, to: SimProcess): boolean {
    return this.#route(from, to).isBlocked;
  }

  get isAnyBlocked(): boolean {
    return [...this.#routes.values()].some(({ isBlocked }) => isBlocked);
  }

  /** `resume`: what was on its way arrives; `reset`: the connections between the two are broken. */
  heal(a: SimProcess, b: SimProcess, how: "resume" | "reset"): void {
    const routes = [this.#route(a, b), this.#route(b, a)];
    for (const route of routes) route.isBlocked = false;
    if (how === "reset") {
      for (const wire of [...this.#wires]) {
        const ends = [wire.process, wire.peer?.process];
        if (!ends.includes(a) || !ends.includes(b)) continue;
        this.#wires.delete(wire);
        this.world.after(0, () => wire.closedByPeer(), wire.process);
      }
      for (const route of routes) route.held.length = 0;
      return;
    }
    for (const route of routes) for (const deliver of route.held.splice(0)) deliver();
  }

  /** All that is blocked is open again. */
  healAll(how: () => "resume" | "reset", alive: Iterable<SimProcess>): void {
    const processes = [...alive];
    for (const [i, a] of processes.entries())
      for (const b of processes.slice(i + 1))
        if (this.isBlocked(a, b) || this.isBlocked(b, a)) this.heal(a, b, how());
  }

  #deliver(wire: Wire, bytes: number, arrive: () => void): void {
    const { world } = this;
    const to = wire.peer?.process ?? wire.process;
    const route = this.#route(wire.process, to);
    const send = (): void => {
      const atMs = Math.max(wire.lastArrivalMs, world.nowMs + this.#delayMs());
      wire.lastArrivalMs = atMs;
      const hand = (): void => {
        if (route.isBlocked) {
          hold(route.held);
          return;
        }
        if (to.isAlive && to.stalled !== null) {
          hold(to.stalled);
          return;
        }
        world.current = to.isAlive ? to : world.outside;
        arrive();
      };
      world.after(atMs - world.nowMs, hand, world.outside);
    };
    const hold = (held: (() => void)[]): void => {
      wire.heldBytes += bytes;
      held.push(() => {
        wire.heldBytes -= bytes;
        send();
      });
    };
    if (route.isBlocked) hold(route.held);
    else send();
  }

  #route(from: SimProcess, to: SimProcess): Route {
    const key = `${from.pid} ${to.pid}`;
    let route = this.#routes.get(key);
    if (route === undefined) {
      route = { isBlocked: false, held: [] };
      this.#routes.set(key, route);
    }
    return route;
  }

  #delayMs(): number {
    return this.world.delayMs(this.delays.lowMs, this.delays.highMs);
  }
}
