import { type Expression, fractionMax } from "../../model/expression.js";
import { nearestHint } from "../../model/problem/nearestName.js";
import { refuse } from "../base/sqlRefusal.js";
import type { TypeName } from "../base/syntax.js";

const castTypes: ReadonlyMap<string, "int" | "decimal" | "float" | "text"> = new Map([
  ...["int", "integer", "bigint", "int8", "int4", "smallint", "int2", "tinyint"].map(
    (type) => [type, "int"] as const,
  ),
  ...["numeric", "decimal"].map((type) => [type, "decimal"] as const),
  ...["float", "float4", "float8", "real", "double"].map((type) => [type, "float"] as const),
  ...["text", "varchar", "string", "char"].map((type) => [type, "text"] as const),
]);

/** CAST rounds as PostgreSQL does. */
export function castTo({ value: name, at, sizes }: TypeName, operand: Expression): Expression {
  const type = castTypes.get(name.toLowerCase());
  switch (type) {
    case "text":
      return { fn: "to_string", args: [operand] };
    case "int":
      return { fn: "to_decimal", args: [operand, { value: 0 }] };
    case "decimal": {
      if (sizes.length === 0) return { fn: "to_decimal", args: [operand] };
      // A numeric with a precision but no scale is whole.
      const digits = Number(sizes[1]?.text ?? 0);
      if (Number.isInteger(digits) && digits <= fractionMax) {
        return { fn: "to_decimal", args: [operand, { value: digits }] };
      }
      const detail = `A numeric has 0 to ${fractionMax} digits behind the point; found ${digits}.`;
      return refuse(at, "out-of-range", detail);
    }
    case "float":
      return { fn: "to_decimal", args: [operand] };
    case undefined: {
      const shown = name.slice(0, 40);
      const hint = nearestHint(shown, castTypes.keys());
      const detail = `No type is called ${shown}.${hint} CAST takes bigint, numeric, double and text.`;
      return refuse(at, "unsupported", detail);
    }
  }
}
