import type { ComponentType } from "react";
import type { ViewProps } from "../../chart/kit/props/viewProps.js";
import { allViews, viewOf } from "../../chart/view/views.js";
import type { ViewId } from "../../query/state/exploreState.js";
import { lazyPart } from "../../ui/lazy/lazyPart.js";

/** Each view's component is loaded when it is first rendered. */
const components: ReadonlyMap<ViewId, ComponentType<ViewProps>> = new Map(
  allViews.map(({ id, load }) => [id, lazyPart(load)]),
);

export function viewComponent(id: ViewId): ComponentType<ViewProps> {
  const component = components.get(id);
  if (component === undefined) throw new Error(`no view has the id ${id}`);
  return component;
}

/** Starts loading a view's component while its query runs. */
export const preloadView = (id: ViewId): void => {
  // The view itself shows a loading error when it is rendered.
  viewOf(id)
    .load()
    .catch(() => undefined);
};
