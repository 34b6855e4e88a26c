import type { StaffRole } from '#shared/admin/staff.ts';
import { visit, type Visit, type VisitOptions } from './browser.ts';
import { signedIn } from './staff.ts';
import type { TestApp } from './testApp.ts';

interface AdminVisitOptions extends VisitOptions {
  role?: StaffRole;
  path?: string;
}

/** A new browser profile on the dashboard, signed in with its own account. */
export async function visitAdmin(
  app: TestApp,
  { role = 'manager', path = '/admin', ...options }: AdminVisitOptions = {},
): Promise<Visit> {
  const { cookie } = await signedIn(app, role);
  const visitor = await visit(app, { ...options, cookie });
  await visitor.page.goto(path);
  // A drawer may be open above it.
  await visitor.page.getByRole('tablist', { includeHidden: true }).waitFor();
  return visitor;
}
