import type { Database } from '#server/db/connect.ts';
import type { ProviderRow } from '#server/db/schema/index.ts';
import { insertProvider } from './factories.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import { insertDeliveryAttempts, insertLeads } from './leadRows.ts';

const dayMs = 86_400_000;
/** Alaska, Montana, Maine, North Dakota, Hawaii, Nevada, no place. */
const farZips = ['99501', '59718', '04401', '58501', '96720', '89801', '00001'] as const;

interface SampleOptions {
  days: number;
  leadsPerDay: number;
  /** The last day. */
  now: Date;
}

/**
 * Leads of several sites over some days with their attempts, one in five without a provider, the same at each call. One
 * day in seventeen has none.
 */
export async function insertInsightSamples(
  db: Database,
  { days, leadsPerDay, now }: SampleOptions,
): Promise<void> {
  const random = seededRandom(11);
  const providers: ProviderRow[] = [];
  for (let count = 0; count < 7; count += 1) providers.push(await insertProvider(db));
  for (let day = 0; day < days; day += 1) {
    if (day % 17 === 5) continue;
    const midnightMs = Math.floor(now.getTime() / dayMs - day) * dayMs;
    const count = Math.round(leadsPerDay * (0.6 + 0.8 * random()));
    const rows = await insertLeads(
      db,
      Array.from({ length: count }, () => {
        const isFar = random() < 0.2;
        const provider = providers[Math.floor(random() * providers.length)];
        const status = random();
        return {
          createdAt: new Date(midnightMs + Math.floor(random() * dayMs)),
          providerId: isFar ? null : (provider?.id ?? null),
          siteProviderId: random() < 0.3 ? null : (providers[Math.floor(random() ** 2 * 7)]?.id ?? null),
          zipCode: isFar ? (farZips[Math.floor(random() ** 2 * farZips.length)] ?? '99501') : '80202',
          crmSyncStatus:
            status < 0.85 ? ('success' as const) : status < 0.93 ? ('failed' as const) : ('pending' as const),
        };
      }),
    );
    await insertDeliveryAttempts(
      db,
      rows.flatMap(({ id, createdAt }) => {
        const at = new Date(createdAt.getTime() + 1500 + Math.floor(random() ** 4 * 90_000));
        const isFailing = random() < 0.08;
        return [
          { leadId: id, channel: 'lead-email' as const, at },
          {
            leadId: id,
            channel: 'crm' as const,
            at,
            outcome: isFailing ? ('failed' as const) : ('delivered' as const),
          },
        ];
      }),
    );
  }
}
