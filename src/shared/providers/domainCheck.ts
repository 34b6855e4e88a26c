import { z } from 'zod';

export const domainCheckInput = z.object({ id: z.number().int().positive() });

/** One thing a clinic's domain needs. `unknown`: it could not be found out, or there is nothing to find out. */
const domainFinding = z.object({
  state: z.enum(['ok', 'wrong', 'unknown']),
  /** A sentence or two for staff. */
  text: z.string(),
});
export type DomainFinding = z.infer<typeof domainFinding>;

const dnsRecord = z.object({
  type: z.enum(['A', 'AAAA', 'CNAME']),
  /** The name the record is for, `clinic.example.com`. */
  name: z.string(),
  /** An address, or for CNAME a name, both without a trailing dot. */
  value: z.string(),
});
export type DnsRecord = z.infer<typeof dnsRecord>;

/** Whether a clinic's domain works, and what to do where it doesn't. */
export const domainCheck = z.object({
  /** Null: the clinic has none, and there is nothing to check. */
  domain: z.string().nullable(),
  /** Does its name lead here? */
  dns: domainFinding,
  /** Does its page answer, with this clinic's brand? Looked at only once the name leads here. */
  page: domainFinding,
  /** The records the name needs at its registrar; empty where it leads here already, or where nobody knows what they should be. */
  records: z.array(dnsRecord),
});
export type DomainCheck = z.infer<typeof domainCheck>;
