export type CsvValue = string | number | boolean | null;

/** UTF-8's mark, without which spreadsheets read another encoding. */
export const byteOrderMark = '\ufeff';
const lineEnd = '\r\n';

/** What makes a spreadsheet take a cell for a formula (OWASP, "CSV injection"). */
const formulaStarts = '=+-@\t\r\n';
const needsQuotes = /[",\r\n]/;

function cell(value: CsvValue): string {
  if (value === null || value === '') return '';
  if (typeof value !== 'string') return String(value);
  const text = formulaStarts.includes(value.charAt(0)) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record by RFC 4180, its line end included; text that a spreadsheet would run is made plain by a leading `'`. */
export function csvLine(values: readonly CsvValue[]): string {
  let line = cell(values[0] ?? null);
  for (let index = 1; index < values.length; index += 1) line += `,${cell(values[index] ?? null)}`;
  return line + lineEnd;
}
