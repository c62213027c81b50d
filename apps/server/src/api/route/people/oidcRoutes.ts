import type { CookieSerializeOptions } from "@fastify/cookie";
import { apiBase, HadalError } from "@hadal/sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OidcFailure, type OidcReason } from "../../../access/oidc/oidcFailure.js";
import type { OidcService } from "../../../access/oidc/oidcService.js";
import { pendingMsMax } from "../../../access/oidc/pendingSignIns.js";
import { setSessionCookie } from "../../connection/sessionCookie.js";
import { type Operation, readParameters } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";

const path = `${apiBase}/session/oidc`;
const callbackPath = `${path}/callback`;
const pendingCookie = "hadal_oidc";

const signInPage =
  "Failures lead to the sign-in page with a reason: `/signin?problem=provider-unavailable|expired|refused|failed|not-allowed`.";

const getOidc: Operation = {
  operationId: "signInAtProvider",
  summary: "Sign in at the OpenID Connect provider",
  description: `For browsers: leads to the provider, which leads back. ${signInPage}`,
  tag: "People",
  access: "open",
  parameters: [
    {
      name: "to",
      in: "query",
      description: "The path of the page to go to afterwards; never another site.",
      schema: { type: "string", minLength: 1 },
      example: "/explore",
    },
  ],
  answer: { status: 302, description: "The browser goes to the provider." },
  problems: ["bad-request", "not-found"],
};

const getCallback: Operation = {
  operationId: "signedInAtProvider",
  summary: "Where the provider leads back to",
  description: `Checks the provider's answer, starts a session and goes on in the page. ${signInPage}`,
  tag: "People",
  access: "open",
  answer: { status: 302, description: "The browser goes to the page." },
  problems: ["not-found"],
};

/** Sign-in at an OpenID Connect provider. */
export function addOidcRoutes(app: FastifyInstance, { deps }: RouteContext): void {
  const oidcOf = ({ url }: FastifyRequest): OidcService => {
    if (deps.oidc !== null) return deps.oidc;
    throw new HadalError("not-found", { path: url.split("?")[0] ?? "" });
  };

  app.get(path, { config: { operation: getOidc } }, async (request, reply) => {
    const oidc = oidcOf(request);
    const to = String(readParameters(request.query, getOidc).get("to") ?? "/");
    const { protocol, host } = request.reached;
    return goOn(reply, async () => {
      const { url, cookie } = await oidc.begin(to, `${protocol}://${host}${callbackPath}`);
      reply.setCookie(pendingCookie, cookie, pendingOptions(request));
      return url;
    });
  });

  app.get(callbackPath, { config: { operation: getCallback } }, async (request, reply) => {
    const oidc = oidcOf(request);
    const answer = new URLSearchParams(request.raw.url?.split("?")[1] ?? "");
    reply.clearCookie(pendingCookie, pendingOptions(request));
    return goOn(reply, async () => {
      const pending = request.cookies[pendingCookie];
      const { secret, to } = await oidc.finish(pending, answer, request.reached.address);
      setSessionCookie(reply, secret);
      return to;
    });
  });
}

/** The provider leads the browser back from its own site: a strict cookie would stay away. */
function pendingOptions({ reached }: FastifyRequest): CookieSerializeOptions {
  const secure = reached.protocol === "https";
  return { path, httpOnly: true, sameSite: "lax", secure, maxAge: pendingMsMax / 1_000 };
}

/** Sends the browser on, or to the sign-in page with the reason of a failure. */
async function goOn(reply: FastifyReply, work: () => Promise<string>): Promise<FastifyReply> {
  reply.header("cache-control", "no-store");
  try {
    return reply.redirect(await work(), 302);
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    const problem: OidcReason = error.reason;
    return reply.redirect(`/signin?problem=${problem}`, 302);
  }
}
