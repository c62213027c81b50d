export { createClient } from "./client/createClient.js";
export { createReader } from "./client/createReader.js";
export type { AlertHistoryOptions, AlertsClient } from "./client/document/alerts.js";
export type { AnnotationsClient } from "./client/document/annotations.js";
export type { ChangeOptions, DocumentsClient } from "./client/document/documents.js";
export type { EmbedsClient } from "./client/embeds.js";
export type {
  AskOptions,
  Batch,
  BatchOptions,
  BodyOptions,
  ClientOptions,
  ColumnValue,
  ColumnValues,
  HadalClient,
  HadalReader,
  Ingest,
  IngestOptions,
  IngestRow,
  IngestSummary,
  LiveOptions,
  LiveQuery,
  QueryOptions,
  TileQuery,
  WebSocketConstructor,
  WebSocketLike,
} from "./client/hadalClient.js";
export type { AuditFilter, PeopleClient, SignInAttempt } from "./client/people.js";
export { randomKey } from "./client/randomKey.js";
export type { Sampling } from "./client/sampling/sampling.js";
export { createSemaphore } from "./client/semaphore.js";
export { urlDefault } from "./client/serverLink.js";
export type { SourcesClient } from "./client/sources.js";
export { withRetry } from "./client/withRetry.js";
export { isCsvComment } from "./csv/csvComment.js";
export {
  checkDelimiter,
  csvDelimiters,
  delimiterName,
  findCsvStart,
  withoutEmptyEnd,
} from "./csv/csvDelimiter.js";
export type { CsvRecord } from "./csv/csvRecord.js";
export { readCsvRecord } from "./csv/csvRecord.js";
export {
  csvDecimals,
  followCsv,
  parseCsvTypes,
  parseNullTexts,
  printCsvTypes,
} from "./csv/csvTypes.js";
export type { AggregateFn, AggregateSpec, FunctionAggregate, RateUnit } from "./model/aggregate.js";
export {
  aggregateFns,
  aggregateName,
  isFunctionAggregate,
  isNumberAggregate,
  rateUnitMs,
  rawCountName,
} from "./model/aggregate.js";
export { type AggregateMeaning, aggregateMeanings } from "./model/aggregateMeanings.js";
export type {
  AlertChannel,
  AlertChannelKind,
  AlertCondition,
  AlertEvent,
  AlertGroupKey,
  AlertGroupValue,
  AlertHealth,
  AlertList,
  AlertMessage,
  AlertMessageState,
  AlertOperator,
  AlertPreview,
  AlertPreviewFiring,
  AlertRule,
  AlertState,
  AlertStatus,
  AlertTest,
  AlertTestDraft,
} from "./model/alert/alert.js";
export {
  alertChannelKinds,
  alertChannelsMax,
  alertDefaults,
  alertEveryMsMax,
  alertEveryMsMin,
  alertForTimesMax,
  alertGroupsMax,
  alertMask,
  alertMessageGroupsMax,
  alertOperators,
  alertRecentMax,
  alertRecipientsMax,
  alertStates,
  alertWaitMsMax,
} from "./model/alert/alert.js";
export type {
  Annotation,
  AnnotationBody,
  AnnotationDraft,
  AnnotationFilter,
  AnnotationList,
  AnnotationQuery,
  AnnotationQueryBody,
  AnnotationRows,
} from "./model/annotation.js";
export {
  annotationQueriesMax,
  annotationRowsMax,
  annotationsMax,
  annotationTextMax,
} from "./model/annotation.js";
export { filterOperators } from "./model/check/checkFilter.js";
export type { CacheInfo, CachePool, CachePoolInfo } from "./model/cluster/cacheInfo.js";
export { cachePools } from "./model/cluster/cacheInfo.js";
export type {
  ClusterInfo,
  DrainOptions,
  LeafCopy,
  LeafCopyState,
  MachineInfo,
  MachineState,
  QueryTree,
  RegistryRequest,
  SealedRegistry,
  TreeEdge,
  TreeNode,
} from "./model/cluster/cluster.js";
export { leafCopyStates, machineStates } from "./model/cluster/cluster.js";
export type {
  ClusterPlan,
  PlanAccuracy,
  PlanLevel,
  PlanMeasured,
  PlanMemory,
  PlanNumber,
  PlanOptions,
  PlanParts,
  PlanPoint,
  PlanShape,
} from "./model/cluster/clusterPlan.js";
export { planBounds, planFault, planShapes } from "./model/cluster/clusterPlan.js";
export type {
  Dashboard,
  DashboardIgnore,
  DashboardSection,
  DashboardTile,
  DashboardVariable,
  DividerTile,
  QueryTile,
  SavedQueryTile,
  TextTile,
  TilePlace,
} from "./model/dashboard/dashboard.js";
export {
  dashboardColumns,
  dashboardIgnores,
  dashboardTextMax,
  dashboardTilesMax,
  dashboardTitleMax,
  dashboardVersion,
} from "./model/dashboard/dashboard.js";
export {
  type FiltersWithVariables,
  filtersWithVariables,
  textWithVariables,
  type VariableValues,
} from "./model/dashboard/dashboardVariables.js";
export type {
  DocumentDraft,
  DocumentKind,
  DocumentSummary,
  DocumentVersion,
  SavedDocument,
  SavedVersion,
} from "./model/document.js";
export { documentBytesMax, documentKinds, documentTitleMax } from "./model/document.js";
export type {
  CreatedEmbed,
  EmbedDraft,
  EmbedInfo,
  EmbedKey,
  EmbedKeyDraft,
  EmbedScope,
  EmbedSelf,
  EmbedToken,
} from "./model/embed.js";
export {
  embedAudience,
  embedExpiresMsDefault,
  embedExpiresMsMax,
  rowsView,
} from "./model/embed.js";
export { exactAmount, exactNumber } from "./model/exactNumber.js";
export type { Expression, ExpressionFn, TimePart } from "./model/expression.js";
export {
  deriveMax,
  expressionArity,
  expressionDepthMax,
  expressionFns,
  expressionTermsMax,
  expressionTextMax,
  functionSourceMax,
  timeParts,
} from "./model/expression.js";
export type { Facet, FacetRange, Facets, FacetsRequest, FacetValue } from "./model/facets.js";
export { facetColumnsMax, facetLimitDefault, facetLimitMax } from "./model/facets.js";
export type {
  AllFilter,
  AnyFilter,
  ColumnFilter,
  Filter,
  FilterOperator,
  FilterValue,
  NotFilter,
} from "./model/filter.js";
export { filterDepthMax, filterTermsMax, operatorsOfType } from "./model/filter.js";
export type {
  AckLevel,
  BatchesReply,
  BinaryForm,
  CsvColumn,
  CsvColumnType,
  CsvDecimal,
  CsvParameters,
  CsvReading,
  IngestReply,
  ParquetReading,
  PreviewColumn,
  RawParameters,
  RowProblem,
  RowsPreview,
  TimeForm,
  TimesReading,
  TimeUnit,
} from "./model/ingest/ingest.js";
export { previewRowsMax, rowProblemsMax, timeForms, timeUnits } from "./model/ingest/ingest.js";
export type {
  KafkaSasl,
  KafkaSource,
  KafkaTopic,
  RowTimeSource,
  SourceInfo,
  SourceSettings,
  SourceStart,
} from "./model/ingest/source.js";
export {
  passwordVariableDefault,
  saslMechanisms,
  sendsPassword,
  sourceGroupDefault,
} from "./model/ingest/source.js";
export type { ShortLink } from "./model/link.js";
export { linkPathMax } from "./model/link.js";
export { nameFault } from "./model/name.js";
export type {
  AuditAction,
  AuditEntry,
  AuthMode,
  CreatedToken,
  Grant,
  InvitedUser,
  Me,
  Permission,
  Role,
  SignInWays,
  TokenDraft,
  TokenInfo,
  TokenScope,
  User,
  UserDraft,
} from "./model/people.js";
export { auditActions, permissions, roles } from "./model/people.js";
export type {
  DocumentImage,
  DocumentImageFormat,
  EmbedImage,
  EmbedImageDraft,
  EmbedImageFormat,
  EmbedImageUrl,
  PictureLook,
  PictureTheme,
} from "./model/picture.js";
export {
  documentImageFormats,
  embedImageFormats,
  pictureHeight,
  pictureThemes,
  pictureWidth,
} from "./model/picture.js";
export { nearestHint, nearestName } from "./model/problem/nearestName.js";
export type { Problem, ProblemCode, ProblemPart } from "./model/problem/problem.js";
export { HadalError, problemCodes } from "./model/problem/problem.js";
export type {
  BucketBound,
  CalculatedColumn,
  ColumnGroup,
  Compare,
  DerivedColumn,
  ElementGroup,
  GroupBy,
  Having,
  HavingOperator,
  NumberBucket,
  OrderBy,
  Query,
  SampleView,
  TimeBucket,
  TimeText,
} from "./model/query.js";
export {
  aggregatesMax,
  elementGroupsMax,
  groupByMax,
  limitDefault,
  limitMax,
  offsetMax,
  seriesMax,
  timeoutMsDefault,
  timeoutMsMax,
} from "./model/query.js";
export type {
  BucketCoverage,
  Completeness,
  CoverageReason,
  HistogramBound,
  HistogramBucket,
  QueryStats,
  Result,
  ResultColumn,
  ResultNote,
  ResultRole,
  ResultRow,
  ResultType,
  ResultValue,
  TreeLevel,
  Truncated,
} from "./model/result.js";
export type {
  ColumnInfo,
  ColumnSetting,
  ColumnSizes,
  ColumnType,
  DemoInfo,
  IngestStage,
  LedgerInfo,
  LostColumnInfo,
  LostRowsInfo,
  MemberInfo,
  MemberRequests,
  MemberTable,
  MemoryInfo,
  Retention,
  SandboxState,
  StatusInfo,
  TableDetail,
  TableInfo,
  TableIngest,
  TableSettings,
  TableSizes,
  ThinningStep,
  VisibleTimes,
} from "./model/schema.js";
export {
  decimalsDefault,
  decimalsMax,
  keepAtLeastDefault,
  nameBytesMax,
  queryTextMax,
  sampledByColumn,
  sampleRateColumn,
  sampleRateMax,
  timeColumn,
  unitOfColumn,
} from "./model/schema.js";
export type {
  SourcePartition,
  SourceProblem,
  SourceState,
  SourceStatus,
} from "./model/sourceStatus.js";
export type { CalendarLength, MonthLength } from "./model/time/calendarLength.js";
export { parseCalendarLength } from "./model/time/calendarLength.js";
export type { Duration, DurationUnit } from "./model/time/duration.js";
export { durationMs, parseDuration } from "./model/time/duration.js";
export type { TimeRange } from "./model/time/parseTime.js";
export {
  hasCalendarSteps,
  isRelativeTime,
  resolveTime,
  resolveTimeRange,
} from "./model/time/parseTime.js";
export type { TimeZone } from "./model/time/timeZone.js";
export { findTimeZone, instantOfLocal } from "./model/time/timeZone.js";
export type {
  FunctionDraft,
  FunctionKind,
  FunctionTrial,
  FunctionTrialResult,
  FunctionVersion,
  TrialValue,
  UserFunction,
} from "./model/userFunction.js";
export {
  functionDescriptionMax,
  functionTrialLimitDefault,
  functionTrialRowsMax,
} from "./model/userFunction.js";
export type {
  Against,
  ChangedValue,
  ChangeSet,
  ChangeShare,
  ColumnChange,
  HiddenColumn,
  HiddenReason,
  PairChange,
  Selection,
  ValueChange,
  WhatChanged,
  WhatChangedRequest,
} from "./model/whatChanged.js";
export {
  changesLimitDefault,
  changesLimitMax,
  changeValuesDefault,
  changeValuesMax,
} from "./model/whatChanged.js";
export {
  completenessHeader,
  parseCompletenessLine,
  printCompletenessLine,
} from "./wire/completenessLine.js";
export { decodeResult } from "./wire/decodeResult.js";
export type { ClientFrame, ServerFrame, WithoutSeq } from "./wire/frames.js";
export { clientFrameBytesMax, everyMsMin, isFinal } from "./wire/frames.js";
export { bigintAsText, printQuery } from "./wire/printQuery.js";
export { apiBase, bearerProtocol, liveProtocol, routes, signedOutCode } from "./wire/routes.js";
