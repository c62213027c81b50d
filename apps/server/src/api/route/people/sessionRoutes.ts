import { apiBase, HadalError, type Me } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Access } from "../../../access/access.js";
import type { Person } from "../../../access/person.js";
import { type BodyBound, readJsonBody } from "../../body/jsonBody.js";
import { clearSessionCookie, setSessionCookie } from "../../connection/sessionCookie.js";
import { actorOf } from "../../context/requester.js";
import { type Operation, readParameters } from "../../docs/operation.js";
import { sessionCookie } from "../../docs/sessionCookie.js";
import type { RouteContext } from "../routeContext.js";

/** A password of 1,024 bytes, each escaped in JSON, and a name. */
const sessionBound: BodyBound = { bytesMax: 8_192, limitName: "sessionBytesMax" };

const me: Me = {
  ...{ kind: "user", id: "0d4b8f0e-6c1d-4e0a-9d3a-1f6f1c2b7a90", name: "anna", role: "editor" },
  groups: ["shop"],
  permissions: ["query", "save", "embed"],
  auth: "users",
};
const meAnswer = (description: string) => ({
  ...{ status: 200, description },
  content: { "application/json": { schema: ref("Me"), example: me } },
});

const postSession: Operation = {
  operationId: "signIn",
  summary: "Sign in",
  description:
    "With name and password, or with the code of a setup link and the password that it sets. The session is in the cookie `hadal_session` and ends after 12 hours without a request. From the fifth wrong password of a name on the answer is delayed, or 429 with `Retry-After`.",
  tag: "People",
  access: "open",
  body: {
    content: {
      "application/json": {
        schema: ref("SignIn"),
        example: { name: "anna", password: "correct horse battery" },
      },
    },
  },
  answer: {
    ...meAnswer("Who signed in, and what is allowed."),
    headers: { "Set-Cookie": { description: "The session." } },
  },
  problems: [
    "unauthenticated",
    "forbidden",
    "quota-exceeded",
    "body-too-large",
    "registry-unavailable",
  ],
};

const deleteSession: Operation = {
  operationId: "signOut",
  summary: "Sign out",
  tag: "People",
  access: "signed-in",
  parameters: [
    {
      name: "everywhere",
      in: "query",
      description: "`true`: all sessions of the user end, on other machines too.",
      schema: { enum: ["true", "false"], default: "false" },
    },
  ],
  answer: { status: 204, description: "The session has ended." },
  problems: ["bad-request", "registry-unavailable"],
};

const getMe: Operation = {
  operationId: "me",
  summary: "Who asks, and what is allowed",
  tag: "People",
  access: "signed-in",
  answer: meAnswer("The user of the session, or the token."),
};

/** Signing in and out. */
export function addSessionRoutes(
  app: FastifyInstance,
  { deps: { access }, auth }: RouteContext,
): void {
  const path = `${apiBase}/session`;

  app.post(path, { config: { operation: postSession } }, async (request, reply) => {
    const body = await readJsonBody(request, sessionBound);
    if (auth !== "users") {
      const detail = "At this server no one signs in with a password (--auth).";
      throw new HadalError("forbidden", { detail });
    }
    const { secret, person } = await signIn(access, body, request);
    setSessionCookie(reply, secret);
    reply.header("cache-control", "no-store");
    return meOf(person);
  });

  app.delete(path, { config: { operation: deleteSession } }, async (request, reply) => {
    const { person, reached, cookies } = request;
    const isEverywhere = readParameters(request.query, deleteSession).get("everywhere") === "true";
    if (isEverywhere && person.kind === "user" && person.id !== null) {
      await access.signOutEverywhere(person.id, actorOf(request));
    } else if (cookies[sessionCookie] !== undefined) {
      await access.signOut(cookies[sessionCookie], reached.address);
    }
    clearSessionCookie(reply);
    return reply.code(204).send();
  });

  app.get(`${apiBase}/me`, { config: { operation: getMe } }, async ({ person }) => meOf(person));
}

function signIn(
  access: Access,
  { name, password, setup, ...others }: Readonly<Record<string, unknown>>,
  { reached: { address } }: FastifyRequest,
) {
  if (typeof password === "string" && Object.keys(others).length === 0) {
    if (typeof name === "string" && setup === undefined)
      return access.signIn({ name, password, address });
    if (typeof setup === "string" && name === undefined)
      return access.signInBySetup({ code: setup, password, address });
  }
  // Not the body itself: it may have a password.
  const detail = "The body is {name, password} or {setup, password}, each a text.";
  throw new HadalError("bad-request", { detail });
}

function meOf({ kind, id, name, role, groups, permissions, auth }: Person): Me {
  // This route is not for visitors of embeds.
  return { kind: kind as Me["kind"], id, name, role, groups, permissions: [...permissions], auth };
}
