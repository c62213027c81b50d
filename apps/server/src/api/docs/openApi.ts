import { type ProblemCode, problemCodes } from "@hadal/sdk";
import { ref, schemas } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import {
  type Answer,
  type Body,
  type Content,
  type Operation,
  type Parameter,
  tags,
} from "./operation.js";
import { sessionCookie } from "./sessionCookie.js";

/** A route as it was registered, `{name}` for each parameter of its path. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  /** Absent: it has no description and is not in the document. */
  readonly operation: Operation | undefined;
}

export interface RouteList {
  readonly routes: readonly DescribedRoute[];
}

/** Problems that any request may get. */
const commonProblems: readonly ProblemCode[] = [
  "bad-request",
  "origin-refused",
  "overloaded",
  "internal",
];

/** Records every route that is registered from now on. */
export function listRoutes(app: FastifyInstance): RouteList {
  const routes: DescribedRoute[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    for (const name of [method].flat()) {
      // Fastify answers HEAD by itself wherever there is a GET; files of the web app are no interface.
      if (name === "HEAD" || url.includes("*")) continue;
      const path = url.replace(/:(\w+)/g, "{$1}");
      routes.push({ method: name.toLowerCase(), path, operation: config?.operation });
    }
  });
  return { routes };
}

/** The OpenAPI 3.1 document of the routes, with the schemas that checkers are held against. */
export function createOpenApi({ routes }: RouteList): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, operation } of routes) {
    if (operation === undefined) continue;
    paths[path] ??= {};
    paths[path][method] = printOperation(operation);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Hadal",
      version: "1",
      description:
        "Ask anything of live event data. Errors are problem details (RFC 9457) with a stable `code`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: { schemas, securitySchemes },
  };
}

/** What identifies who asks: the session of a person in a browser, or the token of a program. */
const securitySchemes = {
  session: { type: "apiKey", in: "cookie", name: sessionCookie },
  token: { type: "http", scheme: "bearer", bearerFormat: "hdl_…" },
};
const identified = [{ session: [] }, { token: [] }];

/** Problems of a route that is not for everyone. */
function accessProblems(access: Operation["access"]): readonly ProblemCode[] {
  if (access === "open") return [];
  return access === "signed-in"
    ? ["unauthenticated", "token-scope"]
    : ["unauthenticated", "forbidden", "token-scope"];
}

function printOperation(operation: Operation): object {
  const { operationId, summary, description, tag, access, parameters, body, answer } = operation;
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: access === "open" ? [] : identified,
    "x-hadal-access": access,
    ...(operation.isForEmbeds && { "x-hadal-embeds": true }),
    ...(parameters === undefined ? {} : { parameters: parameters.map(printParameter) }),
    ...(body === undefined ? {} : { requestBody: printBody(body) }),
    responses: {
      [answer.status]: printAnswer(answer),
      ...(answer.otherwise && {
        [answer.otherwise.status]: printAnswer({ ...answer, ...answer.otherwise }),
      }),
      ...printProblems(operation),
    },
  };
}

function printParameter(parameter: Parameter): object {
  return parameter.in === "path" ? { ...parameter, required: true } : parameter;
}

function printBody({ description, content }: Body): object {
  return { ...(description === undefined ? {} : { description }), required: true, content };
}

function printAnswer({ description, headers, content }: Answer): object {
  const schema = { type: "string" };
  const described = Object.entries(headers ?? {}).map(([name, header]) => [
    name,
    { ...header, schema },
  ]);
  return {
    description,
    ...(headers === undefined ? {} : { headers: Object.fromEntries(described) }),
    ...(content === undefined ? {} : { content }),
  };
}

/** Problems by status, each with its codes. */
function printProblems({ problems = [], access }: Operation): Record<string, object> {
  const codes = [...new Set([...problems, ...accessProblems(access), ...commonProblems])];
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = problemCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content: Record<string, Content> = {
    "application/problem+json": { schema: ref("Problem") },
  };
  const entries = [...byStatus].map(([status, names]) => [
    status,
    { description: names.map((name) => `\`${name}\``).join(", "), content },
  ]);
  return Object.fromEntries(entries);
}
