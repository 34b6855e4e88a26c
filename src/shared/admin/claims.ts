import { z } from 'zod';

const adminClaim = z.object({
  id: z.string(),
  text: z.string(),
  /** Null: pages show it. */
  hidden: z.object({ by: z.string(), at: z.iso.datetime() }).nullable(),
  /** Open reports of problems that name it. */
  reports: z.number().int().nonnegative(),
});
export type AdminClaim = z.output<typeof adminClaim>;

export const claimListOutput = z.array(adminClaim);

const problemReport = z.object({
  id: z.number().int(),
  created_at: z.iso.datetime(),
  /** ID of the claim that it names. */
  claim: z.string().nullable(),
  what: z.string(),
  contact: z.string().nullable(),
  host: z.string(),
  /** Set aside as spam, perhaps wrongly. */
  isSuspect: z.boolean(),
});
export type ProblemReport = z.output<typeof problemReport>;

export const problemsPageSize = 40;

export const problemListInput = z.object({ page: z.number().int().min(1).max(100_000).default(1) });

export const problemListOutput = z.object({ reports: z.array(problemReport), total: z.number().int() });
export type ProblemList = z.output<typeof problemListOutput>;

export const problemIdInput = z.object({ id: z.number().int().positive() });

export const claimHiddenInput = z.object({ id: z.string().max(100), isHidden: z.boolean() });
export type ClaimHidden = z.infer<typeof claimHiddenInput>;
