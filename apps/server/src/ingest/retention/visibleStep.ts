import type { ThinningStep } from "@hadal/sdk";

/** A step of thinning for whoever may not know of some columns. */
export function visibleStep(step: ThinningStep, hidden: readonly string[]): ThinningStep {
  const { key, groups, keepAtLeast, ...rest } = step;
  const shown = groups?.filter((column) => !hidden.includes(column)) ?? [];
  return {
    ...rest,
    ...(key === undefined || hidden.includes(key) ? {} : { key }),
    ...(shown.length === 0 ? {} : { groups: shown }),
    ...(shown.length === 0 || keepAtLeast === undefined ? {} : { keepAtLeast }),
  };
}
