// One row as a pattern for the following ones: a step for each value, with the bytes before it and
// its place; and a last step with the bytes after the last value and no place.
import {
  ACCEPTS_INTEGER, ACCEPTS_STRING, PLACE_ACCEPTS, STEP_BYTES, STEP_KIND, STEP_LITERAL, STEP_LITERAL_BYTES, STEP_LITERAL_START,
  STEP_LITERAL_MASK, STEP_PLACE,
} from "../abi";

/** The usual kind of a place's values. */
const STEP_OTHER: u32 = 0;
export const STEP_NUMBER: u32 = 1;
export const STEP_STRING: u32 = 2;

const COUNTS: v128 = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

/**
 * Where the next step goes (0: no row is noted), and where the last noted value ends; each thread's
 * instance has its own.
 */
let nextStep: usize = 0;
let notedTo: usize = 0;

/** Notes the steps of the row that starts here. */
export function startNoting(steps: usize, row: usize): void {
  nextStep = steps;
  notedTo = row;
}

@inline
export function noteValue(start: usize, end: usize, place: usize): void {
  // The values within an object have been noted before it: they are all there is to it.
  if (nextStep != 0 && start >= notedTo) putStep(start, end, place, kindOf(load<u32>(place, PLACE_ACCEPTS)));
}

/** The row ends here. */
export function noteEnd(at: usize): void {
  if (nextStep != 0) putStep(at, at, 0, STEP_OTHER);
}

/** Returns where the last step of the row is that was noted, 0 if none was. */
export function endNoting(): usize {
  const end = nextStep;
  nextStep = 0;
  return end == 0 ? 0 : end - STEP_BYTES;
}

function kindOf(accepts: u32): u32 {
  if (accepts & ACCEPTS_INTEGER) return STEP_NUMBER;
  return accepts & ACCEPTS_STRING ? STEP_STRING : STEP_OTHER;
}

function putStep(start: usize, end: usize, place: usize, kind: u32): void {
  const bytes = <u32>(start - notedTo);
  v128.store(nextStep, v128.load(notedTo), STEP_LITERAL_START);
  v128.store(nextStep, i8x16.lt_u(COUNTS, i8x16.splat(<i8>min<u32>(bytes, 16))), STEP_LITERAL_MASK);
  store<u32>(nextStep, <u32>notedTo, STEP_LITERAL);
  store<u32>(nextStep, bytes, STEP_LITERAL_BYTES);
  store<u32>(nextStep, <u32>place, STEP_PLACE);
  store<u32>(nextStep, kind, STEP_KIND);
  nextStep += STEP_BYTES;
  notedTo = end;
}
