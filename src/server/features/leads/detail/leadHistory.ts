import { and, asc, desc, eq, inArray, notInArray } from 'drizzle-orm';
import { z } from 'zod';
import { deliveryChannelNames, leadChannels } from '#shared/admin/deliveries.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { withdrawalNames } from '#shared/admin/leadDetailCopy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { attemptStatusText } from '#shared/admin/unsentMail.ts';
import { longDate } from '#shared/formats/writing.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { leadEvent } from '#shared/admin/leadDetail.ts';
import type { Database } from '#server/db/connect.ts';
import {
  auditLog,
  type AuditLogRow,
  consentWithdrawals,
  deliveries,
  deliveryAttempts,
  type DeliveryAttemptRow,
  providers,
  type StaffTaskRow,
} from '#server/db/schema/index.ts';
import { withheldReasons } from '../../mail/recipientLimits.ts';
import { channelRules, type RetryKind, retryKinds } from '../../outbox/channelRules.ts';
import { toAnswerText } from '../../outbox/redact.ts';
import { correctionEvents } from '../changes/leadCorrections.ts';
import { listOutcomes } from '../changes/leadOutcomes.ts';
import { liftText, taskEvents, taskText } from '../../suppression/staffTasks.ts';
import { assignmentDetail, type AssignmentDetail } from '../changes/assignment.ts';
import { releaseDetail } from '../changes/leadChanges.ts';

export type LeadEvent = z.output<typeof leadEvent>;

const linesMax = 200;

/** The actions whose entries say which provider a lead has since. */
const moves: readonly string[] = ['lead.assign', 'lead.unassign', 'lead.take-away', 'lead.rematch'];

/** The kind of event in a lead's history for each action of the audit log. */
const kinds: Record<string, string> = {
  'lead.view': 'viewed',
  'lead.assign': 'assigned',
  'lead.unassign': 'unassigned',
  'lead.take-away': 'taken-away',
  'lead.rematch': 'rematched',
  'lead.delete': 'deleted',
  'lead.undo': 'restored',
  'lead.release': 'released',
  'lead.retry': 'retried',
  'lead.called': 'called',
  'lead.note': 'noted',
  'lead.note-undo': 'note-undone',
  'lead.follow-up': 'follow-up',
  'lead.remind': 'reminded',
  'suppression.lift': 'lifted',
  'task.complete': 'task-done',
  'person.export': 'exported',
  'person.erase': 'erased',
};

/** A lead's history, oldest first, with the latest two hundred audit entries and delivery attempts. */
export async function leadHistory(
  db: Database,
  lead: AdminLead,
  { consentedAt, tasks }: { consentedAt: Date | null; tasks: readonly StaffTaskRow[] },
): Promise<LeadEvent[]> {
  const lines = await db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectKind, 'lead'),
        eq(auditLog.subjectId, String(lead.id)),
        // The recorded outcomes, corrections and withdrawals, listed below, have more detail.
        notInArray(auditLog.action, ['lead.outcome', 'lead.correct', 'lead.suppress']),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(linesMax);
  const oldestFirst = lines.toReversed();
  const firsts = await firstLines(db, lead.id);
  const details = new Map(oldestFirst.map((line) => [line.id, assignmentOfLine(line)]));
  const names = await providerNames(db, [...details.values()]);
  const audited = oldestFirst.map((line) => ({
    at: line.at.toISOString(),
    kind: kinds[line.action] ?? line.action,
    by: line.actorName,
    detail: buildDetail(line, details.get(line.id) ?? null, names),
  }));
  const rest = await Promise.all([
    listAttempts(db, lead.id),
    findWithheld(db, lead.id),
    listOutcomes(db, lead.id),
    correctionEvents(db, lead.id),
    listWithdrawals(db, lead.id),
  ]);
  const since = [...audited, ...taskEvents(tasks), ...rest.flat()].toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
  return [...beginning(lead, consentedAt, firsts), ...since];
}

/** The actions of which the first one says how a lead was matched when it arrived. */
const firstMoves = ['lead.assign', 'lead.take-away', 'lead.rematch'];

/** The oldest audit entries of a lead, which keep values that its row has lost. */
interface Firsts {
  assignment: AssignmentDetail | null;
  release: z.output<typeof releaseDetail> | null;
}

/** Reads the oldest entries separately, because the history is limited to the latest ones. */
async function firstLines(db: Database, leadId: number): Promise<Firsts> {
  const lines = await db
    .selectDistinctOn([auditLog.action])
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectKind, 'lead'),
        eq(auditLog.subjectId, String(leadId)),
        inArray(auditLog.action, [...firstMoves, 'lead.release']),
      ),
    )
    .orderBy(asc(auditLog.action), asc(auditLog.id));
  const first = (...actions: string[]): unknown =>
    lines.filter(({ action }) => actions.includes(action)).toSorted((a, b) => a.id - b.id)[0]?.detail;
  return {
    assignment: assignmentDetail.safeParse(first(...firstMoves)).data ?? null,
    release: releaseDetail.safeParse(first('lead.release')).data ?? null,
  };
}

/** The first match comes from the first assignment and the quarantine reason from the release, else from the lead. */
function beginning(lead: AdminLead, consentedAt: Date | null, { assignment, release }: Firsts): LeadEvent[] {
  const at = lead.created_at;
  const quarantine = release ?? { reason: lead.quarantineReason, quarantinedAt: at };
  const match = assignment?.before ?? { method: lead.match.method, reason: lead.match.reason };
  return [
    { at, kind: 'created', by: 'Visitor', detail: '' },
    ...(lead.filledHoneypot ? [{ at, kind: 'honeypot-filled', by: 'Visitor', detail: '' }] : []),
    ...(consentedAt === null
      ? []
      : [{ at: consentedAt.toISOString(), kind: 'consented', by: 'Visitor', detail: '' }]),
    ...(match.method === 'manual' ? [] : [{ at, kind: 'matched', by: 'System', detail: match.reason }]),
    ...(quarantine.reason === null
      ? []
      : [{ at: quarantine.quarantinedAt, kind: 'quarantined', by: 'System', detail: quarantine.reason }]),
  ];
}

async function listAttempts(db: Database, leadId: number): Promise<LeadEvent[]> {
  const attempts = await db
    .select()
    .from(deliveryAttempts)
    .where(and(eq(deliveryAttempts.leadId, leadId), inArray(deliveryAttempts.channel, [...leadChannels])))
    .orderBy(desc(deliveryAttempts.at), desc(deliveryAttempts.id))
    .limit(linesMax);
  return attempts.toReversed().map(eventOfAttempt);
}

/** Emails that were not sent to the person, with the reason. */
async function findWithheld(db: Database, leadId: number): Promise<LeadEvent[]> {
  const rows = await db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.leadId, leadId),
        inArray(deliveries.channel, [...leadChannels]),
        eq(deliveries.state, 'cancelled'),
        inArray(deliveries.reason, [...withheldReasons]),
      ),
    )
    .orderBy(desc(deliveries.createdAt))
    .limit(linesMax);
  return rows.map(({ finishedAt, createdAt, channel, reason }) => ({
    at: (finishedAt ?? createdAt).toISOString(),
    kind: 'delivery-withheld',
    by: 'System',
    detail: `${deliveryChannelNames[channel]}: ${reason ?? ''}`,
  }));
}

async function listWithdrawals(db: Database, leadId: number): Promise<LeadEvent[]> {
  const rows = await db.select().from(consentWithdrawals).where(eq(consentWithdrawals.leadId, leadId));
  return rows.map(({ at, how, by }) => ({
    at: at.toISOString(),
    kind: 'withdrawn',
    by,
    detail: withdrawalNames[how],
  }));
}

function eventOfAttempt(attempt: DeliveryAttemptRow): LeadEvent {
  const { at, outcome, channel, status, durationMs, reason, answer } = attempt;
  const how = [...(status === null ? [] : [attemptStatusText(status)]), `${durationMs} ms`].join(', ');
  const sentence =
    outcome === 'delivered' || answer === null
      ? null
      : toAnswerText(answer, { isMail: channel !== 'webhook' && channelRules[channel].isEmail });
  const why = outcome === 'delivered' ? null : (sentence ?? reason);
  return {
    at: at.toISOString(),
    kind: outcome === 'delivered' ? 'delivered' : 'delivery-failed',
    by: 'System',
    detail: `${deliveryChannelNames[channel]}: ${how}${why === null ? '' : `. ${why}`}`,
  };
}

function assignmentOfLine(line: AuditLogRow): AssignmentDetail | null {
  if (!moves.includes(line.action)) return null;
  return assignmentDetail.safeParse(line.detail).data ?? null;
}

async function providerNames(
  db: Database,
  details: readonly (AssignmentDetail | null)[],
): Promise<Map<number, string>> {
  const ids = new Set(details.flatMap((detail) => detail?.providerId ?? detail?.before.providerId ?? []));
  if (ids.size === 0) return new Map();
  const rows = await db
    .select({ id: providers.id, name: providers.name })
    .from(providers)
    .where(inArray(providers.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function buildDetail(
  line: AuditLogRow,
  assignment: AssignmentDetail | null,
  names: ReadonlyMap<number, string>,
): string {
  if (assignment !== null) {
    const { providerId, miles, consentNames } = assignment;
    if (providerId === null) return withoutProviderText(line.action, assignment.before.providerId, names);
    const distance = miles === null ? '' : `, ${miles.toFixed(1)} miles`;
    const named = consentNames === undefined ? '' : `; ${leadDetailCopy.consentNames(consentNames)}`;
    return `${names.get(providerId) ?? `Provider #${providerId}`}${distance}${named}`;
  }
  return textSchemas[line.action]?.parse(line.detail) ?? '';
}

/** What a move to no provider says in the history. */
function withoutProviderText(
  action: string,
  beforeId: number | null,
  names: ReadonlyMap<number, string>,
): string {
  if (action === 'lead.unassign') return leadCopy.badges.unmatched;
  if (action === 'lead.rematch' || beforeId === null) return leadDetailCopy.nobodyFound;
  return names.get(beforeId) ?? `Provider #${beforeId}`;
}

const retryNames: Record<RetryKind, string> = {
  sync: 'CRM',
  email: 'Email',
  provider: deliveryChannelNames['provider-email'],
};

/** The text of an audit entry `lead.retry`. The oldest entries lack an error: the channel was not configured. */
const retryText = z
  .object({
    what: z.enum(retryKinds),
    queued: z.boolean().default(false),
    success: z.boolean().default(false),
    error: z.string().default('not configured'),
  })
  .transform(
    ({ what, queued, success, error }) =>
      `${retryNames[what]}: ${queued ? 'queued' : success ? 'success' : error}`,
  )
  .catch('');

/** The day, or that there is none. */
const followUpText = z
  .object({ followUpOn: z.string().nullable() })
  .transform(({ followUpOn }) => (followUpOn === null ? leadDetailCopy.noFollowUp : longDate(followUpOn)))
  .catch('');

/** Why a reminder wasn't sent. */
const reminderText = z
  .object({ error: z.string().default('') })
  .transform(({ error }) => error)
  .catch('');

const textSchemas: Partial<Record<string, z.ZodType<string>>> = {
  'lead.retry': retryText,
  'lead.follow-up': followUpText,
  'lead.remind': reminderText,
  'suppression.lift': liftText,
  'task.complete': taskText,
};
