import { once } from "node:events";
import { apiBase } from "@hadal/sdk";
import { WebSocket } from "ws";
import { type Ask, type TestApi, withApi } from "./startApi.js";

export interface Peer {
  readonly socket: WebSocket;
  readonly frames: Record<string, unknown>[];
  send(frame: unknown): void;
  /** Resolves when `count` frames came. */
  frameCount(count: number): Promise<void>;
}

export async function openPeer(api: TestApi, headers: Record<string, string> = {}): Promise<Peer> {
  const url = await api.listen();
  const socket = new WebSocket(`${url.replace("http", "ws")}${apiBase}/live`, { headers });
  const frames: Record<string, unknown>[] = [];
  let wake = () => {};
  socket.on("message", (text) => {
    frames.push(JSON.parse(text.toString()));
    wake();
  });
  await once(socket, "open");
  return {
    socket,
    frames,
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    async frameCount(count) {
      while (frames.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

export const withPeer = (
  ask: Ask,
  test: (peer: Peer, api: TestApi) => Promise<void>,
  settings = {},
) =>
  withApi({ ask, settings }, async (api) => {
    const peer = await openPeer(api);
    await test(peer, api).finally(() => peer.socket.terminate());
  });
