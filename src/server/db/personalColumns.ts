import { getTableColumns } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { buildRecord, listKeys, pickKeys } from '#shared/formats/records.ts';
import { type LeadFieldName, leadFieldTable } from '#shared/leads/leadFieldTable.ts';
import * as schema from './schema/index.ts';

/** What is decided about a column of a table with data of the people who send leads. */
export interface ColumnDecision {
  /**
   * What the erasure of the person does: empties it, leaves it, deletes its row, or, of evidence, leaves what names
   * nobody and replaces what does by a salted hash.
   */
  erasure: 'blank' | 'keep' | 'delete row' | 'evidence';
  /** Whether the personal data export has it. */
  isExported: boolean;
  /** Who reads it in the dashboard or the API; tokens read nothing that staff don't. */
  seenBy: 'nobody' | 'staff' | 'tokens';
}

/** Whom the data of a table without such people's concerns instead. */
type OtherSubject = 'nobody' | 'providers' | 'staff' | 'applicants';

type Schema = typeof schema;
type TableName = { [Name in keyof Schema]: Schema[Name] extends PgTable ? Name : never }[keyof Schema];
type ColumnName<Table extends { $inferSelect: object }> = keyof Table['$inferSelect'] & string;

/** A decision for each column of each table. A new table or column without one is a type error. */
export type PersonalColumns<Tables = Pick<Schema, TableName>> = {
  [Name in keyof Tables]: Tables[Name] extends { $inferSelect: object }
    ? OtherSubject | Readonly<Record<ColumnName<Tables[Name]>, ColumnDecision>>
    : never;
};

function decide<const Decision extends ColumnDecision, const Column extends string>(
  decision: Decision,
  columns: readonly Column[],
): Record<Column, Decision> {
  return buildRecord(columns, () => decision);
}

const blanked = { erasure: 'blank', isExported: true, seenBy: 'tokens' } as const;
const blankedForStaff = { ...blanked, seenBy: 'staff' } as const;
const blankedUnseen = { ...blanked, seenBy: 'nobody' } as const;
const kept = { erasure: 'keep', isExported: true, seenBy: 'tokens' } as const;
const keptForStaff = { ...kept, seenBy: 'staff' } as const;
const keptUnseen = { ...kept, seenBy: 'nobody' } as const;
/** About others, such as staff and clinics, or without meaning to a person. */
const keptUnexported = { ...keptForStaff, isExported: false } as const;
const removed = { erasure: 'delete row', isExported: true, seenBy: 'tokens' } as const;
const removedUnseen = { ...removed, seenBy: 'nobody' } as const;
const evidence = { erasure: 'evidence', isExported: true, seenBy: 'staff' } as const;
const evidenceUnseen = { ...evidence, seenBy: 'nobody' } as const;

type FieldDecisions = {
  [Name in LeadFieldName as (typeof leadFieldTable)[Name]['column']]: ColumnDecision & {
    erasure: (typeof leadFieldTable)[Name]['erasure'];
  };
};

/** As the list of fields says. */
function decideFields(): FieldDecisions;
function decideFields(): Record<string, ColumnDecision> {
  return Object.fromEntries(
    Object.values(leadFieldTable).map(({ column, erasure, outputs }) => [
      column,
      { erasure, isExported: outputs.export, seenBy: outputs.drawer ? 'tokens' : 'nobody' },
    ]),
  );
}

export const personalColumns = {
  leads: {
    ...decideFields(),
    ...decide(blanked, ['matchReason', 'duplicateOf', 'acceptanceMessage']),
    ...decide(blankedForStaff, ['acceptanceIp']),
    ...decide(blankedUnseen, ['publicId', 'emailNorm', 'phoneE164', 'firstEmailNorm', 'firstPhoneE164']),
    ...decide(kept, ['id', 'providerId', 'createdAt', 'updatedAt', 'crmSyncStatus', 'acceptanceConsent']),
    ...decide(kept, ['matchMethod', 'matchDistanceMiles', 'quarantinedAt', 'quarantineReason', 'outcome']),
    ...decide(kept, ['filledHoneypot', 'clinicNotReached', 'deletedAt', 'erasedAt']),
    ...decide(blanked, ['followUpOn']),
    ...decide(keptUnseen, ['siteProviderId', 'zip5', 'deliveryFailed']),
    // Generated from others, which are blanked.
    ...decide({ ...keptUnseen, isExported: false }, ['searchText']),
  },
  leadAttribution: {
    ...decide(removed, ['leadId', 'touch', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent']),
    ...decide(removed, ['gclid', 'gbraid', 'wbraid', 'msclkid', 'landingPath', 'referrerHost', 'touchedAt']),
  },
  leadCorrections: {
    ...decide(removed, ['id', 'leadId', 'at', 'field', 'before']),
    ...decide({ ...removed, isExported: false }, ['by']),
  },
  leadNotes: {
    ...decide(removed, ['id', 'leadId', 'at', 'text']),
    ...decide({ ...removed, isExported: false }, ['by']),
  },
  leadReminders: {
    ...decide(kept, ['leadId', 'providerId', 'at']),
    ...decide(keptUnexported, ['id', 'by']),
  },
  overLimitLeads: decide(removedUnseen, ['leadId', 'releaseAt']),
  assignmentUndos: {
    ...decide(removedUnseen, ['leadId', 'accountId', 'assignedAt', 'undoUntil', 'providerId', 'matchReason']),
    ...decide(removedUnseen, ['before', 'created', 'events', 'moved']),
  },
  leadOutcomes: decide(kept, ['id', 'leadId', 'providerId', 'outcome', 'by', 'at']),
  outcomeChoices: {
    ...decide(keptUnseen, ['leadId', 'outcome', 'at']),
    ...decide({ ...keptUnseen, isExported: false }, ['id', 'providerId', 'ip', 'takesEffectAt']),
  },
  idempotencyKeys: decide(removedUnseen, ['key', 'requestSha256', 'status', 'body', 'leadId', 'expiresAt']),
  // Found by the email address or phone number that the person typed.
  problemReports: {
    ...decide({ ...removed, seenBy: 'staff' }, ['id', 'createdAt', 'claimId', 'what', 'contact']),
    ...decide(removedUnseen, ['host', 'ip', 'quarantineReason']),
    ...decide({ ...removed, isExported: false, seenBy: 'staff' }, ['doneAt', 'doneBy']),
  },
  staffTasks: decide(removed, ['id', 'kind', 'leadId', 'createdAt', 'doneAt', 'doneBy']),
  deliveries: {
    ...decide(blankedUnseen, ['remoteId']),
    ...decide(kept, ['id', 'channel', 'leadId', 'providerId', 'eventId', 'endpointId', 'state', 'attempts']),
    ...decide(kept, ['nextAttemptAt', 'reason', 'requestedBy', 'createdAt', 'finishedAt']),
    ...decide(keptUnseen, [
      'template',
      'queue',
      'attemptsBeforeRound',
      'leasedUntil',
      'holdCause',
      'bounces',
    ]),
    ...decide(keptUnseen, ['ignoresUnreachable', 'correctsLeadId']),
  },
  deliveryAttempts: {
    ...decide(blanked, ['answer']),
    ...decide(kept, ['deliveryId', 'leadId', 'channel', 'at', 'durationMs', 'outcome', 'status', 'reason']),
    ...decide(keptUnseen, ['id', 'refusal']),
    ...decide(keptUnexported, ['address']),
  },
  recipientEmails: decide(keptUnseen, ['deliveryId', 'recipientHmac', 'sentAt', 'prefixHmac', 'domainHmac']),
  // Keyed hashes: an address that bounced must not get mail of a later lead.
  unreachableAddresses: decide(keptUnexported, ['recipientHmac', 'cause', 'at']),
  webhookEvents: decide(kept, ['id', 'type', 'at', 'leadId', 'providerId', 'data']),
  consentRecords: {
    ...decide(evidence, ['firstName', 'lastName', 'email', 'phone', 'acceptedAt', 'ip', 'userAgent']),
    ...decide(evidence, ['pageUrl', 'host', 'textShown', 'textId', 'textVersion', 'formKey', 'formVersion']),
    ...decide(evidence, ['purpose', 'sellerName', 'prechecked', 'clientClock', 'answers', 'leadId']),
    ...decide(evidenceUnseen, ['id', 'uuid', 'textSha256', 'textKnown', 'checked', 'channels', 'origin']),
    ...decide(evidenceUnseen, ['sellerProviderId', 'referrerHost', 'formSha256', 'msFromRender', 'gpc']),
    ...decide(evidenceUnseen, ['retainUntil', 'hashVersion', 'leadPublicId', 'fetchSite', 'rowHash']),
  },
  consentSeals: {
    ...decide(evidenceUnseen, ['seq', 'recordId', 'sealed', 'prevHash', 'sealHash', 'sealedAt', 'keyId']),
    ...decide(evidenceUnseen, ['sealHmac']),
  },
  consentSealQueue: decide(evidenceUnseen, ['recordId']),
  consentErasures: {
    ...decide(evidenceUnseen, ['recordId', 'at', 'salt', 'hashes', 'wasIntact', 'erasureHash']),
  },
  consentWithdrawals: {
    ...decide(blankedForStaff, ['ip']),
    ...decide(kept, ['id', 'leadId', 'at', 'how', 'by']),
  },
  suppressions: {
    ...decide(blanked, ['leadId']),
    ...decide(kept, ['kind', 'valueHmac', 'reason', 'by', 'at']),
    ...decide(keptUnseen, ['mailboxHmac']),
  },
  // Keyed hashes, with which a restore repeats an erasure.
  erasureLedger: {
    ...decide(keptUnexported, ['id', 'entryId', 'at', 'kind', 'emailHmac', 'phoneHmac', 'leadPublicIds']),
    ...decide(keptUnexported, ['reason', 'how', 'sequence', 'keyId', 'mac', 'shippedAt']),
  },
  auditLog: {
    ...decide(keptForStaff, ['at', 'action', 'subjectId', 'detail']),
    ...decide(keptUnexported, ['id', 'actorKind', 'actorName', 'accountId', 'tokenId', 'ip', 'subjectKind']),
  },
  consentFormSnapshots: 'nobody',
  consentCheckpoints: 'nobody',
  channelRefusals: 'nobody',
  dataKeys: 'nobody',
  areaPeople: 'nobody',
  formStarts: 'nobody',
  formSteps: 'nobody',
  geocodedAddresses: 'providers',
  normalFormUpgrades: 'nobody',
  rateLimits: 'nobody',
  rematchRequests: 'nobody',
  zipCentroids: 'nobody',
  zipEdition: 'nobody',
  alerts: 'nobody',
  addressNotices: 'providers',
  providers: 'providers',
  syncRuns: 'providers',
  syncRunRows: 'providers',
  unreachableProviders: 'providers',
  webhookEndpoints: 'nobody',
  providerApplications: 'applicants',
  applicationMessages: 'applicants',
  accessChanges: 'staff',
  apiTokens: 'staff',
  claimAcceptances: 'staff',
  hiddenClaims: 'staff',
  staffAccounts: 'staff',
  staffInvitations: 'staff',
  staffSessions: 'staff',
  secondFactors: 'staff',
  secondFactorRoles: 'staff',
  staffIdentities: 'staff',
  weeklyEmails: 'staff',
} as const satisfies PersonalColumns;

type Decided = typeof personalColumns;
/** The tables with data of the people who send leads. */
export type PersonalTable = {
  [Name in keyof Decided]: Decided[Name] extends OtherSubject ? never : Name;
}[keyof Decided];

function decisionsAbout(table: PersonalTable): Readonly<Record<string, ColumnDecision>> {
  return personalColumns[table];
}

export type BlankedColumn<Table extends PersonalTable> = {
  [Column in keyof Decided[Table]]: Decided[Table][Column] extends { erasure: 'blank' } ? Column : never;
}[keyof Decided[Table]];

export function listBlankedColumns<Table extends PersonalTable>(table: Table): BlankedColumn<Table>[];
export function listBlankedColumns(table: PersonalTable): string[] {
  const decisions = decisionsAbout(table);
  return listKeys(decisions).filter((column) => decisions[column]?.erasure === 'blank');
}

const tables: Readonly<Record<PersonalTable, PgTable>> = schema;

function isExported(table: PersonalTable, column: string): boolean {
  return decisionsAbout(table)[column]?.isExported === true;
}

/** The columns of a table that the personal data export has, to be selected. */
export function exportedColumns(table: PersonalTable) {
  const columns: Record<string, PgColumn> = getTableColumns(tables[table]);
  return pickKeys(
    columns,
    listKeys(columns).filter((column) => isExported(table, column)),
  );
}

/** What the personal data export has of a row. */
export function pickExported(table: PersonalTable, row: Readonly<Record<string, unknown>>): object {
  return pickKeys(
    row,
    listKeys(row).filter((column) => isExported(table, column)),
  );
}
