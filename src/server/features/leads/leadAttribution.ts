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
  await tx.execute(
    insertRows(
      leadAttribution,
      touches.map(({ leadId, touch, touchedAt, values }) => ({
        leadId,
        touch,
        touchedAt,
        utmSource: values.utm_source,
        utmMedium: values.utm_medium,
        utmCampaign: values.utm_campaign,
        utmTerm: values.utm_term,
        utmContent: values.utm_content,
        gclid: values.gclid,
        gbraid: values.gbraid,
        wbraid: values.wbraid,
        msclkid: values.msclkid,
        landingPath: values.landing_path,
        referrerHost: values.referrer_host,
      })),
    ),
  );
}

export async function deleteAttribution(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(leadAttribution).where(inArray(leadAttribution.leadId, [...leadIds]));
}
