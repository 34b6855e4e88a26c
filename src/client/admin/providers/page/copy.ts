import { ratedDays, ratedMin } from '#shared/admin/adminProviders.ts';
import { counted } from '#shared/formats/writing.ts';

/** Texts of a provider's page. */
export const pageCopy = {
  back: 'All providers',
  loading: 'Loading provider…',
  failed: 'Failed to load the provider',
  results: {
    title: 'Results',
    caption: `Leads of the last ${ratedDays} days`,
    columns: { figure: 'Figure', own: 'This provider', network: 'Network' },
    rows: {
      leads: 'Leads',
      reached: 'Reached',
      booked: 'Booked',
      median: 'Median time to first outcome',
    },
    /** Of a rate that says nothing yet. */
    fewLeads: `Fewer than ${ratedMin} leads`,
    fewOutcomes: `Fewer than ${ratedMin} outcomes`,
    rate: (part: number, all: number) =>
      `${Math.round((100 * part) / all)}% (${part.toLocaleString('en-US')} of ${all.toLocaleString('en-US')})`,
    months: 'Leads per month (UTC)',
  },
  leads: {
    title: 'Newest leads',
    none: 'No leads yet.',
    all: (count: number) => `Show ${count === 1 ? 'its lead' : `all ${count.toLocaleString('en-US')} leads`}`,
    columns: { name: 'Name', zip: 'ZIP', stage: 'Stage', date: 'Date' },
  },
  email: {
    title: 'Email',
    address: 'Address',
    state: 'State',
    works: 'No refusals',
    refused: (count: number) => `${counted(count, 'lead')} not delivered`,
    confirmed: 'Confirmed',
    unconfirmed: 'Not confirmed by its link',
    sendLink: 'Send the link again',
    refusedTitle: 'Leads it didn’t get',
    lead: (id: number) => `Lead ${id}`,
    all: 'Show all',
  },
  source: {
    title: 'Sync',
    own: 'It exists only here. Staff own all of its fields, and no sync changes or deactivates it.',
    record: 'Record',
    wordpressId: (id: number) => `WordPress ID ${id}`,
    last: 'Last sync',
    never: 'Not yet',
    syncOwns: 'The sync owns',
    staffOwn: 'Staff own',
    both: 'Both set',
    status: 'Status',
    staffFields: ['Pause', 'Matching radius', 'Colors of its site', 'CRM key'],
    hours: 'Hours',
    bothHint: 'A sync that has one of these fields replaces it, except hours and time zone set here.',
  },
  domain: 'Domain',
  site: {
    title: 'Its site',
    open: 'Open its site (opens in a new tab)',
    inactive: 'It is inactive, so visitors don’t see its site.',
    show: 'Preview on a phone',
    preview: (name: string) => `Site of ${name} on a phone`,
  },
} as const;

/** A month such as `2026-11`: 'Nov', and 'November 2026'. */
export function monthNames(month: string): { short: string; long: string } {
  const at = Date.parse(`${month}-01`);
  const write = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(at);
  return { short: write({ month: 'short' }), long: write({ month: 'long', year: 'numeric' }) };
}
