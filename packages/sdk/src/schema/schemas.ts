import { answerSchemas } from "./answerSchemas.js";
import { facetSchemas } from "./facetSchemas.js";
import type { NamedSchemas } from "./jsonSchema.js";
import { querySchemas } from "./querySchemas.js";
import { whatChangedSchemas } from "./whatChangedSchemas.js";

/** By name; they point to one another as an OpenAPI document has them. */
export const schemas: NamedSchemas = {
  ...querySchemas,
  ...answerSchemas,
  ...facetSchemas,
  ...whatChangedSchemas,
};
