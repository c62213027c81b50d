import { type EmbedDraft, embedExpiresMsMax, type Grant, type HadalError } from "@hadal/sdk";
import { checkEmbedScope } from "@hadal/sdk/checks";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { Access } from "../access.js";
import type { Credentials } from "../credentials.js";
import type { Person } from "../person.js";
import type { EmbedActor } from "./embedKeys.js";
import type { EmbedOwner } from "./embedOwner.js";

let folder: RegistryFolder;
let access: Access;
/** The time of the test, which it moves. */
let nowMs: number;
const opened: Access[] = [];

async function open(): Promise<Access> {
  const one = await Access.open(await folder.open(), {
    ...{ auth: "users", signIn: { password: true, oidc: null }, roleGroups: [] },
    ...{ warn: (text) => expect.fail(text), nowMs: () => nowMs },
  });
  opened.push(one);
  return one;
}

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  folder = await registryFolder();
  access = await open();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await folder.remove();
});

const admin = { who: "root", address: "10.0.0.1" };
const minuteMs = 60_000;
const region = { column: "region", op: "=", value: "eu" } as const;
const draft: EmbedDraft = {
  ...{ title: "Visits", table: "visits", views: ["timeseries"], filter: [region] },
  ...{ hiddenColumns: ["ip"], groupBy: ["time"], rangeMsMax: 1_000 },
  frameAncestors: ["https://intranet.example"],
};
const ended = { code: "unauthenticated", status: 401 };
const beyond = { code: "token-scope", status: 403 };

async function addOwner(name: string, role = "editor"): Promise<EmbedOwner & { id: string }> {
  const { id } = await access.users.createWithPassword({ name, role }, "correct horse", admin);
  return { kind: "user", id };
}

const actorOf = (owner: EmbedOwner, isAdmin = false): EmbedActor => ({ ...admin, owner, isAdmin });

const grant = (grants: readonly Grant[]): Promise<unknown> =>
  access.grants.replace({ grants }, admin);

async function identify(token: string, by = access): Promise<Person> {
  const credentials: Credentials = { token, session: null, external: null, address: "127.0.0.1" };
  return by.identify(credentials);
}

const create = (owner: EmbedOwner, changed: Partial<EmbedDraft> = {}) =>
  access.embeds.create(checkEmbedScope({ ...draft, ...changed }), actorOf(owner));

describe("an embed", () => {
  test("shows what it says, and is limited and listed by its id", async () => {
    const owner = await addOwner("root", "admin");
    const { id, token, expiresMs } = await create(owner);
    expect(expiresMs).toBe(nowMs + 60 * minuteMs);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "EdDSA", kid: expect.any(String) });
    expect(decodeJwt(token)).toMatchObject({ aud: "hadal-embed", sub: id, exp: expiresMs / 1_000 });
    const person = await identify(token);
    expect(person).toMatchObject({ key: `embed:${id}`, kind: "embed", role: null, groups: [] });
    expect([...person.permissions]).toEqual(["query"]);
    expect(person.mayIngest("visits")).toBe(false);
    expect(person.embeddable.of("visits")).toBeNull();
    expect(person.readable.of("visits")).toEqual({
      ...{ rows: [[region]], hiddenColumns: ["ip"] },
      bounds: { rows: false, groupBy: ["time"], rangeMsMax: 1_000 },
    });
    expect(person.readable.of("others")).toBeNull();
  });

  test("shows no more than its owner may embed now", async () => {
    const owner = await addOwner("ann");
    const { token } = await create(owner);
    const readable = async () => (await identify(token)).readable.of("visits");
    expect(await readable()).toBeNull();
    const own = { column: "shop", op: "=", value: "berlin" } as const;
    await grant([{ user: "ann", table: "visits", filter: [own], hiddenColumns: ["email"] }]);
    expect(await readable()).toMatchObject({
      ...{ rows: [[own, region]], hiddenColumns: ["email", "ip"] },
    });
    const before = await identify(token);
    // A filter reveals nothing of a column that is hidden from the owner either.
    await grant([{ user: "ann", table: "visits", hiddenColumns: ["region"] }]);
    expect(await readable()).toMatchObject({ rows: [], hiddenColumns: ["ip", "region"] });
    expect(access.isStillValid(before)).toBe(false);
    await grant([{ user: "ann", table: "visits" }]);
    await access.users.change(owner.id, { name: "ann", role: "viewer" }, admin);
    expect(await readable()).toBeNull();
    await access.users.change(owner.id, { name: "ann", role: "editor" }, admin);
    expect(await readable()).not.toBeNull();
    await access.users.remove(owner.id, admin);
    await expect(identify(token)).rejects.toMatchObject(ended);
  });

  test("of a token shows its tables, until that token is revoked", async () => {
    const made = await access.tokens.create({ scopes: ["embed:visits"] }, admin);
    const owner: EmbedOwner = { kind: "token", id: made.id };
    const own = await create(owner);
    const other = await create(owner, { table: "payments" });
    expect((await identify(own.token)).readable.of("visits")).not.toBeNull();
    expect((await identify(other.token)).readable.of("payments")).toBeNull();
    await access.tokens.revoke(made.id, admin);
    await expect(identify(own.token)).rejects.toMatchObject(ended);
  });

  test("made without sign-in shows nothing once sign-in is needed", async () => {
    const { token } = await create({ kind: "anyone", id: null });
    await expect(identify(token)).rejects.toMatchObject(ended);
  });

  test("ends when it is revoked, here and in other processes", async () => {
    const owner = await addOwner("root", "admin");
    const { id, token } = await create(owner);
    const there = await open();
    const persons = [await identify(token), await identify(token, there)];
    await access.embeds.revoke(id, actorOf(owner));
    await expect(identify(token)).rejects.toMatchObject(ended);
    expect(access.whyEnded(persons[0]!)).toMatchObject(ended);
    await vi.waitUntil(() => !there.isStillValid(persons[1]!), 5_000);
    await expect(identify(token, there)).rejects.toMatchObject(ended);
    expect(access.hostsOf(id).state).toBe("revoked");
    await expect(access.embeds.token(id, actorOf(owner))).rejects.toMatchObject({
      code: "unknown-embed",
    });
    expect(await access.embeds.list(actorOf(owner))).toMatchObject([{ id, revokedMs: nowMs }]);
  });

  test("of another process is known within a moment, and until then to be asked for again", async () => {
    const owner = await addOwner("root", "admin");
    // The key is there before.
    await create(owner);
    const there = await open();
    const { token } = await create(owner);
    const asked = identify(token, there).catch((error: HadalError) => error.code);
    expect([await asked, (await identify(token)).kind]).toEqual(["registry-unavailable", "embed"]);
    await vi.waitUntil(
      async () => (await identify(token, there).catch(() => null)) !== null,
      5_000,
    );
  });

  test("expires to the second, whatever the clock of a host", async () => {
    const { token, expiresMs } = await create(await addOwner("root", "admin"), {
      expiresInMs: 2_000,
    });
    const person = await identify(token);
    nowMs = expiresMs - 1;
    expect(access.isStillValid(person)).toBe(true);
    nowMs = expiresMs;
    expect(access.isStillValid(person)).toBe(false);
    await expect(identify(token)).rejects.toMatchObject(ended);
  });

  test("is revoked and renewed by whoever made it, and by admins", async () => {
    const [ann, bob] = [await addOwner("ann"), await addOwner("bob")];
    const { id } = await create(ann);
    const bobs = await create(bob);
    expect((await access.embeds.list(actorOf(bob))).map((one) => one.id)).toEqual([bobs.id]);
    const unknown = { code: "unknown-embed" };
    await expect(access.embeds.revoke(id, actorOf(bob))).rejects.toMatchObject(unknown);
    await expect(access.embeds.token(id, actorOf(bob))).rejects.toMatchObject(unknown);
    expect(await access.embeds.list(actorOf(bob, true))).toHaveLength(2);
    await access.embeds.token(id, actorOf(bob, true));
    await access.embeds.revoke(id, actorOf(ann));
    const noted = (await access.audit.list({})).map(({ action, target }) => `${action} ${target}`);
    expect(noted.filter((text) => text.includes(id))).toEqual([
      ...[`embed.revoke Visits (${id})`, `embed.token Visits (${id})`],
      `embed.create Visits (${id})`,
    ]);
  });
});

describe("a token", () => {
  const parts = (token: string) => token.split(".") as [string, string, string];
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("of which anything was changed is none", async () => {
    const { token } = await create(await addOwner("root", "admin"));
    const [header, payload, signature] = parts(token);
    const claims = decodeJwt(token) as Record<string, unknown> & { readonly hadal: object };
    const changed: readonly Record<string, unknown>[] = [
      ...Object.keys(claims).map((name) => ({ ...claims, [name]: 9_999_999_999 })),
      ...Object.keys(claims.hadal).map((name) => ({
        ...claims,
        hadal: { ...claims.hadal, [name]: name === "rangeMsMax" ? 9e9 : ["other"] },
      })),
    ];
    expect(changed).toHaveLength(13);
    const tampered = [
      ...changed.map((value) => [header, encode(value), signature]),
      [encode({ alg: "none", kid: decodeProtectedHeader(token).kid }), payload, ""],
      [encode({ ...decodeProtectedHeader(token), alg: "HS256" }), payload, signature],
      [encode({ ...decodeProtectedHeader(token), kid: "other" }), payload, signature],
      [encode({ alg: "EdDSA" }), payload, signature],
      [header, payload, `${signature.slice(0, -4)}AAAA`],
      ...[
        [header, payload],
        ["a", "b", "c"],
        ["", "", ""],
        [header, payload, signature, "x"],
      ],
      [header, payload, "x".repeat(40_000)],
    ];
    const details = new Set<string>();
    for (const one of tampered) {
      const error = await identify(one.join(".")).catch((refusal: unknown) => refusal);
      expect([one, error]).toEqual([one, expect.objectContaining(beyond)]);
      details.add((error as HadalError).message);
    }
    // What is wrong says nothing to whoever tries.
    expect([...details]).toEqual(["The embed token is not valid here."]);
  });

  test("is signed with a new key a moment after it replaces the old one", async () => {
    const owner = await addOwner("root", "admin");
    const before = await create(owner);
    nowMs += minuteMs;
    await access.embedKeys.rotate(admin);
    nowMs += 3_001;
    const after = await create(owner);
    const kids = [before, after].map(({ token }) => decodeProtectedHeader(token).kid);
    expect(kids[0]).not.toBe(kids[1]);
    for (const { token } of [before, after]) expect((await identify(token)).kind).toBe("embed");
    expect((await access.embedKeys.list()).map(({ endsMs }) => endsMs === null)).toEqual([
      ...[true, false],
    ]);
    expect(JSON.stringify(await access.embedKeys.list())).not.toMatch(/"d"|privateKey/);
    nowMs += embedExpiresMsMax + minuteMs;
    expect(await access.embedKeys.list()).toHaveLength(1);
  });
});

describe("a host that signs tokens itself", () => {
  const hadal = (({ title: _, ...rest }) => rest)(draft);

  async function addHost(owner: EmbedOwner, more: object = {}) {
    const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
    const jwk = await exportJWK(publicKey);
    const { kid } = await access.embedKeys.add({ jwk, ...more }, actorOf(owner));
    const sign = (
      claims: object = {},
      times: { readonly iat?: number; readonly exp?: number } = {},
    ) =>
      new SignJWT({
        aud: "hadal-embed",
        jti: "1",
        hadal,
        exp: seconds(60 * minuteMs),
        ...times,
        ...claims,
      })
        .setProtectedHeader({ alg: "EdDSA", kid })
        .sign(privateKey);
    return { kid, jwk, sign };
  }
  const seconds = (fromNowMs: number): number => Math.floor((nowMs + fromNowMs) / 1_000);
  const detailOf = (token: string): Promise<string> =>
    identify(token).then(
      () => "valid",
      (error: HadalError) => `${error.status} ${error.message}`,
    );

  test("shows no more than whoever added its key may embed", async () => {
    const ann = await addOwner("ann");
    await grant([{ user: "ann", table: "visits", hiddenColumns: ["email"] }]);
    const host = await addHost(ann);
    const person = await identify(await host.sign());
    expect(person).toMatchObject({ key: `embed:${host.kid}`, name: `visits (${host.kid})` });
    expect(person.readable.of("visits")).toMatchObject({
      ...{ rows: [[region]], hiddenColumns: ["email", "ip"] },
    });
    const other = await identify(await host.sign({ hadal: { ...hadal, table: "payments" } }));
    expect(other.readable.of("payments")).toBeNull();
    // A host's token is one of the host, whatever it says of itself.
    const { id } = await create(await addOwner("root", "admin"));
    expect((await identify(await host.sign({ sub: id }))).key).toBe(`embed:${host.kid}`);
  });

  test("is bound to the tables and pages of its key", async () => {
    const root = await addOwner("root", "admin");
    const { sign, kid } = await addHost(root, {
      ...{ tables: ["visits"], frameAncestors: ["https://a.example"], kid: "host-1" },
    });
    expect(kid).toBe("host-1");
    expect((await identify(await sign())).readable.of("visits")).not.toBeNull();
    const other = await identify(await sign({ hadal: { ...hadal, table: "payments" } }));
    expect(other.readable.of("payments")).toBeNull();
    expect((await identify(await sign())).pass?.keyHosts).toEqual(["https://a.example"]);
    expect([access.mayBeHost("https://a.example"), access.mayBeHost("https://b.example")]).toEqual([
      ...[true, false],
    ]);
    expect(access.hostsOf(kid).frameAncestors).toEqual(["https://a.example"]);
  });

  test("may have a clock that is five minutes off", async () => {
    const { sign } = await addHost(await addOwner("root", "admin"));
    const at = (offMs: number, lifeMs = 60 * minuteMs) =>
      sign({}, { iat: seconds(offMs), exp: seconds(offMs + lifeMs) });
    for (const offMs of [-5 * minuteMs, 0, 5 * minuteMs])
      expect([offMs, await detailOf(await at(offMs))]).toEqual([offMs, "valid"]);
    expect(await detailOf(await at(5 * minuteMs, embedExpiresMsMax))).toBe("valid");
    const future = await detailOf(await at(5 * minuteMs + 1_000));
    expect(future).toContain("403 The claim `iat` of the embed token is refused");
    expect(future).toContain("clock of the host");
    const early = await sign({ nbf: seconds(6 * minuteMs) });
    expect(await detailOf(early)).toContain("The claim `nbf`");
    // Its own life is not lengthened by a clock that is behind.
    expect(await detailOf(await at(-5 * minuteMs, 5 * minuteMs))).toContain("401 ");
  });

  test("learns what is wrong with its claims", async () => {
    const { sign } = await addHost(await addOwner("root", "admin"));
    const long = { iat: seconds(0), exp: seconds(embedExpiresMsMax + 1_000) };
    expect(await detailOf(await sign({}, long))).toContain("at most a day");
    const noIat = { exp: seconds(embedExpiresMsMax + 6 * minuteMs) };
    expect(await detailOf(await sign({}, noIat))).toContain("at most a day");
    for (const claim of ["aud", "jti", "exp"])
      expect(await detailOf(await sign({ [claim]: undefined }))).toContain(
        `403 The claim \`${claim}\``,
      );
    expect(await detailOf(await sign({ aud: "other" }))).toContain("403 The claim `aud`");
    const wrong = await detailOf(await sign({ hadal: { ...hadal, views: [] } }));
    expect(wrong).toMatch(/^403 The claim `hadal` of the token: /);
    expect(await detailOf(await sign({ hadal: undefined }))).toMatch(/^403 The claim `hadal`/);
  });

  test("is refused once its key is removed, and may come back with another", async () => {
    const ann = await addOwner("ann");
    const root = actorOf(await addOwner("root", "admin"), true);
    const host = await addHost(ann, { kid: "host" });
    const token = await host.sign();
    const person = await identify(token);
    const bob = actorOf(await addOwner("bob"));
    await expect(access.embedKeys.remove("host", bob)).rejects.toMatchObject({
      code: "unknown-key",
    });
    const taken = access.embedKeys.add({ jwk: host.jwk, kid: "host" }, root);
    await expect(taken).rejects.toMatchObject({ code: "bad-request" });
    await access.embedKeys.remove("host", root);
    expect(access.isStillValid(person)).toBe(false);
    await expect(identify(token)).rejects.toMatchObject(ended);
    expect(await access.embedKeys.list()).toEqual([]);
    expect(access.mayBeHost("https://intranet.example")).toBe(false);
    const again = await addHost(ann, { kid: "host" });
    expect(access.isStillValid(person)).toBe(false);
    await expect(identify(token)).rejects.toMatchObject(beyond);
    expect((await identify(await again.sign())).kind).toBe("embed");
    const noted = (await access.audit.list({})).map(({ action }) => action);
    expect(noted.filter((action) => action.startsWith("embed-key"))).toEqual([
      ...["embed-key.add", "embed-key.delete", "embed-key.add"],
    ]);
  });

  test("the server's own key is not removed", async () => {
    const root = actorOf(await addOwner("root", "admin"), true);
    const { kid } = await access.embedKeys.signing();
    await expect(access.embedKeys.remove(kid, root)).rejects.toMatchObject({ code: "bad-request" });
  });

  test.each<[string, (pair: CryptoKeyPair) => Promise<object>]>([
    ["a private key", async ({ privateKey }) => ({ jwk: await exportJWK(privateKey) })],
    ["another curve", async () => ({ jwk: { kty: "EC", crv: "P-256", x: "a", y: "b" } })],
    ["a short key", async () => ({ jwk: { kty: "OKP", crv: "Ed25519", x: "AAAA" } })],
    [
      "no key",
      async () => ({ publicKey: "-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----" }),
    ],
  ])("%s is refused", async (_, bodyOf) => {
    const owner = await addOwner("root", "admin");
    const pair = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const added = access.embedKeys.add(await bodyOf(pair as CryptoKeyPair), actorOf(owner));
    await expect(added).rejects.toMatchObject({ code: "bad-request" });
    expect(await access.embedKeys.list()).toEqual([]);
  });
});
