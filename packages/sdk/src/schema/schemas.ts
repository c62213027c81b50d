import { cacheSchemas } from "./cluster/cacheSchemas.js";
import { clusterSchemas } from "./cluster/clusterSchemas.js";
import { planSchemas } from "./cluster/planSchemas.js";
import { alertSchemas } from "./document/alertSchemas.js";
import { annotationSchemas } from "./document/annotationSchemas.js";
import { dashboardSchemas } from "./document/dashboardSchemas.js";
import { documentSchemas } from "./document/documentSchemas.js";
import { embedSchemas } from "./embedSchemas.js";
import { facetSchemas } from "./facetSchemas.js";
import { frameSchemas } from "./frameSchemas.js";
import { functionSchemas } from "./functionSchemas.js";
import { ingestSchemas } from "./ingestSchemas.js";
import type { NamedSchemas } from "./jsonSchema.js";
import { linkSchemas } from "./linkSchemas.js";
import { peopleSchemas } from "./peopleSchemas.js";
import { problemSchemas } from "./problemSchemas.js";
import { querySchemas } from "./querySchemas.js";
import { resultSchemas } from "./resultSchemas.js";
import { sourceSchemas } from "./sourceSchemas.js";
import { statusSchemas } from "./statusSchemas.js";
import { tableSchemas } from "./tableSchemas.js";
import { whatChangedSchemas } from "./whatChangedSchemas.js";

/** All schemas by name; they reference one another as in an OpenAPI document. */
export const schemas: NamedSchemas = {
  ...querySchemas,
  ...resultSchemas,
  ...problemSchemas,
  ...ingestSchemas,
  ...tableSchemas,
  ...statusSchemas,
  ...sourceSchemas,
  ...clusterSchemas,
  ...cacheSchemas,
  ...planSchemas,
  ...functionSchemas,
  ...linkSchemas,
  ...frameSchemas,
  ...documentSchemas,
  ...dashboardSchemas,
  ...alertSchemas,
  ...annotationSchemas,
  ...peopleSchemas,
  ...embedSchemas,
  ...facetSchemas,
  ...whatChangedSchemas,
};
