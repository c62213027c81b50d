import { describe, expect, test } from "vitest";
import { resolveSettings } from "./serveSettings.js";

const proxied = {
  auth: "header",
  trustedHeader: "X-User",
  trustedProxies: "10.0.0.0/8, 127.0.0.1",
};

describe("settings of access", () => {
  test.each([
    [{}, "none"],
    [{ host: "::1" }, "none"],
    [{ host: "127.9.9.9" }, "none"],
    [{ host: "0.0.0.0" }, "users"],
    [{ host: "::" }, "users"],
    [{ host: "127.evil.example" }, "users"],
    [{ auth: "users" }, "users"],
    [{ host: "10.0.0.1", auth: "users" }, "users"],
  ])("%j: sign-in is %s", async (flags, expected) => {
    expect((await resolveSettings(flags, {})).auth).toBe(expected);
  });

  test("of a proxy that signs people in", async () => {
    const flags = {
      ...proxied,
      trustedGroupsHeader: "X-Groups",
      roleGroups: "admin=ops,editor=a=b",
    };
    expect(await resolveSettings(flags, {})).toMatchObject({
      auth: "header",
      trustedHeader: "x-user",
      trustedGroupsHeader: "x-groups",
      trustedProxies: ["10.0.0.0/8", "127.0.0.1"],
      roleGroups: [
        { role: "admin", group: "ops" },
        { role: "editor", group: "a=b" },
      ],
    });
  });

  test("of a provider, also from the environment", async () => {
    const environment = { HADAL_AUTH: "users", HADAL_OIDC_CLIENT_SECRET_FILE: "/run/secret" };
    const flags = { oidcIssuer: "https://id.example/realm", oidcClientId: "hadal" };
    expect((await resolveSettings(flags, environment)).oidc).toEqual({
      issuer: "https://id.example/realm",
      clientId: "hadal",
      clientSecretFile: "/run/secret",
      groupsClaim: "groups",
    });
  });

  test.each([
    [{ host: "0.0.0.0", auth: "none" }, "npx hadal user add NAME --role admin"],
    [{ host: "127.evil.example", auth: "none" }, "not a loopback address"],
    [{ role: "leaf", host: "0.0.0.0" }, "A leaf listens on a loopback address"],
    [{ auth: "off" }, "--auth is users, header or none"],
    [{ auth: "header", trustedProxies: "10.0.0.1" }, "needs --trusted-header"],
    [{ auth: "header", trustedHeader: "X-User" }, "needs --trusted-proxies"],
    [{ trustedHeader: "X-User" }, "need --auth header"],
    [{ trustedGroupsHeader: "X-Groups" }, "need --auth header"],
    [{ ...proxied, trustedHeader: "X-Forwarded-For" }, "--trusted-header is the name of a header"],
    [{ ...proxied, trustedHeader: "a: b\r\nc" }, "--trusted-header is the name of a header"],
    [{ ...proxied, trustedProxies: "10.0.0.0/33" }, "--trusted-proxies are addresses and ranges"],
    [{ trustedProxies: "proxy.example" }, 'found "proxy.example"'],
    [{ tlsCert: "cert.pem" }, "--tls-cert and --tls-key are set together"],
    [{ tlsKey: "key.pem" }, "--tls-cert and --tls-key are set together"],
    [{ auth: "users", oidcIssuer: "http://id.example", oidcClientId: "h" }, "begins with https://"],
    [{ auth: "users", oidcIssuer: "id.example", oidcClientId: "h" }, "begins with https://"],
    [{ auth: "users", oidcIssuer: "https://id.example" }, "needs --oidc-client-id"],
    [{ oidcIssuer: "https://id.example", oidcClientId: "h" }, "needs --auth users"],
    [{ auth: "users", oidcClientId: "h" }, "--oidc-client-id needs --oidc-issuer"],
    [{ roleGroups: "boss=ops" }, "--role-groups are pairs such as admin=ops"],
    [{ roleGroups: "admin" }, 'found "admin"'],
  ])("%j is refused", async (flags, expected) => {
    await expect(resolveSettings(flags, {})).rejects.toThrow(expected);
  });
});
