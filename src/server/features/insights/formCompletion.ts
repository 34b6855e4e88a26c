import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { formSteps } from '#server/db/schema/index.ts';
import { formCompletionDay, type FormCompletion, type InsightsRange } from '#shared/admin/insights.ts';
import { pageFormKeys } from '#shared/leads/leadForms.ts';
import type { Database } from '../../db/connect.ts';
import { addUp, readFigureRows } from './rangeDays.ts';

/** Steps of lead forms by day, without days and forms that have none. Throws SERVICE_UNAVAILABLE after ten seconds. */
export function formCompletionByDay(
  db: Database,
  { from, to }: InsightsRange,
): Promise<z.infer<typeof formCompletionDay>[]> {
  const ofStep = (step: string) =>
    sql`coalesce(sum(${formSteps.count}) filter (where ${formSteps.step} = ${step}), 0)::int`;
  return readFigureRows(
    db,
    formCompletionDay,
    sql`
      select to_char(${formSteps.day}, 'YYYY-MM-DD') as day, ${formSteps.form} as form,
        ${ofStep('started')} as started, ${ofStep('zip')} as zip, ${ofStep('sent')} as sent
      from ${formSteps} where ${formSteps.day} between ${from}::date and ${to}::date
      group by ${formSteps.day}, ${formSteps.form} order by ${formSteps.day}, ${formSteps.form}`,
  );
}

/** The same for the whole range: a row per form, used or not. */
export async function formCompletion(db: Database, range: InsightsRange): Promise<FormCompletion> {
  const rows = await formCompletionByDay(db, range);
  return {
    forms: pageFormKeys.map((form) => {
      const ofForm = rows.filter((row) => row.form === form);
      const [started, zip, sent] = [addUp(ofForm, 'started'), addUp(ofForm, 'zip'), addUp(ofForm, 'sent')];
      return { form, started, zip, sent };
    }),
  };
}
