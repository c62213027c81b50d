import { describe, expect, it } from "vitest";
import { HadalError } from "../../problem/problem.js";
import { checkEmbedKeyDraft, checkEmbedScope } from "./checkEmbed.js";

const draft = { title: "Shop", table: "visits", views: ["timeseries"], rangeMsMax: 3_600_000 };
const query = { table: "visits", from: "-1h", to: "now" };

function problemsOf(check: () => unknown): readonly (string | undefined)[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path }) => path);
  }
}

describe("checkEmbedScope", () => {
  it("allows the least where something is left out", () => {
    expect(checkEmbedScope(draft)).toEqual({
      ...draft,
      ...{ filter: [], hiddenColumns: [], groupBy: [], frameAncestors: [] },
      ...{ expiresInMs: 3_600_000, query: null, view: null, mayOpen: null },
    });
  });

  it("takes a token of a host without a title", () => {
    const { title: _, ...untitled } = draft;
    expect(checkEmbedScope(untitled, "token").title).toBe("visits");
    expect(problemsOf(() => checkEmbedScope(untitled))).toEqual(["title"]);
  });

  it.each([
    [null, [""]],
    [{}, ["title", "table", "views", "rangeMsMax"]],
    [{ ...draft, views: [] }, ["views"]],
    [{ ...draft, views: ["rows", 1] }, ["views[1]"]],
    [{ ...draft, view: "table" }, ["view"]],
    [{ ...draft, view: "timeseries", query }, []],
    [{ ...draft, query: { ...query, table: "secrets" } }, ["query.table"]],
    [{ ...draft, query: { table: "visits", from: "-1h" } }, ["query.to"]],
    [{ ...draft, filter: [{ column: "page", op: "is" }] }, ["filter[0].op"]],
    [{ ...draft, groupBy: ["page", ""] }, ["groupBy[1]"]],
    [{ ...draft, hiddenColumns: "ip" }, ["hiddenColumns"]],
    [{ ...draft, rangeMsMax: 0 }, ["rangeMsMax"]],
    [{ ...draft, expiresInMs: 86_400_001 }, ["expiresInMs"]],
    [{ ...draft, mayOpen: "yes" }, ["mayOpen"]],
    [{ ...draft, permissions: ["admin"] }, ["permissions"]],
  ])("%.80j: each fault at its place", (value, paths) => {
    expect(problemsOf(() => checkEmbedScope(value))).toEqual(paths);
  });

  it.each([
    "https://intranet.example",
    "http://127.0.0.1:5173",
    "https://*.example.com",
    "https://*.example.com:8443",
    "'self'",
  ])("the host %s is right", (host) => {
    expect(problemsOf(() => checkEmbedScope({ ...draft, frameAncestors: [host] }))).toEqual([]);
  });

  it.each([
    "*",
    "https:",
    "https://*",
    "https://*.*.example",
    "https://a.example/",
    "https://a.example:443",
    "https://A.example",
    "https://a.example; script-src *",
    "https://a.example https://b.example",
    "https://a.example\nX: y",
    "https://user@a.example",
    "data:",
    "'none'",
    7,
  ])("the host %j is refused", (host) => {
    const check = () => checkEmbedScope({ ...draft, frameAncestors: [host] });
    expect(problemsOf(check)).toEqual(["frameAncestors[0]"]);
  });
});

describe("checkEmbedKeyDraft", () => {
  const jwk = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };

  it("takes a JWK itself", () => {
    expect(checkEmbedKeyDraft(jwk)).toEqual({ jwk });
  });

  it.each([
    [{ jwk, name: "Intranet", kid: "k1", tables: ["visits"] }, []],
    [{ publicKey: "-----BEGIN PUBLIC KEY-----" }, []],
    [{ name: "Intranet" }, ["jwk"]],
    [{ jwk, publicKey: "x" }, ["jwk"]],
    [{ jwk, kid: "" }, ["kid"]],
    [{ jwk, tables: [7] }, ["tables[0]"]],
    [{ jwk, admin: true }, ["admin"]],
    [7, [""]],
  ])("%.80j: each fault at its place", (value, paths) => {
    expect(problemsOf(() => checkEmbedKeyDraft(value))).toEqual(paths);
  });
});
