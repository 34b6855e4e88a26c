/**
 * Why a submission is stored but not delivered. `over-limit`: an honest-looking one above its network's normal limit; it is released by itself when
 * the window allows.
 */
export const quarantineReasons = [
  'honeypot',
  'token-missing',
  'token-early',
  'token-expired',
  'token-forged',
  'foreign-origin',
  'over-limit',
] as const;
export type QuarantineReason = (typeof quarantineReasons)[number];
