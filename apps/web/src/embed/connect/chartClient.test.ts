import { HadalError, type HadalReader, type LiveOptions, type Result } from "@hadal/sdk";
import { expect, test, vi } from "vitest";
import { createChartClient } from "./chartClient.js";
import type { Connection } from "./connection.js";

const query = { table: "requests", from: "-1h", to: "now" };
const answer = { final: true } as Result;
const refused = new HadalError("unauthenticated");

/** A connection that records live queries, and answers others or refuses them. */
function connection(isRefused = false) {
  const asked: { options: LiveOptions; isStopped: boolean }[] = [];
  const live = (_: unknown, options: LiveOptions = {}) => {
    const one = { options, isStopped: false };
    asked.push(one);
    const stop = (): void => {
      one.isStopped = true;
    };
    return { stop };
  };
  const made = {
    asked,
    next: null as Connection | null,
    client: {
      live,
      query: async () => {
        if (isRefused) throw refused;
        return answer;
      },
    } as unknown as HadalReader,
    renew: vi.fn(async () => made.next),
  };
  return made as typeof made & Connection;
}

test("running queries go on over the next connection, those that are answered do not", () => {
  const [first, second] = [connection(), connection()];
  const { client, moveTo } = createChartClient(first);
  const results: Result[] = [];
  client.live(query, { onResult: (result) => void results.push(result) });
  client.live(query, { everyMs: 5_000, onResult: (result) => void results.push(result) });
  const stopped = client.live(query, {});
  stopped.stop();
  first.asked[0]!.options.onResult?.(answer);
  first.asked[1]!.options.onResult?.(answer);
  moveTo(second);
  expect(first.asked.map(({ isStopped }) => isStopped)).toEqual([false, true, true]);
  expect(second.asked).toHaveLength(1);
  expect(second.asked[0]!.options.everyMs).toBe(5_000);
  second.asked[0]!.options.onResult?.(answer);
  expect(results).toHaveLength(3);
});

test("a query that a token is refused for is asked with the next token", async () => {
  const [first, second] = [connection(true), connection()];
  first.next = second;
  const { client } = createChartClient(first);
  expect(await client.query(query)).toBe(answer);
});

test("without a next token the refusal is the answer", async () => {
  const first = connection(true);
  const { client } = createChartClient(first);
  await expect(client.query(query)).rejects.toBe(refused);
  expect(first.renew).toHaveBeenCalledTimes(1);
});

test("a question whose connection closed under it is asked over the one that followed", async () => {
  const [first, second] = [connection(), connection()];
  const cancelled = new HadalError("cancelled");
  const fails: ((error: HadalError) => void)[] = [];
  const neverAnswered = () => new Promise<Result>((_, reject) => fails.push(reject));
  const { client, moveTo } = createChartClient(
    Object.assign(first, { client: { ...first.client, query: neverAnswered } }),
  );
  const stop = new AbortController();
  const [before, moved, stopped] = [
    ...[client.query(query), client.query(query)],
    client.query(query, { signal: stop.signal }),
  ];
  fails[0]!(cancelled);
  await expect(before).rejects.toBe(cancelled);
  stop.abort();
  moveTo(second);
  fails[1]!(cancelled);
  fails[2]!(cancelled);
  expect(await moved).toBe(answer);
  await expect(stopped).rejects.toBe(cancelled);
});

test("a refused live query asks for the next token, and reports what cannot be renewed", async () => {
  const [first, second] = [connection(), connection()];
  const { client, moveTo } = createChartClient(first);
  const onProblem = vi.fn();
  client.live(query, { onProblem });
  first.asked[0]!.options.onProblem?.(refused);
  await vi.waitFor(() => expect(onProblem).toHaveBeenCalledWith(refused));
  // A token that the page sets later brings it back.
  moveTo(second);
  expect(second.asked).toHaveLength(1);
  first.next = second;
  const other = new HadalError("unknown-table");
  second.asked[0]!.options.onProblem?.(other);
  expect(onProblem).toHaveBeenLastCalledWith(other);
});

test("a query that failed for another reason is not asked again by a renewal", () => {
  const [first, second] = [connection(), connection()];
  const { client, moveTo } = createChartClient(first);
  client.live(query, {});
  first.asked[0]!.options.onProblem?.(new HadalError("unknown-table"));
  moveTo(second);
  expect(second.asked).toHaveLength(0);
});
