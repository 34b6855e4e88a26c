/** The provider that the page's address requests by `?providerId=`, or null. */
export function requestedProvider(search: string): number | null {
  const id = new URLSearchParams(search).get('providerId');
  return id !== null && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}
