/** The registry's tables as Kysely knows them. Times are milliseconds since 1970. */
export interface RegistryTables {
  readonly area: AreaRow;
  readonly document: DocumentRow;
  readonly document_version: DocumentVersionRow;
  readonly link: LinkRow;
  readonly table_settings: TableSettingsRow;
  readonly user_account: UserRow;
  readonly session: SessionRow;
  readonly token: TokenRow;
  readonly table_grant: GrantRow;
  readonly audit_entry: AuditRow;
  readonly embed: EmbedRow;
  readonly embed_key: EmbedKeyRow;
  readonly cluster: ClusterRow;
  readonly member: MemberRow;
  readonly machine_drain: MachineDrainRow;
  readonly ledger_state: LedgerStateRow;
  readonly ledger_hour: LedgerHourRow;
  readonly ledger_gateway: LedgerGatewayRow;
  readonly ledger_doubt: LedgerDoubtRow;
  readonly ledger_drop: LedgerDropRow;
  readonly ledger_deletion: LedgerDeletionRow;
  readonly ledger_key: LedgerKeyRow;
  readonly source: SourceRow;
  readonly source_position: SourcePositionRow;
  readonly alert_lease: AlertLeaseRow;
  readonly alert_rule: AlertRuleRow;
  readonly alert_history: AlertHistoryRow;
  readonly alert_deliveries: AlertDeliveryRow;
}

/**
 * What changes together. Every change of an area raises its revision in the same transaction, so that other processes
 * see which of their copies are old.
 */
export interface AreaRow {
  readonly name: string;
  readonly revision: number;
}

export interface DocumentRow {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  /** JSON. */
  readonly body: string;
  readonly version: number;
  readonly created_ms: number;
  readonly created_by: string | null;
  readonly changed_ms: number;
  readonly changed_by: string | null;
  /** When it was deleted; its versions stay, and its numbers are not used again. */
  readonly deleted_ms: number | null;
  /** Of all other values. */
  readonly checksum: string;
}

/** A document as it was after one save. */
export interface DocumentVersionRow {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly body: string;
  readonly saved_ms: number;
  readonly saved_by: string | null;
  readonly checksum: string;
}

export interface LinkRow {
  readonly id: string;
  readonly path: string;
  readonly saved_ms: number;
}

export interface TableSettingsRow {
  readonly name: string;
  /** JSON. */
  readonly body: string;
  readonly checksum: string;
}

export interface UserRow {
  readonly id: string;
  /** As it was written. */
  readonly name: string;
  /** The name as names are compared. */
  readonly folded_name: string;
  readonly role: string;
  /** JSON. */
  readonly user_groups: string;
  /** Null: the user has no password. */
  readonly password_hash: string | null;
  /** SHA-256 of the code of the setup link; null: there is none. */
  readonly setup_hash: string | null;
  readonly setup_expires_ms: number | null;
  readonly source: string;
  /** Who it is at an OpenID Connect provider; null: the user never signed in there. */
  readonly subject: string | null;
  /** 1: the user cannot sign in. SQLite has no boolean. */
  readonly disabled: number;
  readonly created_ms: number;
  readonly changed_ms: number;
  /** Written at each sign-in; not part of the checksum. */
  readonly last_sign_in_ms: number | null;
  readonly checksum: string;
}

export interface SessionRow {
  /** SHA-256 of the secret in the cookie. */
  readonly hash: string;
  readonly user_id: string;
  readonly created_ms: number;
  /** Written while it is used; not part of the checksum. */
  readonly last_seen_ms: number;
  readonly expires_ms: number;
  readonly checksum: string;
}

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the token. */
  readonly hash: string;
  /** JSON. */
  readonly scopes: string;
  readonly created_ms: number;
  readonly created_by: string | null;
  readonly expires_ms: number | null;
  /** Written while it is used; not part of the checksum. */
  readonly last_used_ms: number | null;
  readonly revoked_ms: number | null;
  readonly checksum: string;
}

export interface GrantRow {
  /** The place in the list. */
  readonly number: number;
  /** JSON. */
  readonly body: string;
  readonly checksum: string;
}

/** One thing that was done. Entries are added and, when they are old, removed; none changes. */
export interface AuditRow {
  /** In the order of their times, also within a millisecond of one process. */
  readonly id: string;
  readonly time_ms: number;
  readonly who: string | null;
  readonly action: string;
  readonly target: string;
  readonly address: string | null;
  readonly checksum: string;
}

export interface EmbedRow {
  readonly id: string;
  /** JSON. */
  readonly scope: string;
  /** JSON: whose rights bound it. */
  readonly owner: string;
  readonly created_ms: number;
  readonly created_by: string | null;
  readonly revoked_ms: number | null;
  readonly checksum: string;
}

export interface EmbedKeyRow {
  readonly kid: string;
  readonly name: string;
  /** `x` of the JWK. */
  readonly public_key: string;
  /** `d` of the JWK; null: another program signs with it. */
  readonly private_key: string | null;
  /** JSON: tables and hosts that its tokens may name. */
  readonly bounds: string;
  /** JSON: whose rights bound its tokens. */
  readonly owner: string;
  readonly created_ms: number;
  readonly created_by: string | null;
  /** When its last token expires; null: it is in use. */
  readonly ends_ms: number | null;
  readonly checksum: string;
}

/** One row. */
export interface ClusterRow {
  readonly id: string;
  /** SHA-256 of the key that all members have. */
  readonly key_hash: string;
  readonly fan_out: number;
  /** On how many machines each partition is to be. */
  readonly copies: number;
  /** 1: links between machines are encrypted. */
  readonly tls: number;
}

export interface MemberRow {
  readonly name: string;
  /** Of the data folder. */
  readonly instance: string;
  readonly role: string;
  /** `host:port` for other members. */
  readonly address: string;
  readonly protocol: number;
  /** JSON. */
  readonly leaf_ids: string;
  /** JSON. */
  readonly leaf_folders: string;
  /** JSON: of other members' partitions. */
  readonly copies: string;
  /** Of the program; empty: it does not say. */
  readonly version: string;
  /** JSON: machines that are drained, and get nothing any more from this gateway. */
  readonly sends_none_to: string;
  /** On the clock of the database: members may differ. */
  readonly heartbeat_ms: number;
}

/** A machine that takes no new rows. Times are on the clock of the database. */
export interface MachineDrainRow {
  readonly name: string;
  readonly asked_ms: number;
  /** When it was found that it may be stopped; null: it may not. */
  readonly drained_ms: number | null;
  /** 1: its leaves hold nothing, 0: they do, or it is not known. */
  readonly is_empty: number;
}

/** One row. Each change of the shared ledger raises its version, and so has its lock. */
export interface LedgerStateRow {
  readonly id: number;
  readonly version: number;
  /** The gateway that does what only one may do. */
  readonly lease_holder: string | null;
  readonly lease_until_ms: number;
  /** JSON: what its last comparison with the leaves found. */
  readonly report: string | null;
}

/** Rows of a table on a leaf, of all gateways together, in one hour of event time. */
export interface LedgerHourRow {
  readonly table_name: string;
  readonly leaf: string;
  /** Since 1970. */
  readonly hour: number;
  /** JSON: minute of the hour, rows, minute, rows, and so on. */
  readonly counts: string;
  /** Of the ledger when it was written. */
  readonly version: number;
  readonly checksum: string;
}

/** A gateway that adds its counts. */
export interface LedgerGatewayRow {
  /** Of its data folder. */
  readonly id: string;
  readonly name: string;
  /** The version of the ledger in which it was announced: leaves know the gateway by both. */
  readonly epoch: number;
  /** How many times it has added counts: none are added twice. */
  readonly position: number;
  /** All rows that it had counted by then are in the hours; on the clock of the database. */
  readonly published_ms: number;
  /** How far behind their arrival its rows are. */
  readonly late_ms: number;
  /** The version of the ledger that it has read. */
  readonly seen_version: number;
  /** JSON. */
  readonly body: string;
}

/** The hours may lack rows. */
export interface LedgerDoubtRow {
  readonly id: string;
  /** Null: of any table, until all leaves are compared. Of a table: as long as it exists. */
  readonly table_name: string | null;
  readonly reason: string;
  readonly since_ms: number;
  /** Their event time; null: any. */
  readonly from_ms: number | null;
  readonly to_ms: number | null;
  /** The gateway whose batches are to be settled first; null: leaves can be compared. */
  readonly held_by: string | null;
}

/** Rows that are booked out and that a leaf must still remove. */
export interface LedgerDropRow {
  readonly table_name: string;
  readonly leaf: string;
  /** JSON. */
  readonly body: string;
}

/** When a table of that name was deleted last. */
export interface LedgerDeletionRow {
  readonly table_name: string;
  readonly version: number;
}

/** Keys that one gateway has added at once. */
export interface LedgerKeyRow {
  /** Of the ledger with them. */
  readonly version: number;
  /** On the clock of the database. */
  readonly at_ms: number;
  /** JSON: by leaf, hashes of keys with hashes of their batches. */
  readonly keys: string;
}

/** Topics of Kafka that are read. */
export interface SourceRow {
  readonly id: string;
  /** JSON. */
  readonly body: string;
  readonly checksum: string;
}

/** How far a source has come in a partition of a topic. */
export interface SourcePositionRow {
  readonly source: string;
  readonly topic: string;
  readonly partition: number;
  /** A topic that was deleted and made again has another one: its offsets begin again. */
  readonly topic_id: string;
  /** All messages below it are stored, or were refused. */
  readonly next_offset: number;
  /** JSON: the batch that may be on its way; null: none is. */
  readonly pending: string | null;
  /** Of the gateway that reads the partition, for as long as it does: no other one changes the row. */
  readonly holder: string;
  /** The name of that gateway. */
  readonly gateway: string;
  /** Of the next message that comes, when it was last known. */
  readonly end_offset: number | null;
  readonly noted_ms: number;
  /** Of the place, the topic's id, the offset and the batch. */
  readonly checksum: string;
}

/** One row: the gateway that evaluates alert rules. Whatever changes their state raises its version, and so has its lock. */
export interface AlertLeaseRow {
  readonly id: number;
  /** Of one run of a gateway; null: none has it. */
  readonly holder: string | null;
  /** On the clock of the database. */
  readonly until_ms: number;
  readonly version: number;
}

/** What belongs to a rule beside its document. */
export interface AlertRuleRow {
  readonly rule_id: string;
  /** JSON: whose rights its queries have. */
  readonly owner: string;
  /** JSON: what its channels are reached with, by their place; documents and their versions do not have it. */
  readonly secrets: string;
  /** 0: it is not muted. */
  readonly muted_until_ms: number;
  /** JSON. */
  readonly state: string;
  /** Of all other values. */
  readonly checksum: string;
}

/** One change of a rule's state, or what someone did about it. */
export interface AlertHistoryRow {
  /** In the order of their times. */
  readonly id: string;
  readonly rule_id: string;
  readonly at_ms: number;
  readonly state: string;
  /** JSON. */
  readonly body: string;
}

/** One message that one channel gets. It is written in the transaction that changes the rule's state. */
export interface AlertDeliveryRow {
  /** Of this message to this channel. */
  readonly key: string;
  /** Of the firing: receivers know by it what belongs together. */
  readonly id: string;
  readonly rule_id: string;
  /** The place in the rule's list. */
  readonly channel: number;
  readonly state: string;
  /** JSON. */
  readonly message: string;
  /** Messages of one channel of a rule are sent in this order. */
  readonly created_at: number;
  readonly attempts: number;
  readonly next_at: number;
  /** When it was sent; null: it was not. */
  readonly done_at: number | null;
  /** When it was given up; null: it was not. */
  readonly dead_at: number | null;
  readonly error: string | null;
}
