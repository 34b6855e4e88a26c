import { z } from 'zod';

/** One thing a clinic's domain needs. */
export const domainFinding = z.object({
  state: z.enum(['ok', 'wrong', 'unknown']),
  /** A sentence for staff. */
  text: z.string(),
});
export type DomainFinding = z.infer<typeof domainFinding>;

export const dnsRecord = z.object({
  type: z.enum(['A', 'AAAA', 'CNAME']),
  /** The name the record is for, `clinic.example.com`. */
  name: z.string(),
  value: z.string(),
});

/** Whether a clinic's domain works, and what to do where it doesn't. */
export const domainCheck = z.object({
  /** Null: the clinic has none, and there is nothing to check. */
  domain: z.string().nullable(),
  /** Does its name lead here? */
  dns: domainFinding,
  /** Does its page answer, with this clinic's brand? */
  page: domainFinding,
  /** What to add at the domain's registrar; empty where the name leads here already. */
  records: z.array(dnsRecord),
});
export type DomainCheck = z.infer<typeof domainCheck>;
