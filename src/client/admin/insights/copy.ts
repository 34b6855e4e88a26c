import { deliveryChannelNames } from '#shared/admin/deliveries.ts';
import { firstPages } from '#shared/pages/firstPages.ts';
import { areasMax } from '#shared/admin/insights.ts';
import type { PageFormKey } from '#shared/leads/leadForms.ts';
import { counted, distanceText } from '#shared/formats/writing.ts';

const channelNames: Readonly<Record<string, string>> = deliveryChannelNames;

const number = (value: number): string => value.toLocaleString('en-US');

function percentText(share: number, decimals: number): string {
  return share.toLocaleString('en-US', {
    style: 'percent',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** Text of the insights tab. It is the same for every brand. */
export const insightCopy = {
  loading: 'Loading insights',
  exportVerb: 'Export',
  csv: 'CSV',
  exportOf: (title: string) => `Export CSV: ${title}`,
  tableOf: (title: string) => `${title}: table`,
  day: 'Day',
  showData: 'Show data',
  charts: 'Charts',
  showCharts: 'Show charts',
  hideCharts: 'Hide charts',
  noLeads: 'No leads yet. Figures appear here with the first one.',
  total: 'Total',
  leads: 'Leads',
  /** '66.7%', '0%', '100%' */
  percent: (share: number) => percentText(share, share > 0 && share < 1 ? 1 : 0),
  /** '75%' */
  percentMark: (share: number) => percentText(share, 0),
  /** For keyboard users who step through a chart. */
  chartLabel: (summary: string) => `${summary} Use the left and right arrow keys to move between days.`,
  /** '< 0.1 s' */
  lessThan: (duration: string) => `< ${duration}`,
  between: (first: string, last: string) => (first === last ? first : `${first} – ${last}`),
} as const;

export const rangeCopy = {
  label: 'Date range',
  since: 'From',
  until: 'To',
  presets: 'Preset ranges',
  days: (days: number) => `${days} days`,
  year: '12 months',
  /** Shows the two dates. */
  other: 'Other days',
  note: (zone: string) => `Days in ${zone}`,
  shown: (days: string) => `Showing ${days}.`,
} as const;

export const providersCopy = {
  title: 'Providers compared',
  failed: 'Failed to load the providers’ figures',
  empty: 'No lead of this period has a provider.',
  network: 'All providers',
  provider: 'Provider',
  leads: 'Leads',
  reached: 'Reached',
  booked: 'Booked',
  median: 'Median to first outcome',
  rate: (percent: string, count: number) => `${percent} (${number(count)})`,
  fewer: (count: number, min: number) => `${number(count)} (fewer than ${min} leads)`,
  note: (min: number, isCut: boolean) =>
    `Ticks mark the figure of all providers. Rates need at least ${min} leads.${isCut ? ' The providers with the most leads are listed.' : ''}`,
} as const;

export const leadsFigureCopy = {
  title: 'Leads per day by site',
  note: (days: number) =>
    `${days === 1 ? 'on one day' : `over ${counted(days, 'day')}`}. Quarantined and deleted leads aren’t counted.`,
  headline: (total: number) => counted(total, 'lead'),
  main: 'Main site',
  others: 'Other providers’ sites',
  site: (key: string) => `Provider #${key}`,
  empty: 'No leads in this period.',
  failed: 'Failed to load the leads of this period',
  summary: (days: string, total: number) => `Leads per day by site, ${days}: ${number(total)} in total.`,
} as const;

export const matchFigureCopy = {
  title: 'Match rate',
  rate: 'Match rate',
  matched: 'Matched',
  note: (matched: number, total: number) => `${number(matched)} of ${counted(total, 'lead')} have a provider`,
  empty: leadsFigureCopy.empty,
  failed: leadsFigureCopy.failed,
  summary: (days: string, rate: string) => `Share of leads with a provider, ${days}: ${rate} overall.`,
} as const;

export const firstDeliveryCopy = {
  title: 'Time to first delivery',
  headline: (median: string) => `Median ${median}`,
  note: (delivered: number) => `of ${counted(delivered, 'lead')} matched on arrival`,
  slowest: (day: string, time: string) => `Slowest day: ${day} (95th percentile ${time})`,
  delivered: 'Delivered',
  median: 'Median',
  p95: '95th percentile',
  empty: 'No deliveries in this period.',
  emptyText: 'Shown by the day the lead arrived, after its first delivery.',
  failed: 'Failed to load the first deliveries',
  summary: (days: string) =>
    `Time from a lead’s arrival to its first delivery, ${days}: median, and 95th percentile from 20 leads a day.`,
} as const;

export const firstContactCopy = {
  title: 'Speed to first contact',
  headline: (contacted: number) => `${counted(contacted, 'lead')} reached`,
  note: (day: string, time: string) => `Slowest day: ${day} (95th percentile ${time})`,
  contacted: 'Reached',
  median: 'Median',
  p95: '95th percentile',
  empty: 'No provider has reported an outcome in this period.',
  emptyText: 'Shown by the day the lead arrived, once the provider marks it Reached or Booked.',
  failed: 'Failed to load the first contacts',
  summary: (days: string) =>
    `Time from a lead’s arrival until its provider reached it, ${days}: median and 95th percentile.`,
} as const;

export const deliveryCopy = {
  title: 'Delivery health',
  headline: (reached: number, total: number) =>
    `${number(reached)} of ${counted(total, 'lead')} reached ${total === 1 ? 'its' : 'their'} clinic`,
  /** Without leads in the period. */
  attemptRate: (rate: string) => `${rate} of attempts delivered`,
  note: (attempts: number, failed: number) => deliveryCopy.attempts(attempts, failed),
  attempts: (attempts: number, failed: number): string =>
    `${number(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}, ${number(failed)} failed`,
  delivered: 'Delivered',
  failedAttempts: 'Failed',
  empty: 'No delivery attempts in this period.',
  emptyText: 'Each attempt appears on the day it was made.',
  failed: 'Failed to load the deliveries',
  failedDeliveries: 'View failed deliveries in this period',
  channels: 'By channel',
  channel: (channel: string) => channelNames[channel] ?? channel,
  ofDeliveries: (delivered: number, total: number) => `${number(delivered)} of ${number(total)} delivered`,
  crm: 'CRM sync for this period',
  summary: (days: string, rate: string) => `Delivery attempts per day, ${days}: ${rate} delivered.`,
} as const;

export const formsCopy = {
  title: 'Form completion',
  headline: (rate: string) => `${rate} completed`,
  note: (started: number, sent: number) => `${counted(started, 'form')} started, ${number(sent)} sent`,
  scope: 'Counts are anonymous. Forms sent without scripts aren’t included.',
  form: 'Form',
  started: 'Started',
  zip: 'ZIP entered',
  sent: 'Sent',
  completed: 'Completed',
  names: {
    landing: 'Landing page',
    microsite: 'Provider’s site',
    quiz: 'Quiz (/start)',
    find: 'Find a provider (/find)',
  } satisfies Record<PageFormKey, string>,
  empty: 'Nobody started a form in this period.',
  failed: 'Failed to load the form counts',
} as const;

const pageNames: Readonly<Record<string, string>> = {
  '/': 'Landing page (/)',
  [firstPages.providerSites]: 'Providers’ sites',
  [firstPages.other]: 'Other pages',
  [firstPages.unknown]: 'Unknown',
};

export const pagesCopy = {
  title: 'First pages and campaigns',
  headline: (rate: string) => `${rate} of started forms`,
  note: (leads: number, started: number) => `${counted(leads, 'lead')}, ${counted(started, 'form')} started`,
  scope:
    'By the first page and campaign of a visit. Leads of API clients and of forms without script aren’t counted: they have no start. The rate is leads per started form, with its 95% interval. Each row is compared with the one with the most started forms: needed leads are for both together, at 95% confidence and 80% power.',
  page: 'First page',
  campaign: 'Campaign',
  funnel: (by: string) => `Funnel: ${by.toLowerCase()}`,
  started: 'Started',
  leads: 'Leads',
  reached: 'Reached',
  booked: 'Booked',
  rate: 'Rate',
  compared: 'Compared',
  pageName: (page: string) => pageNames[page] ?? page,
  campaignName: (campaign: string) => (campaign === '' ? 'No campaign' : campaign),
  /** '9.5% (8.1–11.2%)' */
  interval: (share: number, low: number, high: number) =>
    `${percentText(share, 1)} (${(low * 100).toFixed(1)}–${percentText(high, 1)})`,
  better: 'Better',
  worse: 'Worse',
  equal: 'No difference so far',
  needed: (leads: number) => `Needs about ${number(leads)} more ${leads === 1 ? 'lead' : 'leads'}`,
  empty: 'Nobody started a form in this period.',
  failed: 'Failed to load the first pages',
} as const;

export const demandCopy = {
  title: 'Demand without a provider',
  headline: (leads: number) => counted(leads, 'lead'),
  note: (areas: number, unplaced: number) => {
    const most = areas > areasMax ? ` (the ${areasMax} with the most are shown)` : '';
    const nowhere = unplaced === 0 ? '' : `; ${number(unplaced)} without a usable ZIP code`;
    return `without a provider, from ${counted(areas, 'ZIP area')}${most}${nowhere}`;
  },
  area: (zip3: string) => `ZIP area ${zip3}`,
  columns: { area: 'ZIP area', leads: 'Leads', nearest: 'Nearest provider', map: 'Map' },
  nearest: (name: string, miles: number) => `${name}, ${distanceText(miles)}`,
  nearestIs: 'Nearest provider:',
  noProvider: 'None',
  show: 'Show on map',
  showArea: (zip3: string) => `Show on map: ZIP area ${zip3}`,
  notOnMap: 'Not on the map',
  map: 'Map of leads without a provider',
  loadingMap: 'Loading the map…',
  legend: 'Circle size shows the number of leads. Distances are from the middle of the ZIP area.',
  empty: 'No leads without a provider in this period.',
  failed: 'Failed to load demand',
} as const;
