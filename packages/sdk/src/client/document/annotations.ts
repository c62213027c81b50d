import type {
  Annotation,
  AnnotationDraft,
  AnnotationFilter,
  AnnotationList,
} from "../../model/annotation.js";
import { routes } from "../../wire/routes.js";
import type { Http } from "../http.js";
import { jsonRequest, printParameters } from "../requests.js";

/** What happened when: shown on charts over time. `documents` changes and deletes them by their id. */
export interface AnnotationsClient {
  /** By time; of more than 1,000 the newest. */
  list(filter?: AnnotationFilter): Promise<readonly Annotation[]>;
  /** The same, and the queries whose rows are annotations: `query` runs them. */
  listAll(filter?: AnnotationFilter): Promise<AnnotationList>;
  create(draft: AnnotationDraft): Promise<Annotation>;
}

export function createAnnotations(http: Http): AnnotationsClient {
  const listAll = async (filter: AnnotationFilter = {}): Promise<AnnotationList> => {
    const path = `${routes.annotations()}${printParameters({ ...filter })}`;
    return (await http.requestJson(path)) as AnnotationList;
  };
  return {
    list: async (filter) => (await listAll(filter)).annotations,
    listAll,
    async create(draft) {
      return (await http.requestJson(
        routes.annotations(),
        jsonRequest("POST", draft),
      )) as Annotation;
    },
  };
}
