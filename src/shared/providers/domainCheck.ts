import { z } from 'zod';

export const domainCheckInput = z.object({ id: z.number().int().positive() });

/** One requirement of a provider's domain. `unknown`: the check failed or does not apply. */
export const domainFinding = z.object({
  state: z.enum(['ok', 'wrong', 'unknown']),
  /** A sentence or two for staff. */
  text: z.string(),
});
export type DomainFinding = z.infer<typeof domainFinding>;

export const dnsRecord = z.object({
  type: z.enum(['A', 'AAAA', 'CNAME']),
  /** The name of the record, `clinic.example.com`. */
  name: z.string(),
  /** An address, or for CNAME a name, both without a trailing dot. */
  value: z.string(),
});
export type DnsRecord = z.infer<typeof dnsRecord>;

/** Whether a provider's domain works, and what to do if it doesn't. */
export const domainCheck = z.object({
  /** Null if the provider has none. Then there is nothing to check. */
  domain: z.string().nullable(),
  /** Does its name lead here? */
  dns: domainFinding,
  /** Whether its page responds for this provider. Checked only once the name resolves to us. */
  page: domainFinding,
  /** The DNS records that the registrar needs. Empty if the name resolves to us already, or if they are unknown. */
  records: z.array(dnsRecord),
});
export type DomainCheck = z.infer<typeof domainCheck>;
