import { type ComponentType, createElement, lazy, type ReactNode } from "react";

/** For each part that failed to load: a function that allows another attempt. */
const failed = new Set<() => void>();

/**
 * Lets parts that failed to load be loaded again when they are next rendered. Call it only after the failure is
 * shown: before that React renders the part once more, which would load it in an endless loop.
 */
export function forgetFailedParts(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/** A component that is loaded when it is first rendered, so that it does not delay the first page. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  // React caches the outcome of a lazy component: each attempt needs a new one.
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        failed.add(() => {
          part = attempt();
        });
        throw error;
      }
    }) as ComponentType<Props>;
  let part = attempt();
  return (props: Props): ReactNode => createElement(part, props);
}
