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

/** A procedure's stable name for OpenAPI and the audit log: `adminLeads.list` for `admin.leads.list`. */
export function toOperationId(procedure: string): string {
  const [first, router = '', ...rest] = procedure.split('.');
  return first === 'admin' ? [routerNames.get(router) ?? router, ...rest].join('.') : procedure;
}
