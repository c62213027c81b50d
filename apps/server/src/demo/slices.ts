import type { DemoSize } from "./demoSize.js";

/** A stretch of event time that is sent as one batch, wholly or not at all. */
export interface Slice {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isDense: boolean;
}

const hourMs = 3_600_000;
/** About 7,000 rows at full density. */
const denseSliceMs = 120_000;

/** Cuts [fromMs, toMs) into slices: thin ones along the hours, then dense ones for the newest stretch. */
export function sliceTime(fromMs: number, toMs: number, size: DemoSize): Slice[] {
  const denseFromMs = Math.max(fromMs, floorTo(toMs - size.denseMs, hourMs / 60));
  return [
    ...cut({ fromMs, toMs: Math.min(denseFromMs, toMs) }, { stepMs: hourMs, isDense: false }),
    ...cut({ fromMs: denseFromMs, toMs }, { stepMs: denseSliceMs, isDense: true }),
  ];
}

/** Hours of [fromMs, toMs) that hold no row, given the hours that do: what an interrupted fill left out. */
export function emptyHours(
  fromMs: number,
  toMs: number,
  filledHours: ReadonlySet<number>,
): Slice[] {
  const slices: Slice[] = [];
  for (let hour = floorTo(fromMs, hourMs); hour + hourMs <= toMs; hour += hourMs) {
    if (hour >= fromMs && !filledHours.has(hour)) {
      slices.push({ fromMs: hour, toMs: hour + hourMs, isDense: false });
    }
  }
  return slices;
}

function cut(
  { fromMs, toMs }: Pick<Slice, "fromMs" | "toMs">,
  { stepMs, isDense }: { readonly stepMs: number; readonly isDense: boolean },
): Slice[] {
  const slices: Slice[] = [];
  for (let start = fromMs; start < toMs; ) {
    const end = Math.min(floorTo(start, stepMs) + stepMs, toMs);
    slices.push({ fromMs: start, toMs: end, isDense });
    start = end;
  }
  return slices;
}

export const floorTo = (ms: number, stepMs: number): number => Math.floor(ms / stepMs) * stepMs;
