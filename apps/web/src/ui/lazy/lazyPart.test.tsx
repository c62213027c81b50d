import { type ComponentType, createElement } from "react";
import { prerender } from "react-dom/static";
import { expect, test } from "vitest";
import { ErrorBoundary } from "../page/ErrorBoundary.js";
import { lazyPart } from "./lazyPart.js";

const boundary = new ErrorBoundary({ title: "", resetKey: null, children: null });

/** Renders a page with the part and waits for it. */
async function drawn(part: ComponentType): Promise<string> {
  const { prelude } = await prerender(createElement(part), { onError: () => {} });
  return await new Response(prelude).text();
}

test("a part that failed to load is loaded again, once its failure has been shown", async () => {
  let loads = 0;
  const part = lazyPart(async () => {
    loads += 1;
    if (loads < 3) throw new Error(`offline ${loads}`);
    return () => "here it is";
  });
  await expect(drawn(part)).rejects.toThrow("offline 1");
  // React renders a failed part once more before it shows the failure: this must not load it again.
  await expect(drawn(part)).rejects.toThrow("offline 1");
  boundary.componentDidCatch();
  await expect(drawn(part)).rejects.toThrow("offline 2");
  boundary.componentDidCatch();
  expect(await drawn(part)).toBe("here it is");
  boundary.componentDidCatch();
  expect(await drawn(part)).toBe("here it is");
  expect(loads).toBe(3);
});
