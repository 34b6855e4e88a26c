import { z } from 'zod';

const severities = ['info', 'low', 'moderate', 'high', 'critical'] as const;

const advisory = z.object({
  url: z.string(),
  name: z.string(),
  title: z.string(),
  severity: z.enum(severities),
});
/** What `npm audit --json` prints (audit report version 2). `via` names packages, or has the advisories themselves. */
const auditReport = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisory])) })),
});
/** What it prints instead if the registry doesn't answer, or has no audit. */
const auditFailure = z.object({ message: z.string() });

/** Advisories that were looked at: why they don't matter here, and until when. */
export const auditExceptions = z.array(
  z.strictObject({
    advisory: z.string().regex(/^GHSA(-[0-9a-z]{4}){3}$/),
    reason: z.string().min(10),
    until: z.iso.date(),
  }),
);
export type AuditException = z.output<typeof auditExceptions>[number];

/** The problems with a report, one line each; null if it isn't a report, because nothing could be checked. */
export function judgeAudit(
  report: unknown,
  { exceptions, today }: { exceptions: readonly AuditException[]; today: string },
): string[] | null {
  if (auditFailure.safeParse(report).success) return null;
  const { vulnerabilities } = auditReport.parse(report);
  const found = new Map<string, z.output<typeof advisory>>();
  for (const { via } of Object.values(vulnerabilities))
    for (const one of via) if (typeof one !== 'string') found.set(one.url.split('/').at(-1) ?? one.url, one);
  const known = new Map(exceptions.map((exception) => [exception.advisory, exception]));
  const isGrave = ({ severity }: z.output<typeof advisory>): boolean =>
    severity === 'high' || severity === 'critical';
  return [
    ...[...found].flatMap(([id, one]) =>
      isGrave(one) && !known.has(id) ? [`${id} (${one.severity}): ${one.name}: ${one.title}`] : [],
    ),
    ...exceptions.flatMap(({ advisory: id, until }) => {
      if (!found.has(id)) return [`${id} is no longer found. Remove the exception.`];
      return until < today ? [`The exception for ${id} ended on ${until}. Look at it again.`] : [];
    }),
  ];
}
