import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { hourMs } from '#shared/formats/time.ts';
import { alerts, deliveries, type LeadRow, type ProviderRow, staffTasks } from '#server/db/schema/index.ts';
import { leaseSelected } from '#server/features/outbox/lease.ts';
import { releaseHeld } from '#server/features/outbox/releaseHeld.ts';
import { markAddress } from '#server/features/unreachable/addressMarks.ts';
import { sendAgain } from '#server/features/unreachable/sendAgain.ts';
import { tendMarks } from '#server/features/unreachable/tendMarks.ts';
import { receiveMailEvent } from '#server/features/withdrawals/mailEvents.ts';
import type { StaffRole } from '#shared/admin/staff.ts';
import type { MailEvent } from '#shared/leads/inboundMail.ts';
import { insertProvider } from './factories.ts';
import { insertAgreed } from './leadRows.ts';
import { refusal } from '#scripts/demo/mailServer.ts';
import { type MailSetup, setUpMail } from './mailSetup.ts';
import { testActor } from './staffActions.ts';
import type { TestApp } from './testApp.ts';
import { attemptLeased, insertDelivery } from './outboxSetup.ts';

export const clinicAddress = 'Front@quay.example';

export interface ClinicMail extends AsyncDisposable {
  mail: MailSetup;
  provider: ProviderRow;
  /** What the mail server answers to the address of the clinic; null: it takes mail. */
  answers: { refusal: [number, string] | null };
  /** Lets time pass, and works until nothing is due. A clock of minutes would show the same. */
  after: (hours: number) => Promise<void>;
  /** Tends the marks and makes every due attempt, like a worker. */
  work: () => Promise<void>;
  /** A lead of the clinic with its email, due now; its delivery's id. */
  lead: (
    provider?: ProviderRow,
    row?: Partial<Parameters<typeof insertDelivery>[1]>,
  ) => Promise<{ lead: LeadRow; id: string }>;
  report: (id: string, event: Partial<MailEvent>) => Promise<void>;
  /** State, cause and reason of a delivery. */
  state: (id: string) => Promise<string>;
  states: (ids: readonly string[]) => Promise<string[]>;
  /** Kind and lead of every task. */
  tasks: () => Promise<[kind: string, leadId: number][]>;
  alerts: () => Promise<{ subject: string; message: string }[]>;
  sendAgain: (role?: StaffRole) => ReturnType<typeof sendAgain>;
  /** `Message-ID` of every email that arrived, without its domain. */
  sent: () => Promise<string[]>;
}

/** Marks a provider's address as unreachable, with leads whose emails are held. */
export async function insertUnreachable(
  { db, services }: Pick<TestApp, 'db' | 'services'>,
  { id: providerId, email: address }: ProviderRow,
  { leads }: { leads: number },
): Promise<void> {
  const now = services.now();
  for (let count = 0; count < leads; count += 1) {
    const lead = await insertAgreed(db, { providerId });
    const held = { state: 'held', holdCause: 'unreachable', reason: 'Refused.', nextAttemptAt: now } as const;
    await insertDelivery(
      { db },
      { leadId: lead.id, providerId, channel: 'provider-email', createdAt: now, ...held },
    );
  }
  const reason = 'The email bounced: 550 5.1.1 no such user.';
  await markAddress(db, { address, cause: 'bounce', code: '5.1.1', reason, now });
}

/**
 * A clinic with email, a mail server that refuses or takes it, and a clock that tests control. `takes`: whether the server
 * knows an address; all by default.
 */
export async function setUpClinicMail(takes: (address: string) => boolean = () => true): Promise<ClinicMail> {
  const answers: ClinicMail['answers'] = { refusal: null };
  const mail = await setUpMail(
    {},
    {
      onRcptTo({ address }, _session, callback) {
        const isClinic = address.toLowerCase() === clinicAddress.toLowerCase();
        if (!takes(address)) callback(refusal(550, '5.1.1 no such user'));
        else callback(isClinic && answers.refusal !== null ? refusal(...answers.refusal) : null);
      },
    },
  );
  const { services, clock, database } = mail.at;
  const { db } = database;
  const provider = await insertProvider(db, { email: clinicAddress, zipCode: '80202' });

  async function attemptDue(): Promise<number> {
    const at = services.now().toISOString();
    const due = sql`select id from deliveries where state = 'queued' and next_attempt_at <= ${at}::timestamptz order by next_attempt_at, created_at for update skip locked`;
    await services.dataKeys.current('identity');
    return (await attemptLeased(services, await leaseSelected(db, due, services.now()))).length;
  }

  async function work(): Promise<void> {
    await releaseHeld(db, services.channels, services.now());
    await tendMarks(services);
    for (let round = 0; (await attemptDue()) > 0; round += 1) expect(round).toBeLessThan(10);
  }

  async function state(id: string): Promise<string> {
    const [row] = await db.select().from(deliveries).where(eq(deliveries.id, id));
    return [row?.state, row?.holdCause].filter(Boolean).join(' ');
  }

  return {
    ...{ mail, provider, answers, work },
    async after(hours) {
      clock.ms += hours * hourMs;
      await work();
    },
    async lead(to = provider, row = {}) {
      const lead = await insertAgreed(db, {
        providerId: to.id,
        email: `person-${crypto.randomUUID()}@example.com`,
        createdAt: services.now(),
      });
      const now = services.now();
      const id = await insertDelivery(database, {
        ...{ leadId: lead.id, providerId: to.id, channel: 'provider-email' },
        ...{ createdAt: now, nextAttemptAt: row.state === undefined ? now : null },
        ...row,
      });
      return { lead, id };
    },
    report: (id, event) =>
      receiveMailEvent(services, {
        ...{ type: 'bounce', message_id: `<${id}@main.example>`, recipient: clinicAddress, reason: '' },
        ...event,
      }),
    state,
    states: (ids) => Promise.all(ids.map(state)),
    async tasks() {
      const rows = await db.select().from(staffTasks).orderBy(staffTasks.id);
      return rows.map(({ kind, leadId }) => [kind, leadId]);
    },
    alerts: () =>
      db.select().from(alerts).where(eq(alerts.kind, 'provider-unreachable')).orderBy(alerts.subject),
    sendAgain: (role = 'manager') =>
      sendAgain({ services, actor: { ...testActor, role }, ip: '203.0.113.1' }, provider.id),
    async sent() {
      const emails = await Promise.all(mail.server.received.map(({ email }) => email));
      return emails.map(({ messageId = '' }) => messageId.replace(/^<|@.*$/g, ''));
    },
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  };
}
