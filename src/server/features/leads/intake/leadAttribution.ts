import { inArray } from 'drizzle-orm';
import type { AttributionTouch } from '#shared/leads/leads.ts';
import type { Queryable } from '#server/db/connect.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { leadAttribution } from '#server/db/schema/index.ts';

interface LeadTouch {
  leadId: number;
  touch: 'first' | 'last';
  touchedAt: Date;
  values: AttributionTouch;
}

/** Inserts how visitors found the site: the first and the last touch of their leads. */
export async function insertAttribution(tx: Queryable, touches: readonly LeadTouch[]): Promise<void> {
  if (touches.length === 0) return;
  const rows = touches.map(({ leadId, touch, touchedAt, values }) => ({
    leadId,
    touch,
    touchedAt,
    utmSource: values.utm_source ?? null,
    utmMedium: values.utm_medium ?? null,
    utmCampaign: values.utm_campaign ?? null,
    utmTerm: values.utm_term ?? null,
    utmContent: values.utm_content ?? null,
    gclid: values.gclid ?? null,
    gbraid: values.gbraid ?? null,
    wbraid: values.wbraid ?? null,
    msclkid: values.msclkid ?? null,
    landingPath: values.landing_path ?? null,
    referrerHost: values.referrer_host ?? null,
  }));
  await tx.execute(insertRows(leadAttribution, rows));
}

export async function deleteAttribution(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(leadAttribution).where(inArray(leadAttribution.leadId, [...leadIds]));
}
