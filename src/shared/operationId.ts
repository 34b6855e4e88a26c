/** The names that routers of `admin` had in 1.0, where they differ. */
const routerNames = new Map([
  ['accounts', 'staffAccounts'],
  ['applications', 'adminApplications'],
  ['leads', 'adminLeads'],
  ['outcomes', 'leadOutcomes'],
  ['providers', 'adminProviders'],
  ['session', 'staff'],
  ['tasks', 'staffTasks'],
  ['unsentMail', 'mailOutbox'],
]);

/**
 * The stable name of a procedure: `adminLeads.list` for `admin.leads.list`, as 1.0 called it. The ids of operations in
 * the OpenAPI document and the names in the audit log stay these, whatever the routers are called.
 */
export function toOperationId(procedure: string): string {
  const [first, router = '', ...rest] = procedure.split('.');
  return first === 'admin' ? [routerNames.get(router) ?? router, ...rest].join('.') : procedure;
}
