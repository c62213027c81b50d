import type { FullRule } from "./fullRule.js";

/** When a rule fires, such as "count is above 500". */
export function conditionText({ condition }: FullRule): string {
  const { aggregate = "count", op, value, against } = condition;
  switch (op) {
    case "above":
    case "below":
      return `${aggregate} is ${op} ${value}`;
    case "changed-by":
      return `${aggregate} changed by more than ${value} % against ${against} before`;
    case "outside-band":
      return `${aggregate} is further than ${value} spreads from its usual value`;
    case "absent":
      return "there are no rows";
    case "new-group":
      return "there is a group that had no rows before";
  }
}
