import type { AdminLead } from '#shared/admin/adminLeads.ts';

export function leadName({ first_name: first, last_name: last }: AdminLead): string {
  return `${first} ${last}`;
}
