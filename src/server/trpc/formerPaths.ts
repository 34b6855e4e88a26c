import { toOperationId } from '#shared/operationId.ts';
import { appRouter } from './root.ts';

const procedures = Object.keys(Reflect.get(Reflect.get(appRouter, '_def'), 'procedures'));
const byFormerName = new Map(procedures.map((procedure) => [toOperationId(procedure), procedure]));

/**
 * The path of a tRPC call or batch with today's names: 1.0.x's dashboards, open in a browser since before an upgrade,
 * call `adminLeads.list` for `admin.leads.list`. May go with 2.0.0, as may the reverse in client/api/trpc.ts.
 */
export function toCurrentPath(path: string): string {
  const names = decodeURIComponent(path).split(',');
  return names.map((name) => encodeURIComponent(byFormerName.get(name) ?? name)).join(',');
}
