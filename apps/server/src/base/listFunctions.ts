/** Conditions on the elements of sets and vectors. */
export type ListFn =
  | "includes any"
  | "includes all"
  | "includes none"
  | "is empty"
  | "starts with"
  | "ends with"
  | "contains sequence";

/** The condition on lists of strings; what it looks for is prepared once. */
export function createListCondition(
  fn: ListFn,
  wanted: readonly string[],
): (list: readonly string[]) => boolean {
  const any = new Set(wanted);
  const stands = (list: readonly string[], from: number): boolean =>
    from >= 0 && wanted.every((text, i) => list[from + i] === text);
  switch (fn) {
    case "is empty":
      return (list) => list.length === 0;
    case "includes any":
      return (list) => list.some((text) => any.has(text));
    case "includes none":
      return (list) => !list.some((text) => any.has(text));
    case "includes all":
      return (list) => {
        const own = new Set(list);
        return wanted.every((text) => own.has(text));
      };
    case "starts with":
      return (list) => stands(list, 0);
    case "ends with":
      return (list) => stands(list, list.length - wanted.length);
    case "contains sequence":
      return (list) => {
        for (let from = 0; from + wanted.length <= list.length; from++) {
          if (stands(list, from)) return true;
        }
        return false;
      };
  }
}
