/** How long evidence is kept: the Telemarketing Sales Rule's five years (16 CFR 310.5(b)). */
const retentionYears = 5;

/** Until when evidence of a consent of that time is kept. */
export function retainUntil(acceptedAt: Date): Date {
  const until = new Date(acceptedAt);
  until.setUTCFullYear(until.getUTCFullYear() + retentionYears);
  return until;
}
