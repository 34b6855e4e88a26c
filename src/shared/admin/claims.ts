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

export const claimHiddenInput = z.object({ id: z.string().max(100), isHidden: z.boolean() });
