import { lazy, Suspense } from 'react';
import { AdminGate } from '#client/features/adminGate/AdminGate.tsx';
import { Wordmark } from '#client/features/siteChrome/Wordmark.tsx';
import { gateWords } from '#shared/staffWords.ts';

/** Behind the gate, and only loaded there. */
const Dashboard = lazy(async () => {
  // The gate draws it in the browser alone: the server's bundle stays without it.
  if (import.meta.env.SSR) return new Promise<never>(() => {});
  try {
    return { default: (await import('#client/features/admin/Dashboard.tsx')).Dashboard };
  } catch {
    // A new version replaced it: the server names where it is now.
    window.location.reload();
    return new Promise<never>(() => {});
  }
});

/** The staff's dashboard, at both of its addresses. */
export function AdminPage() {
  return (
    <AdminGate mark={<Wordmark />}>
      <Suspense fallback={<output>{gateWords.loading}</output>}>
        <Dashboard />
      </Suspense>
    </AdminGate>
  );
}
