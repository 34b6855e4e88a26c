import { asc, eq, inArray } from 'drizzle-orm';
import { listKeys } from '#shared/formats/records.ts';
import type { AttributionTouch } from '#shared/leads/leads.ts';
import type { Queryable } from '#server/db/connect.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { leadAttribution } from '#server/db/schema/index.ts';

/** The column of each value, in the order in which staff read them. */
const touchColumns = {
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
  gclid: 'gclid',
  gbraid: 'gbraid',
  wbraid: 'wbraid',
  msclkid: 'msclkid',
  landing_path: 'landingPath',
  referrer_host: 'referrerHost',
} as const satisfies Record<keyof AttributionTouch, keyof typeof leadAttribution.$inferSelect>;
const touchNames = listKeys(touchColumns);

interface LeadTouch {
  leadId: number;
  touch: 'first' | 'last';
  touchedAt: Date;
  values: AttributionTouch;
}

/** Inserts how visitors found the site: the first and the last touch of their leads. */
export async function insertAttribution(tx: Queryable, touches: readonly LeadTouch[]): Promise<void> {
  if (touches.length === 0) return;
  const rows = touches.map(({ values, ...touch }) => ({
    ...Object.fromEntries(touchNames.map((name) => [touchColumns[name], values[name] ?? null])),
    ...touch,
  }));
  await tx.execute(insertRows(leadAttribution, rows));
}

/** How the visitor of a lead found the site: the values that are known, of the first touch and of the last. */
export async function listAttribution(
  db: Queryable,
  leadId: number,
): Promise<{ touch: 'first' | 'last'; name: string; value: string }[]> {
  const rows = await db
    .select()
    .from(leadAttribution)
    .where(eq(leadAttribution.leadId, leadId))
    .orderBy(asc(leadAttribution.touch));
  return rows.flatMap((row) =>
    touchNames.flatMap((name) => {
      const value = row[touchColumns[name]];
      return value === null ? [] : [{ touch: row.touch, name, value }];
    }),
  );
}

export async function deleteAttribution(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(leadAttribution).where(inArray(leadAttribution.leadId, [...leadIds]));
}
