import { z } from 'zod';
import { type EventType, testType } from '#shared/admin/webhooks.ts';
import { syncKinds, syncOutcomes, syncSources } from '#shared/admin/sync.ts';
import { buildRecord } from '#shared/formats/records.ts';
import { answer } from '#shared/leads/answers.ts';
import { leadFieldTable, listOutputFields } from '#shared/leads/leadFieldTable.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { publicProvider } from '#shared/providers/providerFieldLists.ts';

/** A type of event for the OpenAPI document: what its body's `data` contains. Bodies are made in eventBody.ts. */
export interface EventSchema {
  summary: string;
  description: string;
  data: z.ZodObject;
  /** The `data` of a thin body. */
  example: Record<string, unknown>;
}

const id = z.number().int();
const leadIds = z.object({
  id,
  provider_id: id.nullable(),
  uuid: z
    .uuid()
    .optional()
    .meta({ description: 'The key of the lead. Missing only if nothing of it is left' }),
});
/** Of endpoints with contact details, as they are when the event is sent. */
const contact = z.object({
  ...buildRecord(listOutputFields('events'), () => z.string().optional()),
  answers: z.array(answer).optional().meta(leadFieldTable.answers.note),
  created_at: z.iso.datetime().optional(),
});
export type EventContact = z.output<typeof contact>;
const lead = leadIds.extend(contact.shape);
const provider = publicProvider
  .partial()
  .extend({ id, wordpress_id: id.nullable() })
  .meta({ description: 'Only `id` and `wordpress_id` for endpoints without contact details' });
const count = z.number().int().nonnegative();

const ids = { id: 123, provider_id: 7, uuid: '6d0f2c1e-5b7a-4c3d-9e8f-0a1b2c3d4e5f' };
const providerIds = { id: 7, wordpress_id: 4711 };

/** What is sent for each type of event. */
export const eventSchemas: Record<EventType | typeof testType, EventSchema> = {
  'lead.created': {
    summary: 'A lead was stored',
    description: 'A lead was submitted, or released from quarantine.',
    data: lead,
    example: ids,
  },
  'lead.assigned': {
    summary: 'A lead got another provider',
    description: 'Staff or a new match assigned it.',
    data: lead.extend({ previous_provider_id: id.nullable() }),
    example: { ...ids, previous_provider_id: 3 },
  },
  'lead.updated': {
    summary: 'A lead changed',
    description: 'It changed, was restored or returned to matching, or its provider reported an outcome.',
    data: lead.extend({ changed: z.array(z.string()), outcome: z.enum(leadOutcomes).optional() }),
    example: { ...ids, changed: ['outcome'], outcome: 'booked' },
  },
  'lead.deleted': {
    summary: 'A lead was deleted',
    description:
      'Staff deleted it, or its person was erased. One that staff deleted can be restored for 30 days.',
    data: leadIds,
    example: ids,
  },
  'lead.erased': {
    summary: 'A lead’s person was erased',
    description: 'Delete all you store about this lead.',
    data: leadIds,
    example: ids,
  },
  'lead.consent_revoked': {
    summary: 'A person withdrew consent',
    description: 'Stop contacting the person, and delete what you store.',
    data: leadIds,
    example: ids,
  },
  'lead.delivery_failed': {
    summary: 'A delivery failed for good',
    description: 'An email or a CRM delivery about the lead will not be tried again.',
    data: lead.extend({ delivery_id: z.string(), channel: z.string() }),
    example: { ...ids, delivery_id: '0198f3c2-7b1e-7c44-9d3a-2f6b8c0e5a17', channel: 'crm' },
  },
  'provider.updated': {
    summary: 'A provider was added or changed',
    description: 'By staff, a sync or a push.',
    data: provider,
    example: providerIds,
  },
  'provider.deactivated': {
    summary: 'A provider became inactive',
    description: 'It gets no more leads.',
    data: provider,
    example: providerIds,
  },
  'sync.completed': {
    summary: 'A provider sync ended',
    description: 'Successfully or not; `outcome` says which.',
    data: z.object({
      run_id: id,
      source: z.enum(syncSources),
      kind: z.enum(syncKinds),
      outcome: z.enum(syncOutcomes),
      read: count,
      created: count,
      updated: count,
      unchanged: count,
      deactivated: count,
      skipped: count,
    }),
    example: {
      ...{ run_id: 5, source: 'wordpress', kind: 'full', outcome: 'done' },
      ...{ read: 120, created: 2, updated: 3, unchanged: 115, deactivated: 0, skipped: 0 },
    },
  },
  [testType]: {
    summary: 'An owner sent a test',
    description: 'To one endpoint, whichever types it wants.',
    data: z.object({ endpoint_id: z.string() }),
    example: { endpoint_id: '6f0c1c3e-5a1f-4d58-9a39-1f2a7c9b1d10' },
  },
};
