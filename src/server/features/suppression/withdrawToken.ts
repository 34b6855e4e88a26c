import { readSigned, signText } from '../../signedText.ts';

/** The piece of an address by which a lead's author withdraws. It names the lead's number, nothing personal, and never ends. */
export function signWithdrawal(keys: readonly string[], leadId: number): string {
  return signText(keys, 'withdraw', String(leadId));
}

/** The lead that a piece of ours is about; null for every other. */
export function readWithdrawal(keys: readonly string[], piece: string): number | null {
  const [, leadId] = /^([1-9]\d{0,14})$/.exec(readSigned(keys, 'withdraw', piece) ?? '') ?? [];
  return leadId === undefined ? null : Number(leadId);
}
