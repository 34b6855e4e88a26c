import { lazy } from 'react';
import { AdminGate } from '#client/admin/signIn/AdminGate.tsx';
import { Wordmark } from '#client/sections/siteChrome/SiteLogo.tsx';

/** Behind the gate, and only loaded there. */
const Dashboard = lazy(async () => {
  // Only rendered in the browser, so the server's bundle doesn't contain it.
  if (import.meta.env.SSR) return new Promise<never>(() => {});
  try {
    return { default: (await import('#client/admin/shell/Dashboard.tsx')).Dashboard };
  } catch {
    // A new version replaced it: the server names where it is now.
    window.location.reload();
    return new Promise<never>(() => {});
  }
});

/** The staff's dashboard, at both of its addresses. */
export function AdminPage() {
  const mark = <Wordmark />;
  return (
    <AdminGate mark={mark}>
      <Dashboard mark={mark} />
    </AdminGate>
  );
}
