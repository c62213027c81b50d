import type { ShortLink } from "../model/link.js";
import { HadalError } from "../model/problem/problem.js";
import type { StatusInfo } from "../model/schema.js";
import { routes } from "../wire/routes.js";
import { createFunctions } from "./functions.js";
import type { ClientOptions, HadalClient, WebSocketConstructor } from "./hadalClient.js";
import { createHttp } from "./http.js";
import { createLiveSocket, type LiveSocket } from "./liveSocket.js";
import { createQueries } from "./queries.js";
import { randomKey } from "./randomKey.js";
import { jsonRequest } from "./requests.js";
import { createRowSender } from "./sendRows.js";
import { createTables } from "./tables.js";

export const urlDefault = "http://127.0.0.1:7400";

/** A client of one Hadal server, for Node.js and browsers. Call `close` when done with it. */
export function createClient(options: ClientOptions = {}): HadalClient {
  const url = checkUrl(options.url ?? pageOrigin() ?? urlDefault);
  // Over all connections: answers never go back in time.
  const session = randomKey();
  const http = createHttp(url, options.fetch ?? ((input, init) => fetch(input, init)));
  const socket = openSocket(`${url}${routes.live()}?session=${session}`, options.webSocket);
  return {
    ...createQueries(http, socket, session),
    ...createRowSender(http),
    ...createTables(http),
    ...createFunctions(http),
    async saveLink(path) {
      return (await http.requestJson(routes.links(), jsonRequest("POST", { path }))) as ShortLink;
    },
    async link(id) {
      return (await http.requestJson(routes.link(id))) as ShortLink;
    },
    async cancel(id) {
      await http.request(routes.runningQuery(id), { method: "DELETE" });
    },
    async status() {
      return (await http.requestJson(routes.status())) as StatusInfo;
    },
    close() {
      socket?.close();
    },
  };
}

function openSocket(url: string, given: WebSocketConstructor | undefined): LiveSocket | null {
  const webSocket = given ?? (globalThis.WebSocket as WebSocketConstructor | undefined);
  if (webSocket === undefined) return null;
  return createLiveSocket(url.replace(/^http/, "ws"), webSocket);
}

function checkUrl(url: string): string {
  if (/^https?:\/\/[^/?#]/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "");
  throw new HadalError("bad-request", {
    detail: `${JSON.stringify(url)} is not the address of a server: write http://host:port.`,
  });
}

/** Where the page came from; undefined outside a browser. */
function pageOrigin(): string | undefined {
  const location = globalThis.location as Location | undefined;
  return location?.origin;
}
