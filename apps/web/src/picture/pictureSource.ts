import type {
  AnnotationFilter,
  AnnotationList,
  ColumnInfo,
  Query,
  Result,
  SavedDocument,
  WhatChanged,
  WhatChangedRequest,
} from "@hadal/sdk";

/** What a picture is drawn from, as far as the person who asks may read it. All reject with a HadalError. */
export interface PictureSource {
  ask(query: Query): Promise<Result>;
  columns(table: string): Promise<readonly ColumnInfo[]>;
  document(id: string): Promise<SavedDocument>;
  annotations(filter: AnnotationFilter): Promise<AnnotationList>;
  whatChanged(request: WhatChangedRequest): Promise<WhatChanged>;
}
