import { type ComponentType, createElement, lazy, type ReactNode } from "react";

/** Of each part that did not come: lets it be loaded anew. */
const failed = new Set<() => void>();

/**
 * Parts that did not come are loaded anew when they are shown again. For who has just shown the failure: while it is
 * not on the page React draws the part once more, and would load it without end.
 */
export function forgetFailedParts(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/** A part of the page that is loaded when it is first shown: what a first look does not need delays nothing. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  // React keeps how a load ended for ever: each attempt is a component of its own.
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
