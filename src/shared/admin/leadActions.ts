import { z } from 'zod';
import { day } from '../formats/day.ts';
import { leadOutcomes } from '../leads/leadOutcomes.ts';
import { leadFilter, leadListInput } from './adminLeads.ts';

const id = z.number().int().positive();

export const leadIdInput = z.object({ id });
/** Nearest first, at most `candidatesMax`. Name, practice or ZIP must contain every word of a search. */
export const candidatesInput = leadIdInput.extend({ search: z.string().trim().max(200).optional() });
export const candidatesMax = 50;
/** A lead’s drawer lists so many of them first. */
export const nearestShown = 10;
/** Whether staff confirmed an assignment although the consent of the lead names another provider. */
const confirmed = z
  .boolean()
  .default(false)
  .meta({ description: 'True: although the consent of the lead names another provider' });
/** PATCH /api/leads/{id}/provider */
export const assignInput = z.object({
  id,
  providerId: id.meta({ description: 'The new provider, which must be active' }),
  confirmed,
});
/** What an assignment by staff causes waits this long, so that an Undo takes it back unsent. */
export const assignmentUndoSeconds = 10;
/** The leads whose last assignment is taken back. */
export const undoAssignOutput = z.object({
  changed: z.array(id),
  /** Those that stay as they are, with the reason as a sentence. */
  refused: z.array(z.object({ id, reason: z.string() })),
});
const outcomeReport = z.object({
  at: z.iso.datetime(),
  /** `Clinic`: the provider by its link. Otherwise the name of a staff member or a token; for a token, `Staff`. */
  by: z.string(),
  outcome: z.enum(leadOutcomes),
  provider: z.object({ id, name: z.string() }),
  takes_effect_at: z.iso.datetime().nullable().meta({
    description:
      'When a `wrong-area` of the provider’s link takes effect, unless another choice replaces it. Null: it counts',
  }),
});
export type OutcomeReport = z.infer<typeof outcomeReport>;
export const leadOutcomeReports = z.object({
  outcome: z.enum(leadOutcomes).nullable(),
  reports: z.array(outcomeReport),
});
export const outcomeNoteInput = leadIdInput.extend({
  outcome: z.enum(leadOutcomes).meta({ description: 'What the provider reported' }),
});
/** An outcome that staff recorded can be taken back this long. Its message in the dashboard is shown for less. */
export const outcomeUndoSeconds = 60;
export const noteLengthMax = 2_000;
/** The author of a note can take it back this long. Its message in the dashboard is shown for less. */
export const noteUndoSeconds = 60;
export const noteInput = leadIdInput.extend({
  text: z
    .string()
    .trim()
    .min(1, 'Write a note.')
    .max(noteLengthMax, `Use at most ${noteLengthMax.toLocaleString('en-US')} characters.`)
    .meta({ description: 'It can’t be changed later. It is part of the person’s data' }),
});
export const noteUndoInput = leadIdInput.extend({ noteId: id });
export const followUpInput = leadIdInput.extend({
  followUpOn: day.nullable().meta({ description: 'A day such as `2026-06-12`. Null: none' }),
});
/** How many leads one request may name. They are changed in one transaction. */
export const bulkLeadsMax = 500;
/** How many leads one request may select by a filter. They are changed in batches of `bulkLeadsMax`. */
export const matchingLeadsMax = 10_000;
export const bulkIds = z.object({ ids: z.array(id).min(1).max(bulkLeadsMax) });
/** The leads that a filter matches, and how many they were when staff selected them. */
const matchingLeads = z.object({
  filter: leadFilter.extend({ upTo: leadListInput.shape.upTo }),
  expected: z.number().int().min(1),
});
/** The leads of a change. */
export const bulkLeads = z.union([bulkIds, matchingLeads]);
export type BulkLeads = z.output<typeof bulkLeads>;
/** For several leads: one provider, or null for each lead's nearest. */
export const assignPreviewInput = bulkLeads.and(z.object({ providerId: id.nullable() }));
export const bulkAssignInput = assignPreviewInput.and(z.object({ confirmed }));
/** What an assignment would do. */
export const assignPreviewOutput = z.object({
  leads: z.number().int(),
  /** Leads that already have their nearest provider, and stay. */
  kept: z.number().int(),
  providers: z.number().int(),
  /** From the leads' ZIPs to their providers; null if no place is known. */
  miles: z.object({ least: z.number(), most: z.number() }).nullable(),
  /** Leads that are farther away than the provider's radius. */
  outside: z.number().int(),
  /** Leads whose distance is unknown. */
  unplaced: z.number().int(),
  /** Leads whose nearest provider had them before: each goes to the next one. */
  nextNearest: z.number().int(),
  /** The provider’s own radius, otherwise the configured one. */
  radiusMiles: z.number(),
});
/** The leads that were changed, by id; an Undo restores these. */
export const bulkOutput = z.object({ changed: z.array(id) });
export const bulkAssignOutput = bulkOutput.extend({
  /** The leads that were not assigned, with the provider that their consent names: repeat them with `confirmed`. */
  needConfirmation: z.array(z.object({ id, provider: z.string() })),
});

/** The response of sync, retry-sync and retry-email, with 200 in both cases. */
export const actionOutcome = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true) }),
  z.object({ success: z.literal(false), error: z.string() }),
]);
