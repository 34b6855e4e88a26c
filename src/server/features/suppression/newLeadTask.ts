import { type SQL, sql } from 'drizzle-orm';
import { leads, suppressions } from '../../db/schema/index.ts';
import { isLeadSuppressed, type Person, suppressionsOf } from './suppressions.ts';

interface NewLead {
  leadId: number;
  person: Person;
  identityKey: Buffer;
  now: Date;
}

/**
 * A statement that opens a task for a new lead if somebody with the same phone and another email withdrew by a link, and
 * that withdrawal is still in force. None is opened if the lead is suppressed itself, or if staff have decided about the
 * same email and phone since. All parameters are strings.
 */
export function openTaskForNewLead({ leadId, person, identityKey, now }: NewLead): SQL {
  const { emailNorm, phoneE164 } = person;
  return sql`
    insert into staff_tasks (kind, lead_id, created_at)
    select 'phone-withdrawn', ${String(leadId)}::bigint, ${now.toISOString()}::timestamptz
    where exists (
      select from ${leads} join consent_withdrawals w on w.lead_id = ${leads.id} and w.how in ('page', 'one-click')
      where ${leads.phoneE164} = ${phoneE164} and ${leads.emailNorm} <> ${emailNorm} and ${isLeadSuppressed(identityKey)}
        and not exists (
          select from staff_tasks t join leads own on own.id = t.lead_id
          where own.email_norm = ${emailNorm} and own.phone_e164 = ${phoneE164} and t.done_at >= w.at))
      and not exists (select from ${suppressions} where ${suppressionsOf(identityKey, person)})
    on conflict (kind, lead_id) where done_at is null do nothing`;
}
