import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** A part of the page that is loaded when it is first shown: what a first look does not need makes nobody wait. */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}
