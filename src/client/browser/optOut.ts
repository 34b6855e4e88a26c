/**
 * Whether this browser asks not to be followed (Global Privacy Control): by its own property, or by the header alone, which the server
 * hands back as a timing (server/render/page.ts).
 */
export function isOptedOut(): boolean {
  if ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true) return true;
  const [load] = performance.getEntriesByType('navigation');
  return (
    load instanceof PerformanceNavigationTiming &&
    (load.serverTiming ?? []).some(({ name }) => name === 'gpc')
  );
}
