import { type BatchOptions, createClient, HadalError, type LiveOptions, type Me } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { createSignInGate } from "./signInGate.js";
import { batchThroughGate, createWho, liveThroughGate, whyNot } from "./who.js";

const person = (name: string): Me => ({
  ...{ kind: "user", id: name, name, role: "viewer", groups: [], auth: "users" },
  permissions: ["query"],
});

/** A server with these accounts; the first one has a session. */
function signedIn(accounts: readonly Me[]) {
  const left: string[] = [];
  const answer = (me: Me | undefined): Response =>
    me === undefined
      ? Response.json({ code: "unauthenticated", detail: "wrong" }, { status: 401 })
      : Response.json(me);
  const gate = createSignInGate(async (input, init) => {
    const { method = "GET", body } = init ?? {};
    if (method === "GET") return answer(accounts[0]);
    if (method === "POST") {
      const { name } = JSON.parse(String(body)) as { readonly name: string };
      return answer(accounts.find((one) => one.name === name));
    }
    left.push(String(input));
    return new Response(null, { status: 204 });
  });
  let pages = 0;
  const who = createWho({
    gate,
    client: createClient({ url: "http://hadal", fetch: gate.fetch }),
    onOtherPerson: () => {
      pages += 1;
    },
  });
  return { who, left, pages: () => pages };
}

describe("who is signed in", () => {
  test("is known after the sign-in, and the same person keeps the page", async () => {
    const { who, pages } = signedIn([person("ann")]);
    await expect(who.signIn({ name: "eve", password: "x" })).rejects.toThrow("wrong");
    expect(who.getState().me).toBeNull();
    await who.signIn({ name: "ann", password: "x" });
    await who.signIn({ name: "ann", password: "x" });
    expect(who.getState().me?.name).toBe("ann");
    expect(pages()).toBe(0);
  });

  test("another person gets a new page, and signing out one, too", async () => {
    const { who, left, pages } = signedIn([person("ann"), person("bo")]);
    await who.load();
    await who.signIn({ name: "bo", password: "x" });
    expect(pages()).toBe(1);
    expect(who.getState().me?.name).toBe("ann");
    await who.signOut({ everywhere: true });
    expect(left).toEqual(["http://hadal/api/v1/session?everywhere=true"]);
    expect(pages()).toBe(2);
  });

  test("reads why something is not allowed, only when it is not", () => {
    expect(whyNot(null, "save")).toBeNull();
    expect(whyNot(person("ann"), "query")).toBeNull();
    expect(whyNot(person("ann"), "save")).toBe("Your role (viewer) does not allow saving.");
    expect(whyNot({ ...person("ann"), kind: "token", role: null }, "save")).toMatch(/^This token/);
  });
});

describe("a live query whose session ends", () => {
  const asked: LiveOptions[] = [];
  const started = (recheck: () => Promise<void>) => {
    const problems: string[] = [];
    asked.length = 0;
    const live = liveThroughGate(
      {
        live: (_query, options = {}) => {
          asked.push(options);
          return {
            stop: () => undefined,
            [Symbol.asyncIterator]: () => [][Symbol.iterator](),
          } as never;
        },
      },
      recheck,
    )("SELECT 1", { onProblem: ({ code }) => problems.push(code) });
    return { live, problems };
  };
  const ends = new HadalError("unauthenticated", { detail: "…" });

  test("begins again after the next sign-in, without a problem", async () => {
    let signedIn = (): void => undefined;
    const { problems } = started(() => new Promise((resolve) => (signedIn = resolve)));
    asked[0]?.onProblem?.(ends);
    asked[0]?.onProblem?.(new HadalError("overloaded"));
    expect(asked).toHaveLength(1);
    signedIn();
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    expect(problems).toEqual(["overloaded"]);
  });

  test("does not when it was stopped meanwhile", async () => {
    let signedIn = (): void => undefined;
    const { live } = started(() => new Promise((resolve) => (signedIn = resolve)));
    asked[0]?.onProblem?.(ends);
    live.stop();
    signedIn();
    await Promise.resolve();
    expect(asked).toHaveLength(1);
  });
});

describe("a batch whose session ends", () => {
  const tiles = ["a", "b"].map((tile) => ({ tile, query: "SELECT 1" }));
  const ends = new HadalError("unauthenticated", { detail: "…" });

  const started = () => {
    const asked: BatchOptions[] = [];
    const order: unknown[] = [];
    const problems: string[] = [];
    let signedIn = (): void => undefined;
    const client = {
      batch: (_: unknown, options: BatchOptions) => {
        asked.push(options);
        return { prioritize: (first: unknown) => order.push(first), stop: () => undefined };
      },
    };
    const ask = batchThroughGate(
      client as never,
      () => new Promise((resolve) => (signedIn = resolve)),
    );
    const onProblem = (tile: string, { code }: HadalError) => problems.push(`${tile} ${code}`);
    const batch = ask(tiles, { onResult: () => undefined, onProblem });
    return { batch, asked, order, problems, signIn: () => signedIn() };
  };

  test("is asked again once, in the last order, after the next sign-in", async () => {
    const { batch, asked, order, problems, signIn } = started();
    batch.prioritize(["b"]);
    for (const { tile } of tiles) asked[0]?.onProblem(tile, ends);
    asked[0]?.onProblem("a", new HadalError("overloaded"));
    signIn();
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    expect(order).toEqual([["b"], ["b"]]);
    expect(problems).toEqual(["a overloaded"]);
  });

  test("is not when it was stopped meanwhile", async () => {
    const { batch, asked, signIn } = started();
    asked[0]?.onProblem("a", ends);
    batch.stop();
    signIn();
    await Promise.resolve();
    expect(asked).toHaveLength(1);
  });
});
