import { describe, expect, test } from "vitest";
import { createSignInGate } from "./signInGate.js";

const refusal = (signIn: unknown): Response =>
  Response.json({ code: "unauthenticated", detail: "…", signIn }, { status: 401 });
const ways = { password: true, oidc: null };

/** A server that refuses until someone is signed in. */
function server(refuse: () => Response = () => refusal(ways)) {
  const asked: string[] = [];
  const state = { isSignedIn: false };
  const gate = createSignInGate(async (input) => {
    asked.push(String(input));
    return state.isSignedIn ? Response.json({}) : refuse();
  });
  return { gate, asked, state };
}
const waitingOf = (gate: ReturnType<typeof createSignInGate>) =>
  new Promise<unknown>((resolve) => gate.subscribe((now) => resolve(now.ways)));

describe("the gate of requests", () => {
  test("holds refused requests and sends each again after the sign-in", async () => {
    const { gate, asked, state } = server();
    const waits = waitingOf(gate);
    const answers = [gate.fetch("/api/v1/tables"), gate.fetch("/api/v1/status")];
    expect(await waits).toEqual(ways);
    state.isSignedIn = true;
    gate.open();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect(asked.toSorted()).toEqual([
      ...["/api/v1/status", "/api/v1/status", "/api/v1/tables", "/api/v1/tables"],
    ]);
    expect(gate.getState().ways).toBeNull();
  });

  test("holds them again when the sign-in did not help", async () => {
    const { gate, asked, state } = server();
    const waits = waitingOf(gate);
    const answer = gate.fetch("/x");
    await waits;
    const again = new Promise<unknown>((resolve) =>
      gate.subscribe((now) => now.ways !== null && resolve(now.ways)),
    );
    gate.open();
    expect(await again).toEqual(ways);
    state.isSignedIn = true;
    gate.open();
    expect((await answer).status).toBe(200);
    expect(asked).toHaveLength(3);
  });

  test("a wrong password is answered at once", async () => {
    const { gate } = server();
    expect((await gate.fetch("http://h/api/v1/session", { method: "POST" })).status).toBe(401);
    expect(gate.getState().ways).toBeNull();
  });

  test("a refusal that is not Hadal's is answered as it is", async () => {
    const { gate } = server(() => new Response("proxy", { status: 401 }));
    const answer = await gate.fetch("/x");
    expect(await answer.text()).toBe("proxy");
  });

  test("what no one waits for any more is given up", async () => {
    const { gate } = server();
    const stop = new AbortController();
    const waits = waitingOf(gate);
    const answer = gate.fetch("/x", { signal: stop.signal });
    await waits;
    stop.abort(new Error("gone"));
    await expect(answer).rejects.toThrow("gone");
  });
});
