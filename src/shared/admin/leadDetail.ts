import { z } from 'zod';
import { suppressionEntry } from '../leads/suppression.ts';
import { adminLead, staffTaskKinds, unreachableCauses } from './adminLeads.ts';

const id = z.number().int().positive();

/** A provider to assign a lead to, nearest to its ZIP first. Null miles: the ZIP's location is unknown. */
export const candidate = z.object({
  id,
  name: z.string(),
  zipCode: z.string(),
  miles: z.number().nullable(),
});

/** What staff noted. */
export const leadNote = z.object({
  id,
  at: z.iso.datetime(),
  by: z.string().meta({ description: 'A staff member’s or token’s name; for a token, `Staff`' }),
  text: z.string(),
});
export type LeadNote = z.infer<typeof leadNote>;

/** One entry of a lead's history, oldest first. */
export const leadEvent = z.object({
  at: z.iso.datetime(),
  /** A kind that `leadCopy.ts` names; an unknown one is shown as is. */
  kind: z.string(),
  /** `Visitor`, `Clinic`, `System`, or the name of a staff member or a token; for a token, `Staff`. */
  by: z.string(),
  detail: z.string(),
});

export const leadDetail = z
  .object({
    lead: adminLead,
    deletedAt: z.iso.datetime().nullable().meta({
      description: 'Null unless deleted. A deleted lead is read-only and can be restored for thirty days',
    }),
    isSuppressed: z.boolean().meta({
      description: 'The email address or the phone number is suppressed: nobody may contact the person',
    }),
    suppression: z
      .object({ email: suppressionEntry.nullable(), phone: suppressionEntry.nullable() })
      .meta({ description: 'The suppression of each; null: it isn’t suppressed' }),
    unreachable: z
      .object({
        lead: z.enum(unreachableCauses).nullable(),
        provider: z.enum(unreachableCauses).nullable(),
      })
      .meta({
        description:
          'Why no automatic email goes to the lead’s and to its provider’s address; null: they get email',
      }),
    providerPhone: z.string().nullable().meta({ description: 'Its provider’s phone, for a call by staff' }),
    providerEmail: z
      .string()
      .nullable()
      .meta({ description: 'Where its provider gets leads; null for tokens' }),
    tasks: z
      .array(z.object({ id, kind: z.enum(staffTaskKinds), created_at: z.iso.datetime() }))
      .meta({ description: 'Open tasks about this lead' }),
    erasedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the person was erased: the lead is deleted permanently' }),
    consent: z
      .object({
        text: z.string(),
        version: z.string(),
        /** What the text allows contact for; null for an unknown text. */
        purpose: z.string().nullable(),
        /** The provider that the form named. */
        provider: z.string().nullable(),
        /** It is another one than the lead's present provider. */
        namesOther: z.boolean(),
        form: z.string(),
        /** Whether the box was ticked beforehand; null if that is not known. */
        prechecked: z.boolean().nullable(),
        /** By the person's own clock. */
        clientClock: z.iso.datetime().nullable(),
        at: z.iso.datetime(),
        ip: z.string().nullable(),
        userAgent: z.string().nullable(),
        page: z.string().nullable(),
        host: z.string(),
        isSealed: z.boolean(),
      })
      .nullable()
      .meta({ description: 'The consent as the person gave it; null: none is stored' }),
    attribution: z
      .array(z.object({ touch: z.enum(['first', 'last']), name: z.string(), value: z.string() }))
      .meta({ description: 'Campaign and click IDs of the first and the last visit' }),
    candidates: z
      .array(
        candidate.extend({
          openLeads: z.number().int().nullable().meta({
            description:
              'Its leads of the last 30 days without an outcome; null: not counted, as it isn’t one of the nearest ten',
          }),
        }),
      )
      .meta({ description: 'Providers to assign it to, nearest first' }),
    notes: z.array(leadNote).meta({ description: 'What staff noted, oldest first' }),
    repeats: z
      .array(z.object({ id, created_at: z.iso.datetime(), email: z.string(), phone: z.string() }))
      .meta({ description: 'Other leads of the same person, with what was typed' }),
    events: z.array(leadEvent).meta({ description: 'Its history, oldest first' }),
  })
  .meta({ id: 'LeadDetail', description: 'A lead with its consent, tasks and history' });
export type LeadDetail = z.infer<typeof leadDetail>;
