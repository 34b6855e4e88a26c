import { and, desc, eq, isNull, ne, or } from 'drizzle-orm';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import type { Database } from '#server/db/connect.ts';
import {
  consentRecords,
  type ConsentRecordRow,
  consentSeals,
  leads,
  providers,
  type StaffTaskRow,
} from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { authorFor } from '../../auth/actor.ts';
import { recordAuditOnce, viewedAnewMs } from '../../audit/audit.ts';
import { personColumns } from '../../identity/identity.ts';
import { findSuppression } from '../../suppression/suppressions.ts';
import { findUnreachable } from '../../mail/unreachableAddresses.ts';
import { findMark } from '../../unreachable/addressMarks.ts';
import { listLeadTasks } from '../../suppression/staffTasks.ts';
import { leadFor } from '../leadColumns.ts';
import { listCandidates } from '../list/candidates.ts';
import type { LeadAction } from '../changes/leadChanges.ts';
import { listAttribution } from '../intake/leadAttribution.ts';
import { countOpenLeads } from './openLeads.ts';
import { listNotes } from '../changes/leadNotes.ts';
import { leadHistory } from './leadHistory.ts';
import { getLead } from '../list/leadList.ts';
import { placeOfZip } from '../../matching/zipTable.ts';

type Consent = NonNullable<LeadDetail['consent']>;

/** The placeholder in evidence for an IP address that is unknown or erased. */
const noAddress = '0.0.0.0';
const repeatsMax = 50;

/**
 * All data about one lead, deleted or not; for a token, without what a script doesn't need. Audits the view before it
 * returns the data, once in ten minutes for each viewer. Throws NOT_FOUND 'Lead not found'.
 */
export async function viewLead({ services, actor, ip }: LeadAction, id: number): Promise<LeadDetail> {
  const { db, zipTable } = services;
  const lead = await getLead(db, id);
  await recordAuditOnce(db, { actor, ip, action: 'lead.view', subject: { kind: 'lead', id } }, viewedAnewMs);
  const origin = placeOfZip(zipTable, lead.zip_code);
  const [state, evidence, attribution, candidates, repeats, tasks, notes, reach] = await Promise.all([
    readRemoval(services, id),
    findEvidence(db, id),
    listAttribution(db, id),
    listCandidates(db, { origin, search: undefined }).then((found) => countOpenLeads(services, found)),
    listRepeats(db, id),
    listLeadTasks(db, id),
    listNotes(db, id),
    readReach(services, lead),
  ]);
  const events = await leadHistory(db, lead, { consentedAt: evidence?.acceptedAt ?? null, tasks });
  const detail = {
    lead,
    ...state,
    ...reach,
    tasks: openTasks(tasks),
    consent: evidence === null ? null : getConsent(evidence, lead.provider_id),
    notes,
    attribution,
    candidates,
    repeats,
    events,
  };
  return actor.kind === 'token' ? forScript(detail) : detail;
}

const script = { kind: 'token' };

/** Without the names of staff, and without the address and browser of the consent. */
function forScript(detail: LeadDetail): LeadDetail {
  const { lead, suppression, consent, notes, events } = detail;
  const unnamed = <Line extends { by: string }>(line: Line): Line => ({
    ...line,
    by: authorFor(script, line.by),
  });
  return {
    ...detail,
    lead: leadFor(script, lead),
    providerEmail: null,
    suppression: {
      email: suppression.email && unnamed(suppression.email),
      phone: suppression.phone && unnamed(suppression.phone),
    },
    consent: consent && { ...consent, ip: null, userAgent: null },
    notes: notes.map(unnamed),
    events: events.map(unnamed),
  };
}

async function readReach(
  { db, dataKeys }: Pick<Services, 'db' | 'dataKeys'>,
  { email, provider_id: providerId }: AdminLead,
): Promise<Pick<LeadDetail, 'unreachable' | 'providerPhone' | 'providerEmail'>> {
  const columns = { email: providers.email, phone: providers.phone };
  const [provider] =
    providerId === null ? [] : await db.select(columns).from(providers).where(eq(providers.id, providerId));
  return {
    unreachable: {
      lead: await findUnreachable({ db, dataKeys }, email),
      provider: provider === undefined ? null : ((await findMark(db, provider.email))?.cause ?? null),
    },
    providerPhone: provider?.phone ?? null,
    providerEmail: provider?.email ?? null,
  };
}

function openTasks(tasks: readonly StaffTaskRow[]): LeadDetail['tasks'] {
  return tasks.flatMap(({ id, kind, createdAt, doneAt }) =>
    doneAt === null ? [{ id, kind, created_at: createdAt.toISOString() }] : [],
  );
}

const unlisted = { email: null, phone: null };

async function readRemoval(
  services: Pick<Services, 'db' | 'dataKeys'>,
  id: number,
): Promise<Pick<LeadDetail, 'deletedAt' | 'erasedAt' | 'isSuppressed' | 'suppression'>> {
  const { deletedAt, erasedAt } = leads;
  const [row] = await services.db
    .select({ deletedAt, erasedAt, ...personColumns })
    .from(leads)
    .where(eq(leads.id, id));
  if (row === undefined)
    return { deletedAt: null, erasedAt: null, isSuppressed: false, suppression: unlisted };
  const suppression = await findSuppression(services, row);
  return {
    deletedAt: row.deletedAt?.toISOString() ?? null,
    erasedAt: row.erasedAt?.toISOString() ?? null,
    isSuppressed: suppression.email !== null || suppression.phone !== null,
    suppression,
  };
}

type Evidence = ConsentRecordRow & { isSealed: boolean };

async function findEvidence(db: Database, leadId: number): Promise<Evidence | null> {
  const [row] = await db
    .select({ record: consentRecords, sealSeq: consentSeals.seq })
    .from(consentRecords)
    .leftJoin(consentSeals, eq(consentSeals.recordId, consentRecords.id))
    .where(eq(consentRecords.leadId, leadId))
    .orderBy(desc(consentRecords.id))
    .limit(1);
  return row === undefined ? null : { ...row.record, isSealed: row.sealSeq !== null };
}

function getConsent(evidence: Evidence, providerId: number | null): Consent {
  const { sellerProviderId: namedId, textId, textVersion, formKey, formVersion } = evidence;
  return {
    text: evidence.textShown,
    version: textId === null ? 'Text not on record' : `${textId}, version ${textVersion ?? 1}`,
    purpose: evidence.purpose,
    provider: evidence.sellerName,
    namesOther: namedId !== null && providerId !== null && namedId !== providerId,
    form: formVersion === null ? formKey : `${formKey}, version ${formVersion}`,
    prechecked: evidence.prechecked,
    clientClock: evidence.clientClock?.toISOString() ?? null,
    at: evidence.acceptedAt.toISOString(),
    ip: evidence.ip === noAddress ? null : evidence.ip,
    userAgent: evidence.userAgent,
    page: evidence.pageUrl,
    host: evidence.host,
    isSealed: evidence.isSealed,
  };
}

/** The person's other leads, without deleted ones, newest first. */
async function listRepeats(db: Database, id: number): Promise<LeadDetail['repeats']> {
  const [own] = await db.select({ duplicateOf: leads.duplicateOf }).from(leads).where(eq(leads.id, id));
  const first = own?.duplicateOf ?? id;
  const rows = await db
    .select({ id: leads.id, createdAt: leads.createdAt, email: leads.email, phone: leads.phone })
    .from(leads)
    .where(
      and(or(eq(leads.id, first), eq(leads.duplicateOf, first)), ne(leads.id, id), isNull(leads.deletedAt)),
    )
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(repeatsMax);
  return rows.map(({ createdAt, ...other }) => ({ ...other, created_at: createdAt.toISOString() }));
}
