import { openText, type Seal, sealText } from '#server/security/sealedText.ts';

/** How it is sealed; `npm run secrets:rotate` seals it again. */
export function mpxapiSeal(providerId: number): Seal {
  return { purpose: 'provider mpxapi', owner: `provider ${providerId}` };
}

/** A clinic's `mpxapi` as it is kept. */
export function sealKey(secrets: readonly string[], providerId: number, value: string): string {
  return sealText(secrets, mpxapiSeal(providerId), value);
}

/** What was sealed, by whichever of the secrets opens it; null when none does. */
export function openKey(secrets: readonly string[], providerId: number, sealed: string): string | null {
  return openText(secrets, mpxapiSeal(providerId), sealed);
}
