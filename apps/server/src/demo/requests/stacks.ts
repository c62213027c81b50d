import type { Endpoint } from "./endpoints.js";
import type { IncidentCause } from "./incidents.js";

/** The call stacks of one endpoint, as JSON, outermost frame first. */
export interface Stacks {
  /** Of samples of requests that went well. */
  readonly normal: readonly string[];
  readonly slow: readonly string[];
  readonly failed: readonly string[];
}

const normalTails = [
  ["db.query", "pg.execute", "socket.read"],
  ["cache.get", "redis.call", "socket.read"],
  ["cache.get", "redis.call"],
  ["template.render", "template.escape"],
  ["json.encode", "json.encodeArray", "json.encodeString"],
  ["auth.verifyToken", "crypto.verify"],
];
const slowTails = [
  ["db.query", "pool.acquire", "pool.waitForConnection"],
  ["db.query", "pg.execute", "lock.waitShared"],
  ["http.fetch", "retry.sleepBackoff"],
  ["json.encode", "gc.pause"],
];
const failedTails = [
  ["db.query", "pg.execute", "errors.wrap", "errors.deadlock"],
  ["http.fetch", "socket.connect", "errors.refused"],
  ["http.fetch", "socket.read", "errors.timeout"],
  ["validate.body", "errors.unexpectedNull"],
];

export function stacksOf(endpoint: Endpoint): Stacks {
  const base = baseFrames(endpoint);
  const withTails = (tails: readonly (readonly string[])[]) =>
    tails.map((tail) => JSON.stringify([...base, ...tail]));
  return {
    normal: withTails(normalTails),
    slow: withTails(slowTails),
    failed: withTails(failedTails),
  };
}

/** The stack of a request that an incident hit. */
export function stackOfIncident(endpoint: Endpoint, cause: IncidentCause): string {
  return JSON.stringify([...baseFrames(endpoint), ...cause.frames]);
}

function baseFrames({ service, method, path }: Endpoint): string[] {
  return ["main", "server.listen", "router.dispatch", `${service}.${handlerName(method, path)}`];
}

/** `GET /api/v3/cart/items/{id}` → `getCartItems`. */
function handlerName(method: string, path: string): string {
  const words = path
    .split(/[^a-z]+/i)
    .filter((word) => !["", "api", "v", "id"].includes(word))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${method.toLowerCase()}${words.join("") || "Root"}`;
}
