/** Why somebody may not be contacted any more. */
export const suppressionReasons = [
  'unsubscribed',
  'withdrawn',
  'do-not-contact',
  'bounced',
  'erased',
] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** By which way a consent was withdrawn: the page behind the link, the mail program's own button (RFC 8058), a staff member, an erasure. */
export const withdrawalWays = ['page', 'one-click', 'staff', 'erasure'] as const;
export type WithdrawalWay = (typeof withdrawalWays)[number];
