import type { IncomingMessage } from "node:http";
import { apiBase, bearerProtocol, HadalError } from "@hadal/sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Credentials } from "../../access/credentials.js";
import type { Person } from "../../access/person.js";
import type { PersonHeaders } from "../context/deps.js";
import type { Operation } from "../docs/operation.js";
import { sessionCookie } from "../docs/sessionCookie.js";
import { allowOrigin, checkEmbedHost, foreignOrigin, isEmbedToken } from "./embedCors.js";
import type { OriginCheck } from "./originCheck.js";
import type { Proxies, Reached } from "./proxies.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Who sends it; null where the route is open. */
    readonly person: Person;
    readonly reached: Reached;
  }
}

/** What is checked of whoever sends a request, before any byte of its body is read. */
export interface CallerCheck {
  readonly proxies: Proxies;
  readonly checkOrigin: OriginCheck;
  readonly headers: PersonHeaders | null;
  /** Whether an embed token may name that origin. */
  mayBeHost(origin: string): boolean;
  /** Throws `unauthenticated`. */
  identify(credentials: Credentials): Person | Promise<Person>;
}

const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS"];
/** Probes read no stored data, and may call the server by any name. */
const probes: readonly (string | undefined)[] = ["/healthz", "/readyz"];

/** Finds who sends each request, and refuses what that person or program may not do. */
export function identifyRequests(app: FastifyInstance, check: CallerCheck): void {
  const { proxies, checkOrigin, headers } = check;
  app.decorateRequest("reached", null as never);
  app.decorateRequest("person", null as never);
  app.addHook("onRequest", async (request, reply) => {
    const reached = proxies.reached(request.raw);
    request.setDecorator("reached", reached);
    const access = accessOf(request);
    const credentials = credentialsOf(request.raw, reached, headers);
    const isEmbed = access.access !== "open" && isEmbedToken(credentials.token);
    const origin = isEmbed
      ? foreignOrigin(request.raw, (text) => checkOrigin.isOwn(reached, text))
      : undefined;
    if (origin !== undefined && check.mayBeHost(origin)) allowOrigin(reply, origin);
    // By the route, never by the text of the path: one path can be spelled in many ways.
    if (origin !== undefined) checkOrigin.host(reached);
    else if (!safeMethods.includes(request.method)) checkOrigin.whole(reached, request.raw);
    else if (!probes.includes(request.routeOptions.url)) checkOrigin.host(reached);
    if (access.access === "open") return;
    // Answers are one person's: no cache on the way may give them to another.
    reply.header("cache-control", "no-store");
    const signature = access.isSigned === true ? signatureOf(request) : null;
    const person = await check.identify(
      signature === null ? credentials : { ...credentials, signature },
    );
    request.setDecorator("person", person);
    if (origin !== undefined) admitPage(reply, person, origin);
    checkPermission(person, access);
  });
}

/** One that comes twice is none. */
function signatureOf({ query }: FastifyRequest): string | null {
  const { signature } = query as { readonly signature?: unknown };
  if (signature === undefined) return null;
  return typeof signature === "string" ? signature : "";
}

/** Exactly the pages that the token names read its answers. */
function admitPage(reply: FastifyReply, person: Person, origin: string): void {
  try {
    checkEmbedHost(person, origin);
    allowOrigin(reply, origin);
  } catch (error) {
    reply.removeHeader("access-control-allow-origin");
    throw error;
  }
}

export type RouteAccess = Pick<Operation, "access" | "isForEmbeds" | "isSigned">;

/** Throws `token-scope` for a token, else `forbidden`. */
export function checkPermission(person: Person, { access, isForEmbeds }: RouteAccess): void {
  if (person.kind === "embed") {
    if (isForEmbeds === true) return;
    throw new HadalError("token-scope", { detail: "The embed token does not allow this request." });
  }
  if (access === "open" || access === "signed-in" || person.permissions.has(access)) return;
  if (person.kind === "token") throw missingScope(access);
  const detail = `This needs the permission ${access}, which the role ${person.role} does not have.`;
  throw new HadalError("forbidden", { detail });
}

export function missingScope(scope: string): HadalError {
  return new HadalError("token-scope", { detail: `The token has no scope ${scope}.` });
}

/** A path under the interface that is no route is for those only who are signed in; so is a route without a description. */
function accessOf({ routeOptions, url }: FastifyRequest): RouteAccess {
  const { operation } = routeOptions.config;
  if (operation !== undefined) return operation;
  return { access: (routeOptions.url ?? url).startsWith(apiBase) ? "signed-in" : "open" };
}

/** Secrets are base64url: nothing of them is escaped. */
const sessionPattern = new RegExp(`(?:^|; *)${sessionCookie}=([\\w-]+)(?: *;|$)`);

export function credentialsOf(
  request: Pick<IncomingMessage, "headers" | "headersDistinct">,
  { address, isByProxy }: Reached,
  names: PersonHeaders | null,
): Credentials {
  const { headers } = request;
  return {
    token: bearerOf(headers),
    session: sessionPattern.exec(headers.cookie ?? "")?.[1] ?? null,
    external: names !== null && isByProxy ? externalOf(request, names) : null,
    address,
  };
}

/** A header that comes twice, or names two people, is the client's beside the proxy's: it proves nothing. */
function externalOf(
  { headers, headersDistinct }: Pick<IncomingMessage, "headers" | "headersDistinct">,
  { name, groups }: PersonHeaders,
): Credentials["external"] {
  const isRepeated = [name, groups ?? name].some(
    (header) => (headersDistinct?.[header]?.length ?? 0) > 1,
  );
  const person = String(headers[name] ?? "").trim();
  if (isRepeated || person === "" || person.includes(",")) return null;
  const listed = groups === null ? "" : String(headers[groups] ?? "");
  return {
    name: person,
    groups: listed
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  };
}

/** Browsers cannot set headers of sockets: there the token is a subprotocol. Anything else that is sent as one is a wrong token. */
function bearerOf(headers: IncomingMessage["headers"]): string | null {
  const { authorization } = headers;
  if (authorization !== undefined) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
  const protocols = headers["sec-websocket-protocol"]?.split(",").map((one) => one.trim()) ?? [];
  const bearer = protocols.find((one) => one.startsWith(bearerProtocol));
  return bearer?.slice(bearerProtocol.length) ?? null;
}
