import type { ClientFrame, ServerFrame } from "@hadal/sdk";
import { routes } from "@hadal/sdk";
import { WebSocket } from "ws";

/** A bare live socket and every frame that came, with its time. */
export interface FrameLog {
  readonly frames: readonly ServerFrame[];
  send(frame: ClientFrame): void;
  /** The first frame, past or to come, that fits. */
  first(fits: (frame: ServerFrame) => boolean, timeoutMs?: number): Promise<ServerFrame>;
  /** The final answer of a query; a problem in its place is an error. */
  final(id: string): Promise<ServerFrame & { kind: "final" }>;
  close(): Promise<void>;
}

export async function openFrameLog(url: string): Promise<FrameLog> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}${routes.live()}`);
  const frames: ServerFrame[] = [];
  const waiting = new Set<(frame: ServerFrame) => void>();
  socket.on("message", (bytes) => {
    const frame = JSON.parse(String(bytes)) as ServerFrame;
    frames.push(frame);
    for (const tell of waiting) tell(frame);
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  const first: FrameLog["first"] = (fits, timeoutMs = 20_000) => {
    const known = frames.find(fits);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(tell);
        reject(new Error(`no such frame in ${timeoutMs} ms; ${frames.length} came`));
      }, timeoutMs);
      const tell = (frame: ServerFrame) => {
        if (!fits(frame)) return;
        clearTimeout(timer);
        waiting.delete(tell);
        resolve(frame);
      };
      waiting.add(tell);
    });
  };
  return {
    frames,
    send: (frame) => socket.send(JSON.stringify(frame)),
    first,
    final: async (id) => {
      const frame = await first((each) => each.id === id && each.kind !== "partial");
      if (frame.kind === "final") return frame as ServerFrame & { kind: "final" };
      throw new Error(`${id} ended with ${JSON.stringify(frame)}`);
    },
    close: async () => {
      socket.close();
      await closed;
    },
  };
}
