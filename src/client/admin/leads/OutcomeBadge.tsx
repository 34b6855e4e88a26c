import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { MessageCircle } from '#client/ui/Icon.tsx';
import { type LeadOutcome, leadOutcomeNames } from '#shared/leads/leadOutcomes.ts';

const tones: Record<LeadOutcome, BadgeTone> = {
  reached: 'success',
  booked: 'success',
  'not-reachable': 'warning',
  'wrong-area': 'warning',
  duplicate: 'neutral',
};

/** The latest outcome that the provider reported. */
export function OutcomeBadge({ outcome }: { outcome: LeadOutcome }) {
  return (
    <Badge tone={tones[outcome]}>
      <MessageCircle />
      {leadOutcomeNames[outcome]}
    </Badge>
  );
}
