import { z } from 'zod';
import { assignmentUndoSeconds } from '../admin/leadActions.ts';
import { quarantineReasons } from '../leads/quarantine.ts';
import { applicationStatuses } from './applications.ts';

const id = z.number().int().positive();

export const applicationsPageSize = 40;

export const adminApplicationListInput = z.object({
  status: z.enum(applicationStatuses).optional(),
  /** Words of the practice's or the contact's name, email, phone or ZIP code, or `#` and the id. */
  search: z.string().trim().max(200).optional(),
  page: z.number().int().min(1).max(1_000_000).default(1),
  limit: z.number().int().min(1).max(100).default(applicationsPageSize),
});

/** The list of applications in the dashboard's URL. */
export const applicationSearch = adminApplicationListInput.omit({ limit: true, search: true });

/** What became of a message about an application. */
export const applicationMessageStates = ['waiting', 'sent', 'withheld', 'refused'] as const;

/** An application, as staff see it. Lists show the newest first. */
export const adminApplication = z.object({
  id,
  practice_name: z.string(),
  contact_name: z.string(),
  role: z.string(),
  email: z.string(),
  phone: z.string(),
  zip_code: z.string(),
  website: z.string().nullable(),
  message: z.string().nullable(),
  status: z.enum(applicationStatuses),
  created_at: z.iso.datetime(),
  /** Null unless it was quarantined, or stored above the rate limit (`over-limit`). */
  quarantineReason: z.enum(quarantineReasons).nullable(),
  /** Whether a field that people don't see was filled in, by a bot or a password manager. */
  filledHoneypot: z.boolean(),
  /** Until when the provider page promises an answer; null once it is answered, or if it is quarantined. */
  dueAt: z.iso.datetime().nullable(),
  /** The applicant's receipt; null if it is quarantined, or was received before there were any. */
  receipt: z
    .object({
      state: z.enum(applicationMessageStates),
      /** A sentence for staff: why it waits, was withheld or refused. */
      reason: z.string().nullable(),
    })
    .nullable(),
});
export type AdminApplication = z.infer<typeof adminApplication>;

export const adminApplicationListOutput = z.object({
  applications: z.array(adminApplication),
  total: z.number().int(),
});
export type AdminApplicationList = z.infer<typeof adminApplicationListOutput>;

export const adminApplicationStatusInput = z.object({ id, status: z.enum(applicationStatuses) });

export const applicationIdInput = z.object({ id });

/** Staff's answer to an application waits this long, so that an Undo takes it back unsent. */
export const answerUndoSeconds = assignmentUndoSeconds;

export const applicationApproveOutput = z.object({
  id,
  /** The provider that it created. */
  providerId: id,
  /** Whether this approval created it, and not an earlier one. */
  isNew: z.boolean(),
});

/** The application whose drawer is open, in the dashboard's URL. */
export const openApplicationSearch = z.object({ application: id.optional() });

/** All that the drawer of an application shows. */
export const applicationDetail = z.object({
  application: adminApplication,
  /** The nearest active provider, at any distance; null if there is none, or the ZIP code is unknown. */
  nearest: z.object({ name: z.string(), miles: z.number() }).nullable(),
  isZipKnown: z.boolean(),
  /** People within 50 miles who asked in 90 days, rounded; 0 for fewer than 10. Null while they are being counted. */
  people: z.number().int().nullable(),
  /** Staff's answer by email; null until there is one. */
  answer: z
    .object({
      kind: z.enum(['confirm', 'decline']),
      state: z.enum(applicationMessageStates),
      /** Why it waits, was withheld or refused. */
      reason: z.string().nullable(),
      endedAt: z.iso.datetime().nullable(),
    })
    .nullable(),
  /** The provider that its approval created; null before. */
  provider: z
    .object({
      id,
      name: z.string(),
      isActive: z.boolean(),
      /** Whether a source owns it by now, and its status. */
      isSynced: z.boolean(),
      email: z.string(),
      emailConfirmedAt: z.iso.datetime().nullable(),
      zipCode: z.string(),
      /** From where leads measure their distance to it; null: the ZIP code is unknown. */
      locationSource: z.enum(['coordinates', 'zip', 'prefix']).nullable(),
      npi: z.string().nullable(),
      hasAbout: z.boolean(),
      hasHours: z.boolean(),
    })
    .nullable(),
});
export type ApplicationDetail = z.infer<typeof applicationDetail>;
