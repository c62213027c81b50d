import { expect, test } from "vitest";
import { scopeOfToken } from "./tokenScope.js";

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const tokenOf = (claims: object, { kid = "k", signature = "s" } = {}): string =>
  `${part({ alg: "EdDSA", kid })}.${part(claims)}.${signature}`;

const hadal = { table: "orders", filter: [{ column: "customer", op: "=", value: "Zoë ÿ 漢字" }] };
const claims = { aud: "hadal-embed", sub: "e1", iat: 1, exp: 2, jti: "a", hadal };
const scope = scopeOfToken(tokenOf(claims));

test("a token and the one that renews it are for the same", () => {
  const renewed = { ...claims, iat: 100, exp: 200, nbf: 100, jti: "b" };
  expect(scopeOfToken(tokenOf(renewed, { signature: "t" }))).toBe(scope);
});

test.each<[string, string]>([
  ["other rows", tokenOf({ ...claims, hadal: { ...hadal, filter: [] } })],
  ["another embed", tokenOf({ ...claims, sub: "e2" })],
  ["another key", tokenOf(claims, { kid: "other" })],
])("a token for %s is for something else", (_, token) => {
  expect(scopeOfToken(token)).not.toBe(scope);
});

test.each(["", "a", "a.b.c", "..", `x.${part([])}`])("the text %j is like itself alone", (text) => {
  expect(scopeOfToken(text)).toBe(scopeOfToken(text));
  expect(scopeOfToken(text)).not.toBe(scopeOfToken(`${text}1`));
});
