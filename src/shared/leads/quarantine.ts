/**
 * `over-limit`: only above a limit; released when the window allows. `burst`: above a limit without a form's token.
 * `test`: staff sent it, and it is never released.
 */
export const quarantineReasons = [
  'honeypot',
  'token-missing',
  'token-early',
  'token-expired',
  'token-forged',
  'foreign-origin',
  'burst',
  'over-limit',
  'test',
] as const;
export type QuarantineReason = (typeof quarantineReasons)[number];

/** How a lead got its provider; `none`: it has none. */
export const matchMethods = ['tenant', 'requested', 'nearest', 'manual', 'none'] as const;
export type MatchMethod = (typeof matchMethods)[number];

/** The field of every public form that no person sees. Software that fills in every input reveals itself. */
export const honeypotName = 'leave_empty';
