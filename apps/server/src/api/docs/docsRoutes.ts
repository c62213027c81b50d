import { apiBase } from "@hadal/sdk";
import type { FastifyInstance } from "fastify";
import { printDocsPage } from "./docsPage.js";
import { docsStyle } from "./docsStyle.js";
import { createOpenApi, type RouteList } from "./openApi.js";
import type { Operation } from "./operation.js";

const getOpenApi: Operation = {
  operationId: "openApi",
  summary: "This document",
  tag: "Server",
  access: "signed-in",
  answer: {
    status: 200,
    description: "OpenAPI 3.1.",
    content: { "application/json": { schema: { type: "object" } } },
  },
};

const getDocs: Operation = {
  operationId: "docs",
  summary: "This document as a page",
  tag: "Server",
  access: "signed-in",
  answer: {
    status: 200,
    description: "HTML without scripts.",
    content: { "text/html": { schema: { type: "string" } } },
  },
};

const getDocsStyle: Operation = {
  operationId: "docsStyle",
  summary: "The style of that page",
  tag: "Server",
  access: "signed-in",
  answer: {
    status: 200,
    description: "CSS.",
    content: { "text/css": { schema: { type: "string" } } },
  },
};

/** The description of the API: as OpenAPI, and as a page. */
export function addDocsRoutes(app: FastifyInstance, list: RouteList): void {
  // Built on first use, when all routes are registered.
  let document: string | null = null;
  let page: string | null = null;
  app.get(`${apiBase}/openapi.json`, { config: { operation: getOpenApi } }, (_request, reply) => {
    document ??= JSON.stringify(createOpenApi(list));
    return reply.type("application/json; charset=utf-8").send(document);
  });
  app.get(`${apiBase}/docs`, { config: { operation: getDocs } }, (_request, reply) => {
    page ??= printDocsPage(list);
    return reply.type("text/html; charset=utf-8").send(page);
  });
  app.get(`${apiBase}/docs.css`, { config: { operation: getDocsStyle } }, (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(docsStyle),
  );
}
