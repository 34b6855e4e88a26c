import { readSigned, signText } from '#server/security/signedText.ts';

/** The piece of an address by which a lead's author withdraws. It names the lead's UUID, nothing personal, and never ends. */
export function signWithdrawal(keys: readonly string[], publicId: string): string {
  return signText(keys, 'withdraw', publicId);
}

/** The UUID of the lead that a piece of ours is about; null for every other. */
export function readWithdrawal(keys: readonly string[], piece: string): string | null {
  const text = readSigned(keys, 'withdraw', piece);
  return text !== null && uuidPattern.test(text) ? text : null;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
