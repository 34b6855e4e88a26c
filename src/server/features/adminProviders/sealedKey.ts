import { openText, type Seal, sealText } from '../../sealedText.ts';

function sealOf(providerId: number): Seal {
  return { purpose: 'provider mpxapi', owner: `provider ${providerId}` };
}

/** A clinic's `mpxapi` as it is kept. */
export function sealKey(secrets: readonly string[], providerId: number, value: string): string {
  return sealText(secrets, sealOf(providerId), value);
}

/** What was sealed, by whichever of the secrets opens it; null when none does. */
export function openKey(secrets: readonly string[], providerId: number, sealed: string): string | null {
  return openText(secrets, sealOf(providerId), sealed);
}
