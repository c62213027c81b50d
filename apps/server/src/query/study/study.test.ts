import { expect, test } from "vitest";
import { resolveRows } from "../../aggregate/function/resolveQuery.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import { deps, leaf, row } from "../testing/rowLeaves.js";
import { askFurther, askStudy } from "./study.js";

const now = Promise.resolve();
const rows = [row(1, "checkout", 10n), row(2, "search", 30n)];
const whole = (id: string): QueriedNode => leaf(id, rows, [now]);
const never = new Promise<void>(() => undefined);

/** `second`: the leaves as they are when they are asked again. */
async function ask(first: readonly QueriedNode[], second: readonly QueriedNode[]) {
  const leaves = first.map(({ id, streamQuery }): QueriedNode => {
    const again = second.find((other) => other.id === id);
    let isAgain = false;
    return {
      id,
      streamQuery(...given) {
        const asked = isAgain ? again?.streamQuery : streamQuery;
        isAgain = true;
        return asked?.(...given) ?? never;
      },
    };
  });
  const asked = deps(leaves);
  const schema = await asked.catalogue.schema("requests");
  const query = { table: "requests", from: 0, to: 60_000, aggregates: [{ fn: "count" }] } as const;
  const { resolved } = resolveRows(query, schema, 0, new Map());
  const options = (budgetMs: number) => ({
    deadline: asked.now() + budgetMs,
    signal: new AbortController().signal,
  });
  const answered = await askStudy(resolved, { leaves, deps: asked, timing: options(50) });
  return askFurther(answered, resolved, { deps: asked, timing: options(50) });
}

test.each([
  ["a leaf that hangs", leaf("b", rows, [now, never])],
  ["a leaf that does not answer", leaf("b", rows, [never])],
  ["a leaf that restarted", leaf("b", rows.slice(1), [now])],
])("the further answer is dropped where it lacks %s", async (_what, other) => {
  const both = [whole("a"), whole("b")];
  expect(await ask(both, both)).not.toBeNull();
  expect(await ask(both, [whole("a"), other])).toBeNull();
});

test("the further answer counts where the same leaf is missing from both", async () => {
  const half = [whole("a"), leaf("b", rows, [never])];
  expect((await ask(half, half))?.completeness.fraction).toBe(0.5);
  expect(await ask(half, [leaf("a", rows, [never])])).toBeNull();
});

test("a leaf that was missing from the first answer adds nothing to the further one", async () => {
  const late = leaf("b", rows, [never, now]);
  const found = await ask([whole("a"), late], [whole("a"), whole("b")]);
  expect(found?.answers.map(({ partId }) => partId)).toEqual(["a"]);
});
