import { HadalError, type ProblemCode } from "../model/problem/problem.js";
import type { StatusInfo } from "../model/schema.js";
import { bearerProtocol, liveProtocol, routes } from "../wire/routes.js";
import type { ClientOptions, WebSocketConstructor } from "./hadalClient.js";
import { createHttp, type Http } from "./http.js";
import { createLiveSocket, type LiveSocket, type LiveTarget } from "./live/liveSocket.js";
import { randomKey } from "./randomKey.js";

export const urlDefault = "http://127.0.0.1:7400";

/** How clients of all kinds reach a server. */
export interface ServerLink {
  readonly http: Http;
  /** null: this program has no WebSocket. */
  readonly socket: LiveSocket | null;
  /** Over all connections: answers never go back in time. */
  readonly session: string;
}

export function linkToServer(options: ClientOptions): ServerLink {
  const url = checkUrl(options.url ?? pageOrigin() ?? urlDefault);
  const session = randomKey();
  const { token, webSocket } = options;
  const http = createHttp(
    url,
    withToken(options.fetch ?? ((input, init) => fetch(input, init)), token),
  );
  const protocols = token === undefined ? [] : [liveProtocol, `${bearerProtocol}${token}`];
  const socket = openSocket(webSocket, {
    url: `${url}${routes.live()}?session=${session}`.replace(/^http/, "ws"),
    protocols,
    refusal: () => refusalOf(http, token),
  });
  return { http, socket, session };
}

export const readStatus = async (http: Http): Promise<StatusInfo> =>
  (await http.requestJson(routes.status())) as StatusInfo;

function openSocket(
  given: WebSocketConstructor | undefined,
  target: LiveTarget,
): LiveSocket | null {
  const webSocket = given ?? (globalThis.WebSocket as WebSocketConstructor | undefined);
  return webSocket === undefined ? null : createLiveSocket(target, webSocket);
}

function withToken(fetchOfCaller: typeof fetch, token: string | undefined): typeof fetch {
  if (token === undefined) return fetchOfCaller;
  return (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetchOfCaller(input, { ...init, headers });
  };
}

/** Why a socket cannot be opened, where the reason is who asks: browsers do not say what a refused socket was answered. */
async function refusalOf(http: Http, token: string | undefined): Promise<HadalError | null> {
  // Only embed tokens, which are JWTs, have a point.
  const path = token?.includes(".") ? routes.embedSelf() : routes.me();
  try {
    await http.request(path);
    return null;
  } catch (error) {
    return error instanceof HadalError && refusals.includes(error.code) ? error : null;
  }
}

const refusals: readonly ProblemCode[] = ["unauthenticated", "token-scope", "origin-refused"];

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
