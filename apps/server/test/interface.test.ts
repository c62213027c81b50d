import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Problem } from "@hadal/sdk";
import { type JsonSchema, schemas } from "@hadal/sdk/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSchemaValidator } from "../src/api/testing/answerValidator.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** The running program does what its OpenAPI document says: each example is sent, each answer held against its schema. */

interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, MediaType> };
  readonly responses: Record<string, { readonly content?: Record<string, MediaType> }>;
}
interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const validatorOf = createSchemaValidator(schemas);
let cluster: Cluster;
let routes: Map<string, Route>;
/** Ids are random: those of the examples are not the ones that were created. By the path before them. */
const ids = new Map<string, string>();

beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  const reply = await fetch(`${cluster.url}/api/v1/openapi.json`);
  const document = (await reply.json()) as { paths: Record<string, Record<string, Operation>> };
  routes = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Route] => [
        operation.operationId,
        { method: method.toUpperCase(), path, operation },
      ]),
    ),
  );
});

afterAll(() => cluster.stop());

function routeOf(operationId: string): Route {
  const route = routes.get(operationId);
  if (route === undefined) throw new Error(`no route ${operationId}`);
  return route;
}

/** Sends the example of a route, with one of its bodies; the answer is held against the schema of its type. */
async function sendExample(
  operationId: string,
  bodyType?: string,
  accept = "*/*",
  token?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { method, path, operation } = routeOf(operationId);
  const { parameters = [], requestBody, responses } = operation;
  const example = (name: string): string => {
    const id = ids.get(path.split("/{")[0]!);
    if (name === "id" && id !== undefined) return id;
    return encodeURIComponent(String(parameters.find((other) => other.name === name)?.example));
  };
  const search = parameters
    .filter((parameter) => parameter.in === "query" && parameter.example !== undefined)
    .map(({ name }) => `${name}=${example(name)}`);
  const url = `${cluster.url}${path.replace(/\{(\w+)\}/g, (_, name: string) => example(name))}?${search.join("&")}`;
  const sent = bodyType === undefined ? undefined : requestBody?.content[bodyType]?.example;
  const reply = await fetch(url, {
    method,
    headers: {
      accept,
      ...(bodyType === undefined ? {} : { "content-type": bodyType }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(sent === undefined ? {} : { body: typeof sent === "string" ? sent : JSON.stringify(sent) }),
  });
  const type = reply.headers.get("content-type")?.split(";")[0] ?? "";
  const text = await reply.text();
  const described = responses[reply.status];
  expect(described, `${operationId} answered ${reply.status}: ${text}`).toBeDefined();
  if (type !== "") expect(described!.content).toHaveProperty([type]);
  if (/^application\/(problem\+)?json$/.test(type))
    expectSchema(described!.content![type]!.schema, text);
  if (type === "application/problem+json") {
    const { code } = JSON.parse(text) as Problem;
    expect(JSON.stringify(described)).toContain(`\`${code}\``);
  }
  return { status: reply.status, text };
}

const idOf = (text: string): string => (JSON.parse(text) as { id: string }).id;

function expectSchema(schema: JsonSchema, text: string): void {
  const validate = validatorOf(schema);
  validate(JSON.parse(text));
  expect(validate.errors, text.slice(0, 2_000)).toBeNull();
}

/** In the order in which they make sense: rows, questions, tables, and what removes them. */
test("every example of the document is answered as it says", async () => {
  const done = new Set<string>();
  const expectStatus = async (operationId: string, status: number, ...more: string[]) => {
    done.add(operationId);
    const answer = await sendExample(operationId, ...(more as [string?, string?]));
    expect([operationId, answer.status, answer.text]).toEqual([operationId, status, answer.text]);
    return answer.text;
  };
  const bodies = routeOf("sendRows").operation.requestBody!.content;
  for (const [type, { example }] of Object.entries(bodies)) {
    // What is binary has no example in a text; raw lines need a parameter that no other body takes.
    if (example === undefined)
      expect(type).toMatch(
        /^(text\/plain|application\/vnd\.apache\.(arrow\.(stream|file)|parquet))$/,
      );
    else await expectStatus("sendRows", 200, type);
  }
  expect(JSON.parse(await expectStatus("sendBatches", 200, "application/json"))).toMatchObject({
    tables: { orders: { accepted: 1 }, payments: { accepted: 1 } },
  });
  for (const operationId of ["sendOtlpLogs", "sendOtlpSpans", "sendOtlpMetrics"])
    expect(await expectStatus(operationId, 200, "application/json")).toBe("{}");
  for (const accept of Object.keys(routeOf("query").operation.responses["200"]!.content!)) {
    const text = await expectStatus("query", 200, "application/json", accept);
    expect(text).toContain("/cart");
  }
  expect(JSON.parse(await expectStatus("facets", 200, "application/json"))).toMatchObject({
    columns: [{ name: "page" }, { name: "ms" }],
  });
  expect(JSON.parse(await expectStatus("whatChanged", 200, "application/json"))).toMatchObject({
    final: true,
  });
  const saved = await expectStatus("saveLink", 200, "application/json");
  // The same address always gets the same name: that of the example.
  expect(JSON.parse(await expectStatus("link", 200))).toEqual(JSON.parse(saved));
  const created = await expectStatus("createDocument", 201, "application/json");
  const documentId = idOf(created);
  ids.set("/api/v1/documents", documentId);
  expect(JSON.parse(await expectStatus("document", 200))).toEqual(JSON.parse(created));
  await expectStatus("saveDocument", 200, "application/json");
  expect(await expectStatus("listDocuments", 200)).toContain(documentId);
  expect(JSON.parse(await expectStatus("documentVersions", 200))).toMatchObject({
    versions: [{ version: 2 }, { version: 1 }],
  });
  await expectStatus("createAnnotation", 201, "application/json");
  expect(await expectStatus("listAnnotations", 200)).toContain("Release 4.2");
  const rule = routeOf("previewAlert").operation.requestBody!.content["application/json"]!.example;
  const alert = await cluster.client.documents.create({
    ...{ kind: "alert", title: "Slow visits", body: rule as Record<string, unknown> },
  });
  ids.set("/api/v1/alerts", alert.id);
  expect(JSON.parse(await expectStatus("listAlerts", 200))).toMatchObject({
    ...{ alerts: [{ id: alert.id }], health: { behind: expect.any(Number) } },
  });
  await expectStatus("alert", 200);
  await expectStatus("previewAlert", 200, "application/json");
  await expectStatus("muteAlert", 200, "application/json");
  expect(await expectStatus("alertHistory", 200)).toContain('"history"');
  expect(await expectStatus("acknowledgeAlert", 400)).toContain("not firing");
  expect(await expectStatus("testAlert", 400, "application/json")).toContain("0 channels");
  expect(await expectStatus("testAlertDraft", 200, "application/json")).toContain('"webhook"');
  await expectStatus("documentVersion", 200);
  // The example asks for a column that the rows here do not have: the query's problem is the picture's.
  for (const operationId of ["documentImageSvg", "documentImagePng", "documentImagePdf"])
    expect(await expectStatus(operationId, 400)).toContain("unknown-column");
  await expectStatus("deleteDocument", 200);
  await expectStatus("document", 404);
  await expectStatus("cancelQuery", 404);
  await expectStatus("live", 400);
  expect(JSON.parse(await expectStatus("listTables", 200))).toMatchObject([
    { name: "orders" },
    ...[{ name: "otel_logs" }, { name: "otel_metrics" }, { name: "otel_spans" }],
    ...[{ name: "payments" }, { name: "visits" }],
  ]);
  await expectStatus("describeTable", 200);
  expect(JSON.parse(await expectStatus("plan", 200))).toMatchObject({ levels: 2, fanOut: 5 });
  expect(JSON.parse(await expectStatus("cache", 200))).toMatchObject({
    pools: { "ad-hoc": { bytes: expect.any(Number) as number } },
  });
  await expectStatus("clearCache", 204);
  // The machine of this server has the name of its host.
  expect(await expectStatus("clusterRegistry", 400, "application/json")).toContain("no member");
  expect(await expectStatus("drain", 404, "application/json")).toContain("unknown-machine");
  expect(JSON.parse(await expectStatus("listValues", 200))).toMatchObject([{ value: "/cart" }]);
  await expectStatus("saveFunction", 200, "application/json");
  await expectStatus("getFunction", 200);
  expect(await expectStatus("listFunctions", 200)).toContain('"speed"');
  expect(JSON.parse(await expectStatus("tryFunction", 200, "application/json"))).toMatchObject({
    results: [{ value: "fast" }, { value: "slow" }],
  });
  await expectStatus("deleteFunction", 200);
  await expectStatus("getFunction", 404);
  expect(JSON.parse(await expectStatus("me", 200))).toMatchObject({ kind: "anyone", auth: "none" });
  // People sign in nowhere here, but can be written down before they do.
  await expectStatus("signIn", 403, "application/json");
  await expectStatus("signOut", 204);
  // Without a provider there is no such sign-in.
  await expectStatus("signInAtProvider", 404);
  await expectStatus("signedInAtProvider", 404);
  ids.set("/api/v1/users", idOf(await expectStatus("createUser", 201, "application/json")));
  expect(await expectStatus("inviteUser", 200)).toContain("/setup#");
  await expectStatus("changeUser", 200, "application/json");
  expect(await expectStatus("listUsers", 200)).toContain('"invited"');
  await expectStatus("deleteUser", 200);
  const token = await expectStatus("createToken", 201, "application/json");
  ids.set("/api/v1/tokens", idOf(token));
  expect(await expectStatus("listTokens", 200)).not.toContain(JSON.parse(token).token);
  await expectStatus("revokeToken", 200);
  ids.set("/api/v1/sources", idOf(await expectStatus("setSource", 200, "application/json")));
  await expectStatus("getSource", 200);
  expect(await expectStatus("listSources", 200)).toContain('"topics"');
  await expectStatus("deleteSource", 200);
  await expectStatus("getSource", 404);
  const grants = await expectStatus("setGrants", 200, "application/json");
  expect(await expectStatus("listGrants", 200)).toBe(grants);
  expect(await expectStatus("audit", 200)).toContain('"token.revoke"');
  const lines = await sendExample("audit", undefined, "application/x-ndjson");
  expect(lines.text.split("\n").map((line) => line && JSON.parse(line).action)).toContain(
    "user.create",
  );
  const embed = JSON.parse(await expectStatus("createEmbed", 201, "application/json"));
  ids.set("/api/v1/embeds", embed.id);
  expect(JSON.parse(await expectStatus("renewEmbedToken", 201)).token).not.toBe(embed.token);
  const self = await sendExample("describeEmbed", undefined, "*/*", embed.token);
  expect([self.status, JSON.parse(self.text).id]).toEqual([200, embed.id]);
  await expectStatus("describeEmbed", 404);
  const signed = JSON.parse(await expectStatus("signEmbedImage", 201, "application/json"));
  expect((await fetch(signed.url)).headers.get("content-type")).toBe("image/png");
  for (const operationId of ["embedImageSvg", "embedImagePng"]) {
    const image = await sendExample(operationId, undefined, "*/*", embed.token);
    expect([operationId, image.status]).toEqual([operationId, 200]);
    await expectStatus(operationId, 404);
  }
  expect(await expectStatus("listEmbeds", 200)).toContain(embed.id);
  await expectStatus("revokeEmbed", 200);
  await expectStatus("addEmbedKey", 201, "application/json");
  await expectStatus("rotateEmbedKey", 201);
  expect(await expectStatus("listEmbedKeys", 200)).toContain('"intranet-2026"');
  await expectStatus("removeEmbedKey", 200);
  await expectStatus("setTable", 200, "application/json");
  await expectStatus("deleteTable", 200);
  await expectStatus("describeTable", 404);
  for (const [operationId, { method, operation }] of routes) {
    const takesNothing = method === "GET" && operation.parameters === undefined;
    if (takesNothing && !done.has(operationId)) await expectStatus(operationId, 200);
  }
  expect([...routes.keys()].filter((operationId) => !done.has(operationId))).toEqual([]);
});

test("the published schema of Query is the one that the program serves", async () => {
  const path = fileURLToPath(new URL("../../../packages/sdk/dist/query.json", import.meta.url));
  const published = JSON.parse(readFileSync(path, "utf8")) as { $defs: object; properties: object };
  const served = (await (await fetch(`${cluster.url}/api/v1/openapi.json`)).json()) as {
    components: { schemas: Record<string, JsonSchema> };
  };
  const localized = JSON.stringify(served.components.schemas.Query).replaceAll(
    "#/components/schemas/",
    "#/$defs/",
  );
  expect(published).toMatchObject(JSON.parse(localized));
  expect(Object.keys(published.$defs).length).toBeGreaterThan(10);
});
