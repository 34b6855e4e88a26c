import { z } from 'zod';

/** Vite's account of what it built, as far as it is needed here: each source's file, what it imports statically, its styles. */
export const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);

export type Manifest = z.output<typeof manifestSchema>;
