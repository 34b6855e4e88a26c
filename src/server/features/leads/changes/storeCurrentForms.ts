import { inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { lockLeads } from '../../outbox/leadStatus.ts';
import type { Person } from '../../identity/identity.ts';

/** A lead's contact details in the form of 1.0.0 and in the current one. */
export interface LeadForms {
  id: number;
  first: Pick<Person, 'emailNorm' | 'phoneE164'>;
  current: Person;
}

/** Stores the current forms of leads that still have those of 1.0.0. Any other lead stays as it is. */
export async function storeCurrentForms(tx: Queryable, forms: readonly LeadForms[]): Promise<void> {
  if (forms.length === 0) return;
  const rows = JSON.stringify(
    forms.map(({ id, first, current }) => ({
      id,
      ...{ email_before: first.emailNorm, phone_before: first.phoneE164 },
      ...{ email_norm: current.emailNorm, phone_e164: current.phoneE164 },
      ...{ first_email_norm: current.firstEmailNorm, first_phone_e164: current.firstPhoneE164 },
    })),
  );
  const ids = forms.map(({ id }) => id);
  await lockLeads(tx, inArray(leads.id, ids));
  await tx.execute(sql`
    update leads set email_norm = form.email_norm, phone_e164 = form.phone_e164, first_email_norm = form.first_email_norm,
      first_phone_e164 = form.first_phone_e164, updated_at = now()
    from json_to_recordset(${rows}::text::json) as form (id bigint, email_before text, phone_before text, email_norm text,
      phone_e164 text, first_email_norm text, first_phone_e164 text)
    where leads.id = form.id and leads.email_norm = form.email_before and leads.phone_e164 = form.phone_before
      and leads.erased_at is null`);
}
