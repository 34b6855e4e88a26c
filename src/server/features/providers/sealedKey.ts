import { openText, type Seal, sealText } from '#server/security/sealedText.ts';

/** Identifies the seal; `npm run secrets:rotate` reseals it. */
export function mpxapiSeal(providerId: number): Seal {
  return { purpose: 'provider mpxapi', owner: `provider ${providerId}` };
}

/** Seals a provider's `mpxapi` for storage. */
export function sealKey(secrets: readonly string[], providerId: number, value: string): string {
  return sealText(secrets, mpxapiSeal(providerId), value);
}

/** The sealed key, opened with any of the secrets; null if none opens it. */
export function openKey(secrets: readonly string[], providerId: number, sealed: string): string | null {
  return openText(secrets, mpxapiSeal(providerId), sealed);
}
