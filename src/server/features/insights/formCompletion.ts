import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { formSteps } from '#server/db/schema/index.ts';
import { formCompletionDay, type FormCompletion, type InsightsRange } from '#shared/admin/insights.ts';
import { pageFormKeys } from '#shared/leads/leads.ts';
import type { Database } from '../../db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';
import { tooLong } from './rangeDays.ts';

/**
 * How often each step of each lead form was reached, by day; days and forms without a step are missing. Throws
 * SERVICE_UNAVAILABLE after ten seconds.
 */
export async function formCompletionByDay(
  db: Database,
  { from, to }: InsightsRange,
): Promise<z.infer<typeof formCompletionDay>[]> {
  const ofStep = (step: string) =>
    sql`coalesce(sum(${formSteps.count}) filter (where ${formSteps.step} = ${step}), 0)::int`;
  const rows = await readWithTimeout(
    db,
    (tx) =>
      tx.execute(sql`
        select to_char(${formSteps.day}, 'YYYY-MM-DD') as day, ${formSteps.form} as form,
          ${ofStep('started')} as started, ${ofStep('zip')} as zip, ${ofStep('sent')} as sent
        from ${formSteps} where ${formSteps.day} between ${from}::date and ${to}::date
        group by ${formSteps.day}, ${formSteps.form} order by ${formSteps.day}, ${formSteps.form}`),
    { tooLong },
  );
  return z.array(formCompletionDay).parse(rows);
}

/** The same for the whole range: a row per form, used or not. */
export async function formCompletion(db: Database, range: InsightsRange): Promise<FormCompletion> {
  const rows = await formCompletionByDay(db, range);
  return {
    forms: pageFormKeys.map((form) => {
      const ofForm = rows.filter((row) => row.form === form);
      const addUp = (step: 'started' | 'zip' | 'sent'): number =>
        ofForm.reduce((sum, row) => sum + row[step], 0);
      return { form, started: addUp('started'), zip: addUp('zip'), sent: addUp('sent') };
    }),
  };
}
