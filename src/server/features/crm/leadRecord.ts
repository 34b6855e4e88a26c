import type { DeliveryInput } from '../outbox/types.ts';

/** What a CRM is told of a lead, under the names of the REST answers. No consent evidence, no IP address. */
export interface LeadRecord {
  id: number;
  created_at: string;
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  zip_code: string;
  acceptance_consent: boolean;
  /** Null: no clinic was found. */
  provider_id: number | null;
  provider_name: string | null;
  /** Whether the same person left a lead before. */
  is_repeat: boolean;
  /** What the CRM called it in an earlier answer. */
  contact_id: string | null;
}

export function leadRecord({ lead, provider, remoteId }: DeliveryInput): LeadRecord {
  return {
    id: lead.id,
    created_at: lead.createdAt.toISOString(),
    first_name: lead.firstName,
    last_name: lead.lastName,
    email: lead.email,
    phone: lead.phoneE164,
    zip_code: lead.zipCode,
    acceptance_consent: lead.acceptanceConsent,
    provider_id: provider?.id ?? null,
    provider_name: provider?.name ?? null,
    is_repeat: lead.duplicateOf !== null,
    contact_id: remoteId,
  };
}
