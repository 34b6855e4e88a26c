/** Global Privacy Control, by the browser's property or the header, returned as a timing (server/render/page.ts). */
export function isOptedOut(): boolean {
  if ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true) return true;
  const [load] = performance.getEntriesByType('navigation');
  return (
    load instanceof PerformanceNavigationTiming &&
    (load.serverTiming ?? []).some(({ name }) => name === 'gpc')
  );
}
