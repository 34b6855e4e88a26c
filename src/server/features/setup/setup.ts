import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { setupCopy as copy, setupSteps, type SetupState } from '#shared/admin/setup.ts';
import { brand } from '#shared/brand/brand.ts';
import { distanceText } from '#shared/formats/writing.ts';
import { renderPlainMail } from '#shared/mail/mail.ts';
import { publicConfig } from '#server/config/config.ts';
import { bigintColumn, readRow, readRows } from '#server/db/readRows.ts';
import type { Caller } from '#server/caller.ts';
import type { StaffAction } from '#server/procedures.ts';
import type { Services } from '#server/services.ts';
import { isLoopbackHost } from '#server/tenant/parseHost.ts';
import { recordAudit } from '../audit/audit.ts';
import { findAccount } from '../auth/accounts.ts';
import type { StaffActor } from '../auth/actor.ts';
import { createTestLead } from '../leads/intake/intake.ts';
import { getLead } from '../leads/list/leadList.ts';
import { sendPlain } from '../mail/plainMessages.ts';

const facts = z.object({
  hasAccount: z.boolean(),
  hasProvider: z.boolean(),
  isMailAccepted: z.boolean(),
  hasLeads: z.boolean(),
  testLeadId: bigintColumn.nullable(),
});

/** An answer of a mail server, not of the folder that stands in for one. */
const accepted = 'SMTP 2%';

/** What is set up, by fact. */
export async function readSetup({ config, db }: Pick<Services, 'config' | 'db'>): Promise<SetupState> {
  const found = await readRow(db, facts)`
    select exists (select from staff_accounts) as "hasAccount",
      exists (select from providers where status = 't') as "hasProvider",
      ${config.smtpUrl !== null}::boolean and (
        exists (select from delivery_attempts where channel in ('lead-email', 'provider-email') and outcome = 'delivered'
          and status like ${accepted})
        or exists (select from audit_log where action = 'lead.test' and detail ->> 'status' like ${accepted})
      ) as "isMailAccepted",
      exists (select from leads where quarantine_reason is distinct from 'test') as "hasLeads",
      (select max(id) from leads where quarantine_reason = 'test' and quarantined_at is not null and deleted_at is null) as "testLeadId"`;
  const { hasLeads, testLeadId } = found;
  const isDone = {
    password: found.hasAccount || !config.isPasswordLocal,
    address: config.mainDomains.some((host) => !isLoopbackHost(host)),
    provider: found.hasProvider,
    mail: found.isMailAccepted,
    testLead: testLeadId !== null,
  };
  return { steps: setupSteps.map((key) => ({ key, isDone: isDone[key] })), hasLeads, testLeadId };
}

/** A ZIP code that has a provider, so that the test is matched. */
const zipRow = z.object({ zip: z.string() });
const anyZip = '80202';

/**
 * Stores a test lead by the way of every lead and mails the result to its sender (to the contact address without
 * an account). Nothing goes to a provider or the CRM.
 */
export async function sendTestLead(
  { services, actor, ip }: StaffAction<StaffActor>,
  caller: Caller,
): Promise<{ id: number; message: string }> {
  const { config, db, now } = services;
  const account = actor.accountId === null ? null : await findAccount(db, actor.accountId);
  const address = account?.email ?? config.contacts.email;
  const [near] = await readRows(db, zipRow)`
    select left(zip_code, 5) as zip from providers where status = 't' and location is not null order by id limit 1`;
  const { body } = await createTestLead(services, caller, {
    first_name: 'Test',
    last_name: 'Lead',
    email: address,
    phone: '(202) 555-0100',
    zip_code: near?.zip ?? anyZip,
    acceptance_consent: true,
    // The time keeps a second test from being the same submission.
    acceptance_message: `Test lead by staff at ${now().toISOString()}. Nobody consented.`,
    form: 'api',
  });
  const lead = await getLead(db, body.id);
  const { provider, match } = lead;
  const matched =
    provider === null
      ? copy.message.unmatched
      : copy.message.matched(provider.name, match.miles === null ? null : distanceText(match.miles));
  const sent = await mailTest(services, address, [copy.mail.text(brand.name), matched]);
  const subject = { kind: 'lead', id: body.id };
  await recordAudit(db, { actor, ip, action: 'lead.test', subject, detail: { status: sent.status } });
  return { id: body.id, message: `${matched} ${sent.message}` };
}

async function mailTest(
  services: Pick<Services, 'config' | 'mail'>,
  address: string,
  lines: readonly string[],
): Promise<{ status: string | null; message: string }> {
  const { config, mail } = services;
  if (mail.mailer.heldReason() !== null) return { status: null, message: copy.message.held };
  const href = `${publicConfig(config).mainOrigin}/admin`;
  const rendered = renderPlainMail(copy.mail.subject, [...lines, { href }]);
  const result = await sendPlain(services, { id: randomUUID(), address, rendered, hasNoContact: true });
  if (result.outcome === 'delivered')
    return {
      status: result.status,
      message: mail.folder === null ? copy.message.mailed(address) : copy.message.folder,
    };
  return { status: 'status' in result ? result.status : null, message: copy.message.refused(result.reason) };
}
