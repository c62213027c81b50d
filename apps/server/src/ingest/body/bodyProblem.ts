import { HadalError, type ProblemCode } from "@hadal/sdk";

/** Refuses a whole body because of one of its lines (from 1). */
export function bodyProblem(
  code: ProblemCode,
  partCode: string,
  line: number,
  detail: string,
): HadalError {
  return new HadalError(code, { detail }, [{ line, code: partCode, detail }]);
}
