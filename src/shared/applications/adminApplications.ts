import { z } from 'zod';
import { quarantineReasons } from '../leads/quarantine.ts';
import { applicationStatuses } from './applications.ts';

const id = z.number().int().positive();

export const applicationsPageSize = 40;

export const adminApplicationListInput = z.object({
  status: z.enum(applicationStatuses).optional(),
  page: z.number().int().min(1).max(1_000_000).default(1),
  limit: z.number().int().min(1).max(100).default(applicationsPageSize),
});

/** The list of applications in the dashboard's URL. */
export const applicationSearch = adminApplicationListInput.omit({ limit: true });

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

export const adminApplicationReleaseInput = z.object({ id });
