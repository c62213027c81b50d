import { apiBase, problemCodes } from "@hadal/sdk";
import { type JsonSchema, schemas } from "@hadal/sdk/schema";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";
import { createSchemaValidator } from "../testing/answerValidator.js";
import { withApi } from "../testing/startApi.js";

interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    name: string;
    in: string;
    schema: JsonSchema;
    example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Record<string, MediaType> };
  readonly responses: Record<string, { readonly content?: Record<string, MediaType> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

async function readDocument(app: FastifyInstance): Promise<Document> {
  const reply = await app.inject({ url: `${apiBase}/openapi.json` });
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  return reply.json();
}

function operationsOf({ paths }: Document): [string, DocumentedOperation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, DocumentedOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

/** The routes of the router itself, whatever the list of described ones says: the lines of its tree with their methods. */
function registeredRoutes(app: FastifyInstance): string[] {
  const stems: string[] = [];
  const routes: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split("\n")) {
    const match = /^([\s│├└─]*)(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (match === null) continue;
    const depth = match[1]!.length / 4;
    stems.length = depth;
    stems[depth] = match[2]!;
    const path = stems.join("").replace(/:(\w+)/g, "{$1}");
    for (const method of match[3]?.split(", ") ?? []) {
      if (method !== "HEAD" && !path.includes("*")) routes.push(`${method} ${path}`);
    }
  }
  return routes.sort();
}

const withDocument = (test: (document: Document, app: FastifyInstance) => Promise<void> | void) =>
  withApi({}, async ({ app }) => test(await readDocument(app), app));

describe("the OpenAPI document", () => {
  it("has every route that is registered, and no other", () =>
    withDocument((document, app) => {
      const documented = operationsOf(document).map(([route]) => route);
      expect(documented).toContain(`POST ${apiBase}/tables/{table}/rows`);
      expect(documented.sort()).toEqual(registeredRoutes(app));
    }));

  it("is valid OpenAPI 3.1, and all it points to is there", () =>
    withDocument(async (document) => {
      const validator = new Validator();
      const { valid, errors } = await validator.validate({ ...structuredClone(document) });
      expect(errors).toBeUndefined();
      expect([valid, validator.version]).toEqual([true, "3.1"]);
      const targets = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
      expect(targets.length).toBeGreaterThan(50);
      for (const [, name] of targets) expect(document.components.schemas).toHaveProperty(name!);
      const ids = operationsOf(document).map(([, { operationId }]) => operationId);
      expect(new Set(ids).size).toBe(ids.length);
    }));

  it("names the parameters of each path", () =>
    withDocument((document) => {
      for (const [route, { parameters = [] }] of operationsOf(document)) {
        const named = parameters.filter((parameter) => parameter.in === "path");
        const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect([route, named.map(({ name }) => name)]).toEqual([route, inPath]);
      }
    }));

  it("has examples that its own schemas accept", () =>
    withDocument((document) => {
      const validatorOf = createSchemaValidator(document.components.schemas);
      let examples = 0;
      const check = (route: string, schema: JsonSchema, example: unknown): void => {
        if (example === undefined) return;
        examples += 1;
        const validate = validatorOf(schema);
        expect([route, validate(example), validate.errors]).toEqual([route, true, null]);
      };
      for (const [route, { parameters, requestBody, responses }] of operationsOf(document)) {
        for (const { schema, example } of parameters ?? []) check(route, schema, example);
        const contents = [requestBody, ...Object.values(responses)].map((part) => part?.content);
        for (const content of contents.flatMap((part) => Object.values(part ?? {}))) {
          check(route, content.schema, content.example);
        }
      }
      expect(examples).toBeGreaterThan(20);
    }));

  it("has an example for each route that takes a body or answers JSON of its own", () =>
    withDocument((document) => {
      for (const [route, { operationId, requestBody, responses }] of operationsOf(document)) {
        const answered = responses["200"]?.content?.["application/json"];
        if (requestBody !== undefined) {
          const [first] = Object.values(requestBody.content);
          expect([route, first?.example]).not.toEqual([route, undefined]);
        }
        if (answered !== undefined && operationId !== "openApi") {
          expect([route, answered.example]).not.toEqual([route, undefined]);
        }
      }
    }));
});

describe("the page", () => {
  it("shows every route, schema and problem, without a script and escaped", () =>
    withDocument(async (document, app) => {
      const { body, headers } = await app.inject({ url: `${apiBase}/docs` });
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(headers["content-security-policy"]).toContain("default-src 'self'");
      for (const [, { operationId }] of operationsOf(document)) {
        expect(body).toContain(`<section id="${operationId}">`);
      }
      for (const name of Object.keys(schemas)) expect(body).toContain(`id="schema-${name}"`);
      for (const code of Object.keys(problemCodes)) expect(body).toContain(`id="problem-${code}"`);
      // Addresses under .example and example.com are those of examples.
      expect(body).not.toMatch(/<script|style=|https?:\/\/(?!127\.0\.0\.1|[*\w.]*\.example\b)/);
      // Every link leads somewhere on the page.
      const links = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
      expect(links.length).toBeGreaterThan(30);
      for (const id of links) expect(body).toContain(`id="${id}"`);
      const style = await app.inject({ url: /href="([^"#]+\.css)"/.exec(body)![1]! });
      expect(style.headers["content-type"]).toBe("text/css; charset=utf-8");
    }));
});

it("a plain GET of the live socket gets an explanation", () =>
  withApi({}, async ({ app }) => {
    const reply = await app.inject({ url: `${apiBase}/live` });
    expect(reply.json()).toMatchObject({ code: "bad-request" });
    expect(reply.json().detail).toContain("WebSocket");
  }));
