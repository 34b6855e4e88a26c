import { z } from 'zod';

/**
 * A day to search from or to, in UTC: no earlier than anything could have happened, and one that has a next day in four
 * digits.
 */
export const day = z.iso
  .date()
  .refine((given) => given >= '2000-01-01' && given <= '9999-12-30', 'Use a day from 2000 to 9999');
