import type { ComponentType } from "react";
import type { ViewProps } from "../../chart/kit/props/viewProps.js";
import { allViews, viewOf } from "../../chart/view/views.js";
import type { ViewId } from "../../query/state/exploreState.js";
import { lazyPart } from "../../ui/lazy/lazyPart.js";

/** Each view's component is loaded when it is first shown. */
const components: ReadonlyMap<ViewId, ComponentType<ViewProps>> = new Map(
  allViews.map(({ id, load }) => [id, lazyPart(load)]),
);

export function viewComponent(id: ViewId): ComponentType<ViewProps> {
  const component = components.get(id);
  if (component === undefined) throw new Error(`no view has the id ${id}`);
  return component;
}

/** Starts loading what an answer will be drawn with, while the answer itself is on its way. */
export const preloadView = (id: ViewId): void => {
  // An error of loading is shown where the view is drawn.
  viewOf(id)
    .load()
    .catch(() => undefined);
};
