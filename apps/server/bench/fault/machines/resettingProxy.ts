import { connect, createServer, type Server, type Socket } from "node:net";

/** Passes connections on, and resets them when it is to. */
export class ResettingProxy {
  /** Resets a connection when the first bytes of an answer come back, which are then lost. */
  resetsAnswers = false;
  resetCount = 0;
  targetPort = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async listen(host: string): Promise<ResettingProxy> {
    const server = createServer();
    const proxy = new ResettingProxy(server);
    server.on("connection", (near) => proxy.#pass(near, host));
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { readonly port: number }).port;
  }

  /** Resets all connections that are open. */
  resetAll(): void {
    for (const near of this.#open) this.#reset(near);
  }

  close(): void {
    this.#server.close();
    for (const near of this.#open) near.destroy();
  }

  #pass(near: Socket, host: string): void {
    const far = connect(this.targetPort, host);
    this.#open.add(near);
    for (const socket of [near, far]) socket.setNoDelay(true);
    near.pipe(far);
    far.on("data", (bytes) => {
      if (this.resetsAnswers) this.#reset(near);
      else near.write(bytes);
    });
    const end = (): void => {
      this.#open.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
  }

  #reset(near: Socket): void {
    this.resetCount++;
    near.resetAndDestroy();
  }
}
