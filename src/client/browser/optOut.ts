/**
 * Whether this browser opts out of tracking (Global Privacy Control): by its own property, or only by the header, which
 * the server returns as a timing (server/render/page.ts).
 */
export function isOptedOut(): boolean {
  if ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true) return true;
  const [load] = performance.getEntriesByType('navigation');
  return (
    load instanceof PerformanceNavigationTiming &&
    (load.serverTiming ?? []).some(({ name }) => name === 'gpc')
  );
}
