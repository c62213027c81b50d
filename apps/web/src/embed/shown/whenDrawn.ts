import { viewOf } from "../../chart/view/views.js";
import type { ViewId } from "../../query/state/exploreState.js";

/** A hidden page has no frames. */
const frameMsMax = 100;

/** Resolves when the view's code is there and had a frame to draw in; rejects when it cannot be loaded. */
export async function whenDrawn(view: ViewId): Promise<void> {
  await viewOf(view).load();
  await new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, frameMsMax);
  });
}
