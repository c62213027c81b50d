import { HadalError, type ProblemCode } from "@hadal/sdk";

/** A body of which nothing is taken, for what stands in one of its lines (from 1). */
export function bodyProblem(
  code: ProblemCode,
  partCode: string,
  line: number,
  detail: string,
): HadalError {
  return new HadalError(code, { detail }, [{ line, code: partCode, detail }]);
}
