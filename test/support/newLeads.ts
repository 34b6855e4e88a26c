import { consentRecord } from '#server/features/consent/recordConsent.ts';
import type { NewLead } from '#server/features/leads/intake/storeLeads.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import { testCaller } from './caller.ts';
import { leadInput } from './factories.ts';

/** When these leads arrive. */
export const arrivedAt = new Date('2026-06-01T12:00:00Z');
let made = 0;

export interface WantedLead {
  providerId: number;
  email?: string;
  phone?: string;
  key?: string;
  quarantineReason?: 'honeypot' | 'over-limit';
}

/** A lead for `storeLeads` with one email to its provider; a quarantined one has none. */
export function newLead({ providerId, key, quarantineReason, ...contact }: WantedLead): NewLead {
  made += 1;
  const { email = `list-${made}@mail.example`, phone = `+1303556${String(made).padStart(4, '0')}` } = contact;
  const submission = leadCreateInput.parse(leadInput({ form: 'landing', email, phone }));
  const publicId = crypto.randomUUID();
  const delivery = { id: crypto.randomUUID(), channel: 'provider-email', providerId } as const;
  return {
    claim: {
      key: key ?? `key-${made}`,
      requestSha256: `sha-${made}`,
      expiresAt: new Date(arrivedAt.getTime() + 60_000),
    },
    lead: {
      firstName: submission.first_name,
      lastName: submission.last_name,
      email,
      phone,
      zipCode: submission.zip_code,
      acceptanceConsent: true,
      emailNorm: email,
      phoneE164: phone,
      providerId,
      matchMethod: 'requested',
      matchReason: 'test',
      publicId,
      createdAt: arrivedAt,
      ...(quarantineReason === undefined ? {} : { quarantinedAt: arrivedAt, quarantineReason }),
    },
    buildConsent: (leadId) =>
      consentRecord({
        ...{ caller: testCaller(), submission, formShown: 'landing', leadId, leadPublicId: publicId },
        ...{ acceptedAt: arrivedAt, seller: null, formSha256: null, msFromRender: null },
      }),
    attribution: [{ touch: 'first', values: { utm_source: `source-${made}` } }],
    deliveries:
      quarantineReason === undefined
        ? [{ ...delivery, state: 'queued', nextAttemptAt: arrivedAt, reason: null, finishedAt: null }]
        : [],
    releaseAt: quarantineReason === 'over-limit' ? arrivedAt : null,
  };
}
