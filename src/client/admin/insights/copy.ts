import { deliveryChannelNames } from '#shared/admin/leadCopy.ts';
import { areasMax } from '#shared/admin/insights.ts';
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
  codeFailed: 'The charts couldn’t be loaded.',
  exportVerb: 'Export',
  csv: 'CSV',
  exportOf: (title: string) => `Export CSV: ${title}`,
  tableOf: (title: string) => `${title}: table`,
  day: 'Day',
  utc: (days: string) => `${days}, UTC`,
  total: 'Total',
  leads: 'Leads',
  /** '66.7%', '0%', '100%' */
  percent: (share: number) => percentText(share, share > 0 && share < 1 ? 1 : 0),
  /** '75%' */
  percentMark: (share: number) => percentText(share, 0),
  /** For keyboard users who step through a chart. */
  chartLabel: (summary: string) => `${summary} Left and right arrows go from day to day.`,
  between: (first: string, last: string) => (first === last ? first : `${first} – ${last}`),
} as const;

export const rangeCopy = {
  label: 'Days looked at',
  since: 'First day',
  until: 'Last day',
  presets: 'Usual ranges',
  days: (days: number) => `${days} days`,
  year: '12 months',
  note: 'Days are UTC.',
  shown: (days: string) => `Still shown: ${days}.`,
} as const;

export const leadsFigureCopy = {
  title: 'Leads a day by site',
  note: (days: number) => (days === 1 ? 'on one day' : `over ${counted(days, 'day')}`),
  headline: (total: number) => counted(total, 'lead'),
  main: 'Main site',
  others: 'Other clinics’ sites',
  site: (key: string) => `Clinic #${key}`,
  empty: 'No leads in these days.',
  failed: 'Failed to load the leads of these days',
  summary: (days: string, total: number) => `Leads a day by site, ${days}: ${number(total)} in all.`,
} as const;

export const matchFigureCopy = {
  title: 'Match rate',
  rate: 'Match rate',
  matched: 'Matched',
  note: (matched: number, total: number) => `${number(matched)} of ${counted(total, 'lead')} have a clinic`,
  empty: leadsFigureCopy.empty,
  failed: leadsFigureCopy.failed,
  summary: (days: string, rate: string) => `Share of leads with a clinic, ${days}: ${rate} in all.`,
} as const;

export const firstDeliveryCopy = {
  title: 'Time to first delivery',
  headline: (delivered: number) => `${counted(delivered, 'lead')} delivered`,
  note: (day: string, time: string) => `Slowest day: ${day}, 95 of 100 within ${time}`,
  delivered: 'Delivered',
  median: 'Median',
  p95: '95th percentile',
  empty: 'No delivery in these days.',
  emptyText: 'Times appear here by the day a lead came, once it has reached somebody.',
  failed: 'Failed to load the first deliveries',
  summary: (days: string) =>
    `Time from a lead’s coming to its first delivery, ${days}: median and 95th percentile.`,
} as const;

export const firstContactCopy = {
  title: 'Speed to first contact',
  headline: (contacted: number) => `${counted(contacted, 'lead')} reached`,
  note: (day: string, time: string) => `Slowest day: ${day}, 95 of 100 within ${time}`,
  contacted: 'Reached',
  median: 'Median',
  p95: '95th percentile',
  slowest: 'Slowest clinics',
  provider: 'Clinic',
  empty: 'No clinic has told of reaching a lead of these days.',
  emptyText: 'Times appear here by the day a lead came, once its clinic says that it was reached or booked.',
  failed: 'Failed to load the first contacts',
  summary: (days: string) =>
    `Time from a lead’s coming until its clinic reached it, ${days}: median and 95th percentile.`,
} as const;

export const deliveryCopy = {
  title: 'Delivery health',
  headline: (rate: string) => `${rate} delivered`,
  note: (attempts: number, failed: number) =>
    `${number(attempts)} ${attempts === 1 ? 'try' : 'tries'}, ${number(failed)} failed`,
  delivered: 'Delivered',
  failedAttempts: 'Failed',
  empty: 'No try to deliver in these days.',
  emptyText: 'Each try appears here by the day it was made.',
  failed: 'Failed to load the deliveries',
  failedDeliveries: 'Failed deliveries created in these days',
  channels: 'By channel',
  channel: (channel: string) => channelNames[channel] ?? channel,
  ofAttempts: (delivered: number, attempts: number) =>
    `${number(delivered)} of ${number(attempts)} delivered`,
  crm: 'CRM sync of these days’ leads',
  summary: (days: string, rate: string) => `Tries to deliver a day, ${days}: ${rate} delivered.`,
} as const;

export const demandCopy = {
  title: 'Demand without a clinic',
  headline: (leads: number) => counted(leads, 'lead'),
  note: (areas: number, unplaced: number) => {
    const most = areas > areasMax ? ` (the ${areasMax} with the most are shown)` : '';
    const nowhere = unplaced === 0 ? '' : `; ${number(unplaced)} gave no usable ZIP code`;
    return `without a clinic, from ${counted(areas, 'ZIP area')}${most}${nowhere}`;
  },
  area: (zip3: string) => `ZIP area ${zip3}`,
  columns: { area: 'ZIP area', leads: 'Leads', nearest: 'Nearest clinic', map: 'Map' },
  nearest: (name: string, miles: number) => `${name}, ${distanceText(miles)}`,
  nearestIs: 'Nearest clinic:',
  noProvider: 'None',
  show: 'Show on map',
  showArea: (zip3: string) => `Show on map: ZIP area ${zip3}`,
  notOnMap: 'Not on the map',
  map: 'Map of leads without a clinic',
  loadingMap: 'Loading the map…',
  legend: 'A circle’s area is its number of leads.',
  empty: 'No lead without a clinic in these days.',
  failed: 'Failed to load the demand',
} as const;
